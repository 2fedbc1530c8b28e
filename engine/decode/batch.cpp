#include "engine/decode/batch.h"

#include <algorithm>

namespace steelyard {

void Batch::advance(Transformer& transformer) {
    if (m_replies.empty()) return;
    const bool anyHolds = std::any_of(m_replies.begin(), m_replies.end(), [](const auto& reply) { return reply->holdsCache(); });
    const bool asksAll = m_roomCame || !anyHolds;
    m_roomCame = false;
    std::vector<StepWish> wishes;
    for (auto& reply : m_replies) wishes.push_back(reply->waits() && !asksAll ? StepWish{} : reply->wish());
    if (removeDone()) return; // the next call asks the others again
    guessAhead(transformer, wishes);
    const auto& shape = transformer.shape();
    StepPlan plan = m_scheduler.plan(wishes, {shape.maxRows, shape.maxSequences, shape.maxOutputs});
    for (size_t index = 0; index < plan.size(); ++index)
        if (plan[index] > 0 && !reserve(index, plan)) plan[index] = 0;
    for (size_t index = 0; index < plan.size(); ++index)
        if (m_replies[index]->startAgainIfLost()) plan[index] = 0;
    if (std::any_of(plan.begin(), plan.end(), [](uint32_t rows) { return rows > 0; })) run(transformer, plan);
    removeDone();
}

// Guesses become rows of the replies that decode, as many as pay beside the rows that are there.
void Batch::guessAhead(Transformer& transformer, std::vector<StepWish>& wishes) {
    uint32_t rows = 0;
    for (const auto& wish : wishes) rows += wish.decodes ? 1 : 0;
    GuessCosts costs;
    costs.stepMs = [this](uint32_t count) { return m_scheduler.decodeMs(count); };
    for (size_t index = 0; index < wishes.size(); ++index) {
        if (!wishes[index].decodes || rows >= transformer.shape().maxOutputs) continue;
        costs.otherRows = rows - 1;
        const uint32_t guesses = m_replies[index]->guess(transformer.shape().maxOutputs - rows, costs);
        wishes[index].rows += guesses;
        rows += guesses;
    }
}

// Of those that hold something in the cache the youngest of the lowest class, if it comes behind the reply itself.
std::optional<size_t> Batch::givesWayTo(size_t index) const {
    std::optional<size_t> last;
    for (size_t i = 0; i < m_replies.size(); ++i) {
        const bool behind = m_replies[i]->priority() < m_replies[index]->priority() || (m_replies[i]->priority() == m_replies[index]->priority() && i > index);
        if (behind && m_replies[i]->holdsCache() && (!last || m_replies[i]->priority() <= m_replies[*last]->priority())) last = i;
    }
    return last;
}

// Room for a reply's next rows, at the cost of those behind it. A reply that is the last itself waits while others run.
bool Batch::reserve(size_t index, StepPlan& plan) {
    while (!m_replies[index]->reserve(plan[index])) {
        if (m_replies[index]->decodes() && plan[index] > 1) {
            plan[index] = 1; // guesses are worth nobody's place
            continue;
        }
        if (const auto other = givesWayTo(index)) {
            m_replies[*other]->giveBack();
            plan[*other] = 0;
            continue;
        }
        const bool alone = std::none_of(m_replies.begin(), m_replies.end(), [&](const auto& other) { return other != m_replies[index] && other->holdsCache(); });
        if (alone) m_replies[index]->failForRoom();
        else m_replies[index]->giveBack();
        return false;
    }
    return true;
}

bool Batch::nobodyWants(const StepPlan& plan) const {
    for (size_t index = 0; index < plan.size(); ++index)
        if (plan[index] > 0 && !m_cancelled(m_replies[index]->id())) return false;
    return true;
}

void Batch::run(Transformer& transformer, const StepPlan& plan) {
    Step step;
    uint32_t decodeRows = 0, promptRows = 0;
    for (size_t index = 0; index < plan.size(); ++index) {
        if (plan[index] == 0) continue;
        (m_replies[index]->decodes() ? decodeRows : promptRows) += plan[index];
        m_replies[index]->addRows(step, plan[index]);
    }
    if (m_cancelled) step.stops = [&] { return nobodyWants(plan); };
    const auto start = Clock::now();
    auto done = transformer.run(step);
    if (done && transformer.stopped()) {
        for (size_t index = 0; index < plan.size(); ++index)
            if (plan[index] > 0) m_replies[index]->cutOff();
        return;
    }
    std::span<const float> logits;
    if (done && !step.outputRows.empty()) {
        const auto read = transformer.logits();
        if (read) logits = *read;
        else done = read.error();
    } else if (done) {
        done = transformer.device().synchronize();
    }
    m_scheduler.measured(decodeRows, promptRows, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    std::vector<float> hidden;
    bool wantsHidden = false;
    for (size_t index = 0; index < plan.size(); ++index) wantsHidden = wantsHidden || (plan[index] > 0 && m_replies[index]->wantsHidden());
    if (done && wantsHidden) {
        auto states = transformer.hidden();
        if (states) hidden = std::move(*states);
        else done = states.error();
    }
    if (!done) return failStep(plan, done.sentence());
    std::span<const float> states = hidden;
    const size_t vocabulary = transformer.spec().vocabulary, width = transformer.spec().embedding;
    for (size_t index = 0; index < plan.size(); ++index) {
        if (plan[index] == 0) continue;
        auto& reply = *m_replies[index];
        const size_t values = reply.outputs(plan[index]) * vocabulary;
        const auto own = logits.subspan(0, values);
        logits = logits.subspan(values);
        const auto ownStates = hidden.empty() ? states : states.subspan(0, plan[index] * width);
        if (!hidden.empty()) states = states.subspan(plan[index] * width);
        reply.stepped(plan[index], own, reply.wantsHidden() ? ownStates : std::span<const float>());
    }
}

// Memory that ran out may suffice without the last of them; the others lose only time.
void Batch::failStep(const StepPlan& plan, const std::string& sentence) {
    std::optional<size_t> last;
    bool all = true;
    for (size_t index = 0; index < plan.size(); ++index) {
        if (plan[index] == 0) continue;
        if (!last || m_replies[index]->priority() <= m_replies[*last]->priority()) last = index;
        all = !m_replies[index]->startAgainIfLost() && all;
    }
    for (size_t index = 0; index < plan.size(); ++index)
        if (plan[index] > 0 && (all || index == *last)) m_replies[index]->fail(sentence);
}

bool Batch::removeDone() {
    const auto done = [](const auto& reply) { return reply->done(); };
    m_aside.erase(std::remove_if(m_aside.begin(), m_aside.end(), done), m_aside.end());
    const auto end = std::remove_if(m_replies.begin(), m_replies.end(), done);
    const bool any = end != m_replies.end();
    m_replies.erase(end, m_replies.end());
    m_roomCame = m_roomCame || any;
    return any;
}

bool Batch::makePlace(const Claim& claim) {
    if (!full()) return true;
    std::vector<Claim> running;
    for (const auto& reply : m_replies) running.push_back({reply->priority(), reply->ageMs()});
    const auto yields = yieldsTo(claim, running);
    if (!yields) return false;
    auto reply = std::move(m_replies[*yields]);
    m_replies.erase(m_replies.begin() + static_cast<std::ptrdiff_t>(*yields));
    m_roomCame = true;
    if (reply->readsAhead()) {
        reply->cancel();
    } else {
        reply->giveBack();
        m_aside.push_back(std::move(reply));
    }
    return true;
}

void Batch::resume() {
    while (!full() && !m_aside.empty()) {
        m_replies.push_back(std::move(m_aside.front()));
        m_aside.erase(m_aside.begin());
        m_roomCame = true;
    }
}

void Batch::endReadingAhead(uint64_t chat) {
    for (auto& reply : m_replies)
        if (reply->readsAhead() && reply->chat() == chat) reply->cancel();
    removeDone();
}

bool Batch::cancel(RequestId id) {
    for (auto* list : {&m_replies, &m_aside})
        for (auto& reply : *list)
            if (reply->id() == id) {
                reply->cancel();
                removeDone();
                return true;
            }
    return false;
}

void Batch::cancelAll() {
    for (auto& reply : m_replies) reply->cancel();
    for (auto& reply : m_aside) reply->cancel();
    m_replies.clear();
    m_aside.clear();
}

double Batch::decodeTokensPerSecond() const {
    double sum = 0;
    for (const auto& reply : m_replies) sum += reply->decodeTokensPerSecond();
    return sum;
}

} // namespace steelyard
