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

} // namespace

namespace {

// All of a load but the file and the tokenizer.
Result<void> loadOnDevice(LoadedModel& model, const ModelSpec& spec, const LoadRequest& request, const LogSink& log,
                          const std::function<void(float)>& progress, const std::atomic<bool>& stop) {
    auto devices = devicesFor(request, spec, model.file, log, true);
    if (!devices) return devices.error();
    if (devices->plan.fit == MemoryPlan::Fit::WillNotFit) return Error{willNotFit(devices->plan)};
    const auto notices = std::move(devices->notices);
    const Placement placement = devices->placement;
    const auto count = static_cast<uint32_t>(devices->devices.size());
    model.devices = std::move(devices->devices);
    auto layout = layOutLoad(spec, planOptionsOf(request), placement);
    if (!layout) return layout.error();
    model.facts = factsOf(model.file, &spec);
    model.facts.kvBytesPerToken = layout->cache.growingBytesPerToken();
    compileTemplate(model);

    std::vector<DeviceWeights> parts;
    for (uint32_t number = 0; number < count; ++number) {
        const auto partProgress = [&](float fraction) {
            if (progress) progress((static_cast<float>(number) + fraction) / static_cast<float>(count));
        };
        auto weights = loadWeights(spec, model.file, *model.devices[number], partProgress, stop, {placement, number});
        if (!weights) return weights.error();
        parts.push_back({model.devices[number].get(), std::move(*weights)});
        model.work.push_back(workPerToken(spec, model.file, {placement, number}));
    }
    auto transformer = Transformer::create(std::move(parts), placement, spec, std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    model.transformer = std::move(*transformer);
    model.cacheKey = cacheKeyOf(model.file, model.transformer->cache().layout(), model.devices.front()->info().kind);
    model.prefixes = std::make_unique<PrefixCache>(model.transformer->cache());
    model.facts.contextLength = layout->contextLength;
    for (const auto& device : model.devices) {
        model.facts.deviceId += (model.facts.deviceId.empty() ? "" : ",") + device->info().id;
        model.facts.deviceName += (model.facts.deviceName.empty() ? "" : ", ") + device->info().name;
    }
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
    if (!request.prefillDevice.empty())
        if (auto second = loadPrefillSide(*model, request, log, cancelled); !second) return second.error();
    if (!request.draft.empty()) loadDraft(*model, request, log, cancelled);
    model->loadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return model;
}

} // namespace steelyard
