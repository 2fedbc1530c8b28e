#include "engine/waiting_engine.h"

namespace steelyard {

namespace {

constexpr int kWaitMs = 50; // how long a cancel may go unseen

} // namespace

WaitingEngine::WaitingEngine(LogSink log) : m_engine(EngineOptions{std::move(log), {}}) {}

Result<void> WaitingEngine::load(const LoadRequest& request, const std::function<void(float)>& progress, const std::atomic<bool>* cancelled) {
    LoadRequest own = request;
    own.model = ++m_model;
    m_isLoaded = false;
    if (!m_engine.load(std::move(own))) return Error{"The engine does not take the load."};
    bool isCancelled = false;
    for (;;) {
        if (cancelled && cancelled->load() && !isCancelled) isCancelled = m_engine.cancelLoad(m_model);
        for (const auto& event : m_engine.waitForEvents(kWaitMs)) {
            if (const auto* step = std::get_if<LoadProgress>(&event); step && progress) progress(step->fraction);
            if (const auto* failed = std::get_if<LoadFailed>(&event); failed && failed->model == m_model) return Error{failed->sentence};
            const auto* finished = std::get_if<LoadFinished>(&event);
            if (!finished || finished->model != m_model) continue;
            m_facts = finished->facts;
            m_loadMs = finished->loadMs;
            m_isLoaded = true;
            return {};
        }
    }
}

void WaitingEngine::unload() {
    if (!m_isLoaded || !m_engine.unload(m_model)) return;
    m_isLoaded = false;
    for (;;)
        for (const auto& event : m_engine.waitForEvents(kWaitMs))
            if (const auto* gone = std::get_if<Unloaded>(&event); gone && gone->model == m_model) return;
}

Result<GatheredReply> WaitingEngine::generate(GenerateRequest request, const std::function<void(const Event&)>& each, const std::atomic<bool>* cancelled) {
    request.id = ++m_lastRequest;
    request.model = m_model;
    const RequestId id = request.id;
    if (!m_engine.submit(std::move(request))) return Error{"The engine does not take the request."};
    GatheredReply reply;
    bool isCancelled = false;
    for (;;) {
        if (cancelled && cancelled->load() && !isCancelled) isCancelled = m_engine.cancel(id);
        for (const auto& event : m_engine.waitForEvents(kWaitMs)) {
            if (each) each(event);
            if (const auto* delta = std::get_if<TextDelta>(&event); delta && delta->id == id) {
                reply.timesMs.insert(reply.timesMs.end(), delta->timesMs.begin(), delta->timesMs.end());
                reply.logprobs.insert(reply.logprobs.end(), delta->logprobs.begin(), delta->logprobs.end());
                reply.text += delta->text;
                reply.ids.insert(reply.ids.end(), delta->ids.begin(), delta->ids.end());
            } else if (const auto* finished = std::get_if<GenerationFinished>(&event); finished && finished->id == id) {
                reply.finished = *finished;
                if (finished->reason == StopReason::Failed) return Error{finished->sentence};
                return reply;
            }
        }
    }
}

MemoryUse WaitingEngine::memory() const {
    MemoryUse sum;
    const auto snapshot = m_engine.snapshot();
    if (!snapshot) return sum;
    for (const auto& device : snapshot->devices) {
        sum.weightsBytes += device.use.weightsBytes;
        sum.kvUsedBytes += device.use.kvUsedBytes;
        sum.kvCachedBytes += device.use.kvCachedBytes;
        sum.kvReservedBytes += device.use.kvReservedBytes;
        sum.computeBytes += device.use.computeBytes;
        sum.draftBytes += device.use.draftBytes;
    }
    return sum;
}

const char* stopReasonName(StopReason reason) {
    switch (reason) {
    case StopReason::EndToken:
        return "end_token";
    case StopReason::StopString:
        return "stop_string";
    case StopReason::TokenLimit:
        return "token_limit";
    case StopReason::ContextFull:
        return "context_full";
    case StopReason::Cancelled:
        return "cancelled";
    case StopReason::Failed:
        return "failed";
    }
    return "";
}

} // namespace steelyard
