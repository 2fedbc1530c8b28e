#include "engine/cli/session.h"

#include "engine/cli/files.h"

#include <chrono>
#include <iostream>

namespace steelyard::cli {

namespace {

void warn(const std::string& sentence) {
    std::cerr << sentence << "\n";
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

LogSink warningsOnly() {
    return [](LogLevel level, std::string_view message) {
        if (level == LogLevel::Warning || level == LogLevel::Error) std::cerr << message << "\n";
    };
}

Session::Session() : m_engine(warningsOnly()) {}

Result<void> Session::load(const LoadRequest& request) {
    if (auto loaded = m_engine.load(request, {}, nullptr); !loaded) return loaded;
    for (const auto& notice : facts().notices) warn(notice);
    return {};
}

Result<GatheredReply> Session::generate(GenerateRequest request, const std::function<void(const std::string&)>& piece,
                                        const std::atomic<bool>* stop) {
    const auto each = [&](const Event& event) {
        if (const auto* delta = std::get_if<TextDelta>(&event); delta && piece) piece(delta->text);
    };
    return m_engine.generate(std::move(request), each, stop);
}

double Session::restoreChat(uint64_t chat, const std::filesystem::path& path) {
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return 0;
    const auto start = std::chrono::steady_clock::now();
    if (const auto restored = engine().restoreChat(kSessionModel, chat, path); !restored) warn(restored.sentence());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Result<void> Session::saveChat(uint64_t chat, const std::filesystem::path& path) {
    const auto saved = engine().saveChat(kSessionModel, chat, path);
    return saved ? Result<void>() : Result<void>(saved.error());
}

Json memoryJson(const MemoryUse& use) {
    return {{"weights_bytes", use.weightsBytes},
            {"kv_used_bytes", use.kvUsedBytes},
            {"kv_cached_bytes", use.kvCachedBytes},
            {"kv_reserved_bytes", use.kvReservedBytes},
            {"compute_bytes", use.computeBytes}};
}

} // namespace steelyard::cli
