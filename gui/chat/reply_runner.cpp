#include "gui/chat/reply_runner.h"

#include "gui/chat/prompt_builder.h"
#include "gui/chat/sampling_parameters.h"
#include "gui/chat/token_probabilities.h"
#include "gui/store/store.h"

#include <algorithm>
#include <utility>

namespace steelyard {
namespace {

constexpr int kSaveMs = 800;

GuessFigures guessesOf(const SpeculationStatistics& statistics, bool asked) {
    GuessFigures guesses;
    guesses.asked = asked;
    guesses.steps = static_cast<int>(statistics.steps);
    guesses.guessed = static_cast<int>(statistics.guessed);
    guesses.accepted = static_cast<int>(statistics.accepted);
    guesses.lookupGuessed = static_cast<int>(statistics.lookupGuessed);
    guesses.lookupAccepted = static_cast<int>(statistics.lookupAccepted);
    guesses.draftMs = statistics.draftMs;
    guesses.whyNot = QString::fromStdString(statistics.whyNot);
    return guesses;
}

MoveFigures movesOf(const GenerationStatistics& statistics) {
    MoveFigures moves;
    moves.fromDisk = static_cast<int>(statistics.reusedFromDisk);
    moves.fromMemory = static_cast<int>(statistics.reusedFromMemory);
    moves.andBack = static_cast<int>(statistics.movedTokens);
    moves.handedOver = static_cast<int>(statistics.transferTokens);
    moves.handedOverBytes = statistics.transferBytes;
    moves.handOverMs = statistics.transferMs;
    return moves;
}

ReplyFigures figuresOf(const GenerationStatistics& statistics, bool guesses) {
    ReplyFigures figures;
    figures.tokens = static_cast<int>(statistics.generatedTokens);
    figures.promptTokens = static_cast<int>(statistics.promptTokens);
    figures.reusedTokens = static_cast<int>(statistics.reusedTokens);
    figures.ttftMs = statistics.ttftMs;
    figures.itlP50Ms = statistics.itlP50Ms;
    figures.itlP95Ms = statistics.itlP95Ms;
    figures.prefillTokensPerSecond = statistics.prefillTokensPerSecond;
    figures.decodeTokensPerSecond = statistics.decodeTokensPerSecond;
    figures.prefillArithmeticShare = statistics.prefillArithmeticShare;
    figures.decodeBandwidthShare = statistics.decodeBandwidthShare;
    figures.prefillMs = statistics.prefillMs;
    figures.queueMs = statistics.queueMs;
    figures.tokenizeMs = statistics.tokenizeMs;
    figures.seed = statistics.seed;
    figures.reuseMs = statistics.reuseMs;
    figures.reuseReason = QString::fromStdString(statistics.reuseReason);
    figures.guesses = guessesOf(statistics.speculation, guesses);
    figures.moves = movesOf(statistics);
    figures.shiftedTokens = static_cast<int>(statistics.shiftedTokens);
    figures.droppedMessages = static_cast<int>(statistics.droppedMessages);
    figures.droppedTokens = static_cast<int>(statistics.droppedTokens);
    figures.wouldDropMessages = static_cast<int>(statistics.wouldDropMessages);
    figures.wouldDropTokens = static_cast<int>(statistics.wouldDropTokens);
    return figures;
}

GuessFigures together(const GuessFigures& before, const GuessFigures& after) {
    GuessFigures both = after;
    both.asked = before.asked || after.asked;
    both.steps += before.steps;
    both.guessed += before.guessed;
    both.accepted += before.accepted;
    both.lookupGuessed += before.lookupGuessed;
    both.lookupAccepted += before.lookupAccepted;
    both.draftMs += before.draftMs;
    return both;
}

// Of a reply that was made in two parts: how it started, and how both parts streamed.
ReplyFigures together(const ReplyFigures& before, const ReplyFigures& after) {
    if (before.tokens == 0) return after;
    const auto seconds = [](const ReplyFigures& f) { return f.decodeTokensPerSecond > 0 ? f.tokens / f.decodeTokensPerSecond : 0; };
    const double time = seconds(before) + seconds(after);
    ReplyFigures both = before;
    if (time > 0) both.decodeTokensPerSecond = (before.tokens + after.tokens) / time;
    if (after.tokens > before.tokens) {
        both.itlP50Ms = after.itlP50Ms;
        both.itlP95Ms = after.itlP95Ms;
        both.decodeBandwidthShare = after.decodeBandwidthShare;
    }
    both.tokens += after.tokens;
    both.guesses = together(before.guesses, after.guesses);
    both.moves.andBack += after.moves.andBack;
    both.shiftedTokens += after.shiftedTokens;
    both.wouldDropMessages = after.wouldDropMessages;
    both.wouldDropTokens = after.wouldDropTokens;
    if (after.droppedMessages > 0) { // what it stands on now
        both.promptTokens = std::max(0, after.promptTokens - before.tokens);
        both.droppedMessages = after.droppedMessages;
        both.droppedTokens = after.droppedTokens;
    }
    if (before.ttftMs <= 0) both.ttftMs = after.ttftMs;
    return both;
}

} // namespace

ReplyRunner::ReplyRunner(EngineClient* engine, Store* store, QObject* parent)
    : QObject(parent), m_engine(engine), m_store(store) {
    m_saveTimer.setInterval(kSaveMs);
    connect(&m_saveTimer, &QTimer::timeout, this, &ReplyRunner::saveAll);
    connect(engine, &EngineClient::textArrived, this, &ReplyRunner::onText);
    connect(engine, &EngineClient::logprobsArrived, this, &ReplyRunner::onLogprobs);
    connect(engine, &EngineClient::promptProgressed, this, &ReplyRunner::onProgress);
    connect(engine, &EngineClient::generationFinished, this, &ReplyRunner::onFinished);
    connect(engine, &EngineClient::loadFractionChanged, this, &ReplyRunner::onLoadFraction);
    connect(engine, &EngineClient::modelStateChanged, this, &ReplyRunner::onModelState);
    connect(engine, &EngineClient::snapshotChanged, this, &ReplyRunner::onSnapshot);
}

ReplyRunner::~ReplyRunner() { stopAll(); }

void ReplyRunner::order(ReplyOrder order) {
    auto reply = std::make_unique<LiveReply>();
    reply->order = std::move(order);
    reply->text = joinReply(reply->order.reply.reasoning, reply->order.reply.content);
    reply->parts = splitReply(reply->text, false);
    reply->reasoningMs = reply->order.reply.reasoningMs;
    const qint64 id = reply->order.reply.id;
    m_replies.push_back(std::move(reply));
    m_saveTimer.start();
    pump();
    if (live(id)) emit changed(id);
}

const LiveReply* ReplyRunner::live(qint64 replyId) const { return const_cast<ReplyRunner*>(this)->find(replyId); }

const LiveReply* ReplyRunner::liveOfChat(qint64 chatId) const {
    for (const auto& reply : m_replies)
        if (reply->order.reply.chatId == chatId) return reply.get();
    return nullptr;
}

LiveReply* ReplyRunner::find(qint64 replyId) {
    for (const auto& reply : m_replies)
        if (reply->order.reply.id == replyId) return reply.get();
    return nullptr;
}

LiveReply* ReplyRunner::findRequest(RequestId request) {
    for (const auto& reply : m_replies)
        if (request != 0 && reply->request == request) return reply.get();
    return nullptr;
}

// Starts what can start: replies of the loaded model at once, another model only when nothing runs.
void ReplyRunner::pump() {
    bool running = m_engine->modelState() == EngineClient::ModelState::Loading ||
                   std::any_of(m_replies.begin(), m_replies.end(), [](const auto& reply) { return reply->request != 0; });
    for (size_t i = 0; i < m_replies.size(); ++i) {
        LiveReply& reply = *m_replies[i];
        if (reply.request != 0) continue;
        const bool sameModel = m_engine->loadOptions() == reply.order.load;
        if (sameModel && m_engine->modelState() == EngineClient::ModelState::Ready) {
            submit(reply);
            running = true;
        } else if (sameModel && m_engine->modelState() == EngineClient::ModelState::Loading) {
            reply.phase = LiveReply::Phase::LoadingModel;
            running = true;
        } else if (!running) {
            reply.phase = LiveReply::Phase::LoadingModel;
            running = true;
            m_engine->load(reply.order.load);
            return; // the state change pumps again
        }
    }
}

void ReplyRunner::submit(LiveReply& reply) {
    const std::optional<ModelFacts>& facts = m_engine->facts();
    reply.order.reply.modelPath = reply.order.load.path;
    GenerateRequest request;
    QVector<MessageRecord> path = reply.order.path;
    if (reply.order.goesOn) path.append(reply.order.reply);
    request.prompt = buildPrompt(reply.order.systemPrompt, path, !facts || facts->hasChatTemplate);
    request.prompt.continuesReply = reply.order.goesOn && !request.prompt.messages.empty() && request.prompt.messages.back().role == "assistant";
    if (facts && facts->sampling) request.sampling = *facts->sampling;
    applyOwnSampling(reply.order.sampling, request);
    request.maxTokens = reply.order.maxTokens;
    request.chat = static_cast<uint64_t>(reply.order.reply.chatId);
    request.speculation = reply.order.speculation;
    request.overflow = reply.order.overflow;
    reply.guesses = request.speculation.lookup || (request.speculation.draft && facts && (!facts->draftName.empty() || facts->predictorLoaded));
    reply.priority = request.priority = reply.order.reply.chatId == m_shownChat ? Priority::Foreground : Priority::Background;
    reply.phase = LiveReply::Phase::Reading;
    reply.request = m_engine->submit(std::move(request));
    emit changed(reply.order.reply.id);
}

void ReplyRunner::stop(qint64 replyId) {
    LiveReply* reply = find(replyId);
    if (!reply || reply->stopRequested) return;
    reply->stopRequested = true;
    if (reply->request != 0)
        m_engine->cancel(reply->request);
    else
        end(*reply, StopReason::Cancelled, {}, nullptr);
}

void ReplyRunner::stopAll() {
    for (const auto& reply : m_replies) {
        if (reply->request != 0) m_engine->cancel(reply->request);
        save(*reply);
    }
    m_replies.clear();
    m_saveTimer.stop();
}

void ReplyRunner::onProgress(const PromptProgress& progress) {
    LiveReply* reply = findRequest(progress.id);
    if (!reply) return;
    reply->promptTokens = static_cast<int>(progress.promptTokens);
    reply->reusedTokens = static_cast<int>(progress.reusedTokens);
    reply->readTokens = static_cast<int>(progress.readTokens);
    if (reply->phase == LiveReply::Phase::Queued) reply->phase = LiveReply::Phase::Reading;
    emit changed(reply->order.reply.id);
}

void ReplyRunner::onLoadFraction() {
    for (const auto& reply : m_replies) {
        if (reply->phase != LiveReply::Phase::LoadingModel) continue;
        reply->loadFraction = m_engine->loadFraction();
        emit changed(reply->order.reply.id);
    }
}

int ReplyRunner::waiting() const {
    return static_cast<int>(std::count_if(m_replies.begin(), m_replies.end(), [](const auto& reply) {
        return reply->phase != LiveReply::Phase::Reading && reply->phase != LiveReply::Phase::Writing;
    }));
}

// A reply of which nothing is heard while the engine has requests waiting stands in its queue.
void ReplyRunner::onSnapshot() {
    const bool someWait = m_engine->snapshot()->waitingRequests > 0;
    const auto unheard = [](const LiveReply& reply) { return reply.request != 0 && reply.phase != LiveReply::Phase::Writing && reply.promptTokens == 0; };
    const auto isUrgent = [](const LiveReply& reply) { return reply.priority == Priority::Foreground; };
    const auto allUrgent = static_cast<int>(std::count_if(m_replies.begin(), m_replies.end(), [&](const auto& reply) { return unheard(*reply) && isUrgent(*reply); }));
    int urgent = 0, others = 0; // that were asked for earlier
    for (const auto& reply : m_replies) {
        if (!unheard(*reply)) continue;
        const LiveReply::Phase phase = someWait ? LiveReply::Phase::Queued : LiveReply::Phase::Reading;
        const int before = isUrgent(*reply) ? urgent++ : allUrgent + others++;
        if (reply->phase == phase && reply->repliesBefore == before) continue;
        reply->phase = phase;
        reply->repliesBefore = before;
        emit changed(reply->order.reply.id);
    }
}

void ReplyRunner::onText(quint64 request, const QString& text, int tokens) {
    LiveReply* reply = findRequest(request);
    if (!reply) return;
    if (!reply->sinceFirst.isValid()) reply->sinceFirst.start();
    reply->phase = LiveReply::Phase::Writing;
    reply->text += text;
    reply->tokens += tokens;
    const bool wasThinking = reply->parts.thinking || reply->parts.reasoning.isEmpty();
    reply->parts = splitReply(reply->text, false);
    if (wasThinking && !reply->parts.reasoning.isEmpty()) reply->reasoningMs = reply->order.reply.reasoningMs + reply->sinceFirst.elapsed();
    emit changed(reply->order.reply.id);
}

void ReplyRunner::onLogprobs(quint64 request, const std::vector<TokenLogprobs>& tokens) {
    if (LiveReply* reply = findRequest(request)) appendTokens(tokens, reply->probabilities);
}

void ReplyRunner::onFinished(const GenerationFinished& finished) {
    if (LiveReply* reply = findRequest(finished.id))
        end(*reply, finished.reason, QString::fromStdString(finished.sentence), &finished.statistics);
}

void ReplyRunner::onModelState() {
    const EngineClient::ModelState state = m_engine->modelState();
    const bool failed = state == EngineClient::ModelState::Failed;
    if (failed || state == EngineClient::ModelState::None) {
        // What waited for this model ends with it: it does not call back what failed or was unloaded by the person.
        std::vector<LiveReply*> waiting;
        for (const auto& reply : m_replies)
            if (reply->request == 0 && reply->phase == LiveReply::Phase::LoadingModel) waiting.push_back(reply.get());
        const QString sentence = failed ? m_engine->failure() : tr("Loading the model was cancelled.");
        for (LiveReply* reply : waiting)
            end(*reply, failed ? StopReason::Failed : StopReason::Cancelled, sentence, nullptr);
    }
    pump();
    for (const auto& reply : m_replies)
        if (reply->request == 0) emit changed(reply->order.reply.id);
}

void ReplyRunner::end(LiveReply& reply, StopReason reason, const QString& sentence, const GenerationStatistics* statistics) {
    MessageRecord record = reply.order.reply;
    const ReplyParts parts = splitReply(reply.text, true);
    record.content = wholeCharacters(parts.answer);
    record.reasoning = wholeCharacters(parts.reasoning);
    record.reasoningMs = reply.reasoningMs;
    record.stopReason = static_cast<int>(reason);
    record.stopSentence = sentence;
    if (statistics) record.figures = record.figures ? together(*record.figures, figuresOf(*statistics, reply.guesses)) : figuresOf(*statistics, reply.guesses);
    const QJsonArray probabilities = reply.probabilities;
    record.hasTokens = record.hasTokens || !probabilities.isEmpty();
    const auto place = std::find_if(m_replies.begin(), m_replies.end(), [&](const auto& r) { return r.get() == &reply; });
    m_replies.erase(place);
    if (m_replies.empty()) m_saveTimer.stop();
    m_store->run(
        this,
        [record, probabilities](Repositories& r) -> Result<void> {
            if (auto done = r.messages.finish(record); !done || probabilities.isEmpty()) return done;
            return r.messages.addTokens(record.id, probabilities);
        },
        [this](const Result<void>& done) {
            if (!done) emit failed(QString::fromStdString(done.sentence()));
        });
    emit ended(record);
    pump();
}

void ReplyRunner::save(const LiveReply& reply) {
    m_store->run(
        [id = reply.order.reply.id, content = wholeCharacters(reply.parts.answer),
         reasoning = wholeCharacters(reply.parts.reasoning), ms = reply.reasoningMs](Repositories& r) {
            return r.messages.saveProgress(id, content, reasoning, ms);
        },
        Durability::Relaxed);
}

void ReplyRunner::saveAll() {
    for (const auto& reply : m_replies)
        if (reply->phase == LiveReply::Phase::Writing) save(*reply);
}

} // namespace steelyard
