#include "engine/engine_thread.h"

#include "engine/memory/system_memory.h"
#include "engine/prompt_ids.h"
#include "engine/reuse_reason.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr auto kIdleWait = std::chrono::milliseconds(250);
constexpr auto kPublishInterval = std::chrono::milliseconds(100);
constexpr auto kResidentInterval = std::chrono::seconds(1);
constexpr double kSaveMs = 3000;                        // of chats that are written before a model goes
constexpr uint64_t kMostMemoryBytes = 2ull << 30;       // of system memory for pages, at most an eighth of what is free

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

} // namespace

EngineThread::EngineThread(EngineOptions options)
    : m_options(std::move(options)), m_events(m_options.wake), m_disk(m_options.log),
      m_snapshot(std::make_shared<const Snapshot>(snapshotOf(nullptr, std::nullopt))), m_thread([this] { loop(); }) {}

EngineThread::~EngineThread() {
    m_quit = true;
    m_loadCancelled = true;
    m_commands.close();
    m_thread.join();
    if (m_loader.joinable()) m_loader.join();
    m_model.reset();
}

std::shared_ptr<const Snapshot> EngineThread::snapshot() const {
    std::lock_guard lock(m_snapshotMutex);
    return m_snapshot;
}

// A step that runs learns it at once, the rest when the command's turn comes.
bool EngineThread::postCancel(RequestId id) {
    m_cancelled.add(id);
    if (post(CancelCommand{id})) return true;
    m_cancelled.remove(id);
    return false;
}

void EngineThread::loop() {
    m_batch.setCancelled([this](RequestId id) { return m_cancelled.contains(id); });
    while (!m_quit) {
        if (!m_batch.empty() || hasUnseenWork()) {
            for (auto& command : m_commands.takeAll()) handle(command);
        } else if (auto command = m_commands.takeFor(kIdleWait)) {
            handle(*command);
            for (auto& more : m_commands.takeAll()) handle(more);
        }
        if (m_quit) break;
        if (!m_batch.empty()) {
            m_contextUsed = m_batch.contextUsed();
            m_batch.advance(*m_model->transformer);
            if (!m_batch.empty()) m_contextUsed = m_batch.contextUsed();
            m_model->warm->setReadMsPerToken(m_batch.promptRowMs());
        }
        if (m_model) m_model->warm->saveAhead();
        startNext();
        m_batch.resume();
        publish(false);
    }
    m_batch.cancelAll();
    if (m_model) m_model->warm->saveAll(kSaveMs);
}

void EngineThread::handle(Command& command) {
    std::visit(Overloaded{[&](LoadRequest& load) { startLoad(load); },
                          [&](CancelLoadCommand& cancel) {
                              if (m_isLoading && m_loading == cancel.model) m_loadCancelled = true;
                          },
                          [&](UnloadCommand& unloading) {
                              if (m_isLoading && m_loading == unloading.model) m_loadCancelled = true;
                              if (m_model && m_model->id == unloading.model) unload();
                          },
                          [&](SubmitCommand& submission) { submit(std::move(submission)); },
                          [&](CancelCommand& cancelling) {
                              cancel(cancelling.id);
                              m_cancelled.remove(cancelling.id);
                          },
                          [&](ForgetCommand& forget) {
                              m_chatsBefore.erase(forget.chat);
                              if (m_model) {
                                  m_model->warm->forget(forget.chat);
                                  m_model->prefixes->forget(forget.chat);
                                  if (m_model->prefill) m_model->prefill->forget(forget.chat);
                                  if (m_model->draft) m_model->draft->prefixes->forget(forget.chat);
                                  if (m_model->predictorPrefixes) m_model->predictorPrefixes->forget(forget.chat);
                              }
                              m_disk.forget(forget.chat);
                          },
                          [&](KeepChatsCommand& keep) { m_disk.use(keep.folder, keep.mostBytes); },
                          [&](CarryChatCommand& command) { command.answer->set_value(carry(command)); },
                          [&](WakeCommand&) {},
                          [&](AdoptCommand& adoption) { adopt(adoption); },
                          [&](ScoreCommand& score) {
                              const bool ready = m_model && m_model->id == score.request->model && m_batch.empty();
                              score.answer->set_value(ready ? scoreSequence(*m_model, *score.request, *score.each, score.cancelled)
                                                            : Result<void>(Error{"The model is not loaded or is busy."}));
                          },
                          [&](BenchmarkCommand& benchmark) {
                              const bool ready = m_model && m_model->id == benchmark.request->model && m_batch.empty();
                              benchmark.answer->set_value(ready ? runBenchmark(*m_model, *benchmark.request)
                                                                : Result<BenchmarkResult>(Error{"The model is not loaded or is busy."}));
                          },
                          [&](PromptTokensCommand& command) { command.answer->set_value(promptTokens(*command.request)); }},
               command);
    publish(true);
}

void EngineThread::cancelLoader() {
    m_loadCancelled = true;
    if (m_loader.joinable()) m_loader.join();
    m_isLoading = false;
}

void EngineThread::startLoad(const LoadRequest& request) {
    // A load that still runs is cancelled; its end is told when its own answer arrives.
    cancelLoader();
    unload();
    m_loadCancelled = false;
    m_isLoading = true;
    m_loading = request.model;
    m_loader = std::thread([this, request] {
        const auto progress = [this, &request](float fraction) { m_events.push(LoadProgress{request.model, fraction}); };
        AdoptCommand adoption{request.model, nullptr, false};
        adoption.result = std::make_shared<Result<std::unique_ptr<LoadedModel>>>(loadModel(request, m_options.log, progress, m_loadCancelled));
        if (request.measuresDevices && *adoption.result && !m_loadCancelled) measureIdealTimes(***adoption.result, m_limits, m_options.log);
        adoption.cancelled = m_loadCancelled;
        m_commands.push(std::move(adoption));
    });
}

void EngineThread::adopt(AdoptCommand& command) {
    const bool current = m_isLoading && m_loading == command.id;
    if (current) {
        m_isLoading = false;
        if (m_loader.joinable()) m_loader.join();
    }
    auto& result = *command.result;
    if (!current || command.cancelled || !result) {
        const bool cancelled = command.cancelled || !current;
        const std::string sentence = result ? "The load was cancelled." : result.sentence();
        log(LogLevel::Warning, "load failed: " + sentence);
        m_events.push(LoadFailed{command.id, sentence, cancelled});
        if (current) failAll(sentence);
        return;
    }
    m_model = std::move(*result);
    m_batch.setPlaces(m_model->transformer->shape().maxSequences);
    m_model->prefixes->hadTurns(m_chatsBefore);
    WarmChats::Options warm;
    warm.key = m_model->cacheKey;
    warm.memoryBytes = std::min(kMostMemoryBytes, systemMemory().availableBytes.value_or(0) / 8);
    warm.wake = [this] { m_commands.tryPush(WakeCommand{}); };
    m_model->warm = std::make_unique<WarmChats>(m_model->transformer->cache(), *m_model->prefixes, m_disk, std::move(warm));
    m_residentMeasured = {};
    log(LogLevel::Info, "loaded " + m_model->facts.name + " on " + m_model->facts.deviceName);
    publish(true); // so that a client that hears of the load reads its memory
    m_events.push(LoadFinished{m_model->id, m_model->facts, m_model->loadMs});
}

void EngineThread::unload() {
    m_batch.cancelAll();
    if (!m_model) return;
    const ModelId id = m_model->id;
    constexpr size_t kRemembered = 100000; // chats, for the words of a reason alone
    if (m_chatsBefore.size() > kRemembered) m_chatsBefore.clear();
    for (const uint64_t chat : m_model->prefixes->chats()) m_chatsBefore.insert(chat);
    m_model->warm->saveAll(kSaveMs);
    m_model.reset();
    m_contextUsed = 0;
    m_events.push(Unloaded{id});
}

void EngineThread::submit(SubmitCommand command) {
    const bool coming = (m_model && m_model->id == command.request.model) || (m_isLoading && m_loading == command.request.model);
    if (coming) {
        if (command.request.chat != 0) endReadingAhead(command.request.chat);
        m_waiting.push_back(std::move(command));
        return;
    }
    m_events.push(GenerationFinished{command.request.id, StopReason::Failed, "The model is not loaded.", {}});
}

// A chat that asks anew has no use for what was to be read ahead for it, whether that runs or waits.
void EngineThread::endReadingAhead(uint64_t chat) {
    m_batch.endReadingAhead(chat);
    for (size_t i = m_waiting.size(); i-- > 0;)
        if (m_waiting[i].request.chat == chat && m_waiting[i].request.priority == Priority::ReadAhead) cancel(m_waiting[i].request.id);
}

void EngineThread::cancel(RequestId id) {
    if (m_batch.cancel(id)) return;
    for (auto waiting = m_waiting.begin(); waiting != m_waiting.end(); ++waiting)
        if (waiting->request.id == id) {
            giveUp(*waiting);
            m_waiting.erase(waiting);
            m_events.push(GenerationFinished{id, StopReason::Cancelled, {}, {}});
            return;
        }
}

namespace {

// Says why a prompt parts from the turn before, by the texts.
std::function<std::string(std::span<const int32_t>, std::span<const int32_t>)> partingOf(const LoadedModel& model, const GenerateRequest& request) {
    std::string userText;
    for (const auto& message : request.prompt.messages)
        if (message.role == "user" && userText.empty()) userText = message.content;
    return [tokenizer = model.tokenizer, userText](std::span<const int32_t> before, std::span<const int32_t> now) {
        return reasonOfParting(*tokenizer, before, now, userText);
    };
}

} // namespace

Result<ReplyPrompt> EngineThread::fitted(const GenerateRequest& request, uint32_t limit) const {
    auto prompt = promptWithin(*m_model, request, limit);
    if (!prompt) return prompt.error();
    return ReplyPrompt{std::move(prompt->prompt.ids), prompt->prompt.replyTokens, prompt->droppedMessages, prompt->droppedTokens};
}

// The whole prompt, or where the request says so what fits the context.
Result<ReplyPrompt> EngineThread::promptOf(const GenerateRequest& request) const {
    auto whole = promptIds(*m_model, request);
    if (!whole) return whole.error();
    const uint32_t context = m_model->facts.contextLength;
    const bool drops = request.overflow == Overflow::DropOldest || request.overflow == Overflow::Shift;
    if (drops && whole->ids.size() > context) return fitted(request, context - roomForReply(request, context));
    return ReplyPrompt{std::move(whole->ids), whole->replyTokens, 0, 0};
}

// The next that waits is taken up where there is a place, or where one of a lower class gives it up; none waits for what another one
// needs first.
void EngineThread::startNext() {
    std::vector<RequestId> pending;
    while (m_model && pending.size() < m_waiting.size()) {
        m_batch.resume();
        std::vector<Claim> claims;
        std::vector<size_t> places;
        for (size_t i = 0; i < m_waiting.size(); ++i) {
            const auto& waiting = m_waiting[i];
            if (std::find(pending.begin(), pending.end(), waiting.request.id) != pending.end()) continue;
            claims.push_back({static_cast<int>(waiting.request.priority), std::chrono::duration<double, std::milli>(Clock::now() - waiting.submitted).count()});
            places.push_back(i);
        }
        const size_t next = *nextOf(claims);
        SubmitCommand& waiting = m_waiting[places[next]];
        if (!isPrepared(waiting)) {
            pending.push_back(waiting.request.id);
            continue;
        }
        if (!m_batch.makePlace(claims[next])) return;
        SubmitCommand command = std::move(waiting);
        m_waiting.erase(m_waiting.begin() + static_cast<std::ptrdiff_t>(places[next]));
        start(std::move(command));
    }
}

void EngineThread::start(SubmitCommand command) {
    auto prompt = *std::move(command.prompt);
    if (prompt && command.request.model != m_model->id) prompt = Error{"The model was replaced by another one; send the message again."};
    auto form = prompt ? replyForm(*m_model, command.request, std::span(prompt->ids).last(prompt->replyTokens)) : Result<std::optional<grammar::Matcher>>(prompt.error());
    if (!form) {
        giveUp(command);
        m_events.push(GenerationFinished{command.request.id, StopReason::Failed, form.sentence(), {}});
        return;
    }
    const ReplyTimes times{command.submitted, Clock::now(), command.tokenizeMs};
    ReplyResources resources{*m_model->transformer, m_model->tokenizer, *m_model->prefixes, *m_model->warm, [this](Event event) { m_events.push(std::move(event)); }, std::nullopt, std::nullopt,
                             [this](const GenerateRequest& request, uint32_t limit) { return fitted(request, limit); },
                             partingOf(*m_model, command.request), std::move(*form), m_model->ideal};
    if (m_model->predictor) {
        const double share = static_cast<double>(m_model->predictor->weightsBytes()) / static_cast<double>(m_model->transformer->weightsBytes());
        resources.predictor.emplace(DraftResources{*m_model->predictor, *m_model->predictorPrefixes, share});
    }
    if (m_model->draft) {
        auto& draft = *m_model->draft;
        const double share = static_cast<double>(draft.transformer->weightsBytes()) / static_cast<double>(m_model->transformer->weightsBytes());
        resources.draft.emplace(DraftResources{*draft.transformer, *draft.prefixes, share});
    }
    m_batch.add(std::make_unique<Reply>(std::move(resources), std::move(command.request), *std::move(prompt), times, std::move(command.handover)));
}

void EngineThread::failAll(const std::string& sentence) {
    for (const auto& waiting : m_waiting) m_events.push(GenerationFinished{waiting.request.id, StopReason::Failed, sentence, {}});
    m_waiting.clear();
}

void EngineThread::publish(bool now) {
    const auto time = Clock::now();
    if (!now && !m_batch.empty() && time - m_published < kPublishInterval) return;
    m_published = time;
    if (!m_model) m_residentBytes.reset();
    else if (time - m_residentMeasured >= kResidentInterval) {
        m_residentMeasured = time;
        m_residentBytes = residentBytesOf(*m_model);
    }
    auto snapshot = std::make_shared<Snapshot>(snapshotOf(m_model.get(), m_residentBytes));
    snapshot->runningRequests = static_cast<uint32_t>(m_batch.size());
    snapshot->waitingRequests = static_cast<uint32_t>(m_waiting.size());
    snapshot->decodeTokensPerSecond = m_batch.decodeTokensPerSecond();
    snapshot->contextUsedTokens = m_contextUsed;
    std::lock_guard lock(m_snapshotMutex);
    m_snapshot = std::move(snapshot);
}

} // namespace steelyard
