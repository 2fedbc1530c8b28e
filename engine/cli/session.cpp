#include "engine/cli/session.h"

#include "engine/cli/files.h"

#include <chrono>
#include <iostream>

namespace steelyard::cli {

namespace {

constexpr int kWaitMs = 100;

void warn(const std::string& sentence) {
    std::cerr << sentence << "\n";
}

EngineOptions engineOptions() {
    EngineOptions options;
    options.log = [](LogLevel level, std::string_view message) {
        if (level == LogLevel::Warning || level == LogLevel::Error) std::cerr << message << "\n";
    };
    return options;
}

} // namespace

void addModelOptions(CLI::App& app, ModelOptions& options) {
    app.add_option("MODEL", options.model, "A model file")->required();
    app.add_option("--context", options.context, "Context length in tokens");
    app.add_option("--gpu-layers", options.gpuLayers, "Layers on the device; the others run on the processor");
    app.add_option("--memory-limit", options.memoryLimit, "Bytes that the device counts as having free at most");
    app.add_option("--kv-type", options.kvType, "Type of the KV cache: K or K,V of f32, f16, bf16, fp8_e4m3, q8_0, q5_1, iq4_nl, q4_0, mxfp4");
    app.add_flag("--no-kv-rotation", options.plainKv, "Keep quantized types without the rotation that makes them lose less");
}

LoadRequest loadRequestOf(const ModelOptions& options, const CommonOptions& common) {
    LoadRequest request;
    request.model = kSessionModel;
    request.path = pathOf(options.model);
    request.device = common.device;
    request.threads = common.threads;
    request.contextLength = options.context;
    request.parallel = options.parallel;
    request.memoryLimitBytes = options.memoryLimit;
    request.gpuLayers = options.gpuLayers;
    const auto types = cacheTypesOf(options.kvType);
    request.kvTypeK = types.first;
    request.kvTypeV = types.second;
    request.kvRotation = !options.plainKv;
    return request;
}

Session::Session() : m_engine(engineOptions()) {}

Result<void> Session::load(const LoadRequest& request) {
    if (!m_engine.load(request)) return Error{"The engine does not take the load."};
    while (true) {
        for (const auto& event : m_engine.waitForEvents(kWaitMs)) {
            if (const auto* failed = std::get_if<LoadFailed>(&event)) return Error{failed->sentence};
            const auto* finished = std::get_if<LoadFinished>(&event);
            if (!finished) continue;
            m_facts = finished->facts;
            m_loadMs = finished->loadMs;
            for (const auto& notice : m_facts.notices)
                warn(notice);
            return {};
        }
    }
}

Result<Reply> Session::generate(GenerateRequest request, const std::function<void(const std::string&)>& piece,
                                const std::atomic<bool>* stop) {
    request.id = m_nextRequest++;
    request.model = kSessionModel;
    const RequestId id = request.id;
    if (!m_engine.submit(std::move(request))) return Error{"The engine does not take the request."};
    Reply reply;
    bool cancelled = false;
    while (true) {
        if (stop && stop->load() && !cancelled) cancelled = m_engine.cancel(id);
        for (const auto& event : m_engine.waitForEvents(kWaitMs)) {
            if (const auto* delta = std::get_if<TextDelta>(&event)) {
                reply.timesMs.insert(reply.timesMs.end(), delta->timesMs.begin(), delta->timesMs.end());
                reply.logprobs.insert(reply.logprobs.end(), delta->logprobs.begin(), delta->logprobs.end());
                reply.text += delta->text;
                reply.ids.insert(reply.ids.end(), delta->ids.begin(), delta->ids.end());
                if (piece) piece(delta->text);
            } else if (const auto* finished = std::get_if<GenerationFinished>(&event)) {
                reply.finished = *finished;
                if (finished->reason == StopReason::Failed) return Error{finished->sentence};
                return reply;
            }
        }
    }
}

double Session::restoreChat(uint64_t chat, const std::filesystem::path& path) {
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return 0;
    const auto start = std::chrono::steady_clock::now();
    if (const auto restored = m_engine.restoreChat(kSessionModel, chat, path); !restored) warn(restored.sentence());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Result<void> Session::saveChat(uint64_t chat, const std::filesystem::path& path) {
    const auto saved = m_engine.saveChat(kSessionModel, chat, path);
    return saved ? Result<void>() : Result<void>(saved.error());
}

MemoryUse Session::memory() const {
    MemoryUse sum;
    const auto snapshot = m_engine.snapshot();
    if (!snapshot) return sum;
    for (const auto& device : snapshot->devices) {
        sum.weightsBytes += device.use.weightsBytes;
        sum.kvUsedBytes += device.use.kvUsedBytes;
        sum.kvCachedBytes += device.use.kvCachedBytes;
        sum.kvReservedBytes += device.use.kvReservedBytes;
        sum.computeBytes += device.use.computeBytes;
    }
    return sum;
}

Json memoryJson(const MemoryUse& use) {
    return {{"weights_bytes", use.weightsBytes},
            {"kv_used_bytes", use.kvUsedBytes},
            {"kv_cached_bytes", use.kvCachedBytes},
            {"kv_reserved_bytes", use.kvReservedBytes},
            {"compute_bytes", use.computeBytes}};
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

} // namespace steelyard::cli
