#include "engine/loaded_model.h"

#include "engine/backend/cpu/cpu_info.h"
#include "engine/core/bytes_text.h"
#include "engine/core/checked_math.h"
#include "engine/memory/system_memory.h"
#include "engine/model/architectures.h"

#include <algorithm>
#include <chrono>
#include <future>

namespace steelyard {

namespace {

// Compiles the file's chat template; a problem is noted in the facts, and the model then continues text.
void compileTemplate(LoadedModel& model) {
    const auto source = model.file.stringValue("tokenizer.chat_template");
    if (!source || !*source || (*source)->empty()) return;
    auto format = ChatFormat::compile(**source);
    if (format) {
        model.format.emplace(std::move(*format));
        return;
    }
    model.facts.hasChatTemplate = false;
    model.facts.templateProblem = "The model's chat template cannot be used (" + format.sentence() +
                                  "), so the model continues text instead of answering.";
}

std::string willNotFit(const MemoryPlan& plan) {
    std::string sentence = "The model needs " + bytesText(plan.totalBytes) + " and " + plan.deviceId + " has " +
                           bytesText(plan.freeBytes.value_or(0)) + " free: " + bytesText(plan.missingBytes) + " short. ";
    if (plan.contextLimit > 0) return sentence + "A context of " + std::to_string(plan.contextLimit) + " tokens would fit.";
    return sentence + "Choose a smaller quantization or close other programs.";
}

// The device of a request, if it can run this file; with "auto" the fastest one that can.
Result<std::unique_ptr<Device>> deviceFor(const LoadRequest& request, const ModelSpec& spec, const GgufFile& file,
                                          const LogSink& log, std::vector<std::string>& notices) {
    const DeviceOptions options{request.threads, log};
    if (request.device == "auto")
        return openFastest(options, [&](Device& device) { return weightSize(spec, file, device).sentence(); }, notices);
    auto device = openDevice(request.device, options);
    if (!device) return device;
    if (const auto size = weightSize(spec, file, **device); !size) return size.error();
    return device;
}

} // namespace

PlanOptions planOptionsOf(const LoadRequest& request) {
    PlanOptions options;
    options.contextLength = request.contextLength;
    options.defaultContext = kDefaultContext;
    options.cacheTypes = {request.kvTypeK, request.kvTypeV, request.kvRotation};
    options.maxRows = request.maxRows;
    options.sequences = std::min(request.parallel ? request.parallel : kDefaultParallel, kMaxParallel);
    return options;
}

std::optional<uint64_t> freeBytesOf(const Device& device, uint64_t limitBytes) {
    const bool ofSystem = device.info().sharesSystemMemory || device.info().kind == DeviceKind::Cpu;
    const auto free = ofSystem ? systemMemory().availableBytes : device.memory().freeBytes;
    return limitBytes == 0 ? free : std::min(limitBytes, free.value_or(limitBytes));
}

namespace {

// All of a load but the file and the tokenizer.
Result<void> loadOnDevice(LoadedModel& model, const ModelSpec& spec, const LoadRequest& request, const LogSink& log,
                          const std::function<void(float)>& progress, const std::atomic<bool>& stop) {
    std::vector<std::string> notices;
    auto device = deviceFor(request, spec, model.file, log, notices);
    if (!device) return device.error();
    model.device = std::move(*device);
    const PlanOptions options = planOptionsOf(request);
    const auto plan = planMemory(spec, model.file, *model.device, options, freeBytesOf(*model.device, request.memoryLimitBytes));
    if (!plan) return plan.error();
    if (plan->fit == MemoryPlan::Fit::WillNotFit) return Error{willNotFit(*plan)};
    auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    model.facts = factsOf(model.file, &spec);
    model.facts.kvBytesPerToken = layout->cache.growingBytesPerToken();
    compileTemplate(model);

    auto weights = loadWeights(spec, model.file, *model.device, progress, stop);
    if (!weights) return weights.error();
    auto transformer = Transformer::create(*model.device, spec, std::move(*weights), std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    model.transformer = std::move(*transformer);
    model.prefixes = std::make_unique<PrefixCache>(*model.device, model.transformer->cache());
    model.facts.contextLength = layout->contextLength;
    model.facts.deviceId = model.device->info().id;
    model.facts.deviceName = model.device->info().name;
    model.facts.notices = std::move(layout->notices);
    model.facts.notices.insert(model.facts.notices.end(), notices.begin(), notices.end());
    const auto ofFile = model.file.notices();
    model.facts.notices.insert(model.facts.notices.end(), ofFile.begin(), ofFile.end());
    model.threads = request.threads ? request.threads : cpu::physicalCores();
    return {};
}

} // namespace

Result<std::unique_ptr<LoadedModel>> loadModel(const LoadRequest& request, const LogSink& log,
                                               const std::function<void(float)>& progress, const std::atomic<bool>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    auto file = GgufFile::open(request.path);
    if (!file) return file.error();
    auto spec = readSpec(*file);
    if (!spec) return spec.error();
    if (cancelled) return Error{"The load was cancelled."};
    auto model = std::make_unique<LoadedModel>(std::move(*file));
    model->id = request.model;

    // A large vocabulary takes as long as the weights of a small model, so that both are made at once. A vocabulary that
    // cannot be used ends the load of the weights as a cancel does.
    std::atomic<bool> stop = false;
    auto making = std::async(std::launch::async, [&] {
        auto tokenizer = Tokenizer::fromFile(model->file);
        if (!tokenizer) stop = true;
        return tokenizer;
    });
    const auto watchedProgress = [&](float fraction) {
        if (cancelled) stop = true;
        if (progress) progress(fraction);
    };
    const auto loaded = loadOnDevice(*model, *spec, request, log, watchedProgress, stop);
    auto tokenizer = making.get();
    if (!tokenizer) return tokenizer.error();
    if (!loaded) return loaded.error();
    model->tokenizer = std::move(*tokenizer);
    if (request.predictor && model->facts.predicts) loadPredictor(*model, request, cancelled);
    if (!request.draft.empty()) loadDraft(*model, request, log, cancelled);
    model->loadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return model;
}

} // namespace steelyard
