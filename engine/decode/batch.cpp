#include "engine/decode/batch.h"

#include <algorithm>

namespace steelyard {

void Batch::advance(Transformer& transformer) {
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

// Room for a reply's next rows, at the cost of younger ones. A reply that is the youngest itself waits while others run.
bool Batch::reserve(size_t index, StepPlan& plan) {
    while (!m_replies[index]->reserve(plan[index])) {
        if (m_replies[index]->decodes() && plan[index] > 1) {
            plan[index] = 1; // guesses are worth nobody's place
            continue;
        }
        size_t youngest = m_replies.size() - 1;
        while (youngest > index && !m_replies[youngest]->holdsCache()) --youngest;
        if (youngest > index) {
            m_replies[youngest]->giveBack();
            plan[youngest] = 0;
            continue;
        }
        const bool alone = std::none_of(m_replies.begin(), m_replies.end(), [&](const auto& other) { return other != m_replies[index] && other->holdsCache(); });
        if (alone) m_replies[index]->failForRoom();
        else m_replies[index]->giveBack();
        return false;
    }
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
    const auto start = Clock::now();
    auto done = transformer.run(step);
    std::span<const float> logits;
    if (done && !step.outputRows.empty()) {
        const auto read = transformer.logits();
        if (read) logits = *read;
        else done = read.error();
    } else if (done) {
        done = transformer.device().synchronize();
    }
    m_scheduler.measured(decodeRows, promptRows, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    const size_t vocabulary = transformer.spec().vocabulary;
    for (size_t index = 0; index < plan.size(); ++index) {
        if (plan[index] == 0) continue;
        auto& reply = *m_replies[index];
        if (!done) {
            reply.fail(done.sentence());
            continue;
        }
        const size_t values = reply.outputs(plan[index]) * vocabulary;
        const auto own = logits.subspan(0, values);
        logits = logits.subspan(values);
        reply.stepped(plan[index], own);
    }
}

bool Batch::removeDone() {
    const auto end = std::remove_if(m_replies.begin(), m_replies.end(), [](const auto& reply) { return reply->done(); });
    const bool any = end != m_replies.end();
    m_replies.erase(end, m_replies.end());
    m_roomCame = m_roomCame || any;
    return any;
}

bool Batch::cancel(RequestId id) {
    for (auto& reply : m_replies)
        if (reply->id() == id) {
            reply->cancel();
            removeDone();
            return true;
        }
    return false;
}

void Batch::cancelAll() {
    for (auto& reply : m_replies) reply->cancel();
    m_replies.clear();
}

double Batch::decodeTokensPerSecond() const {
    double sum = 0;
    for (const auto& reply : m_replies) sum += reply->decodeTokensPerSecond();
    return sum;
}

} // namespace steelyard
