// The model of a load request once more, on the device that reads its prompts.
#include "engine/loaded_model.h"

#include <algorithm>

namespace steelyard {

Result<void> loadPrefillSide(LoadedModel& model, const LoadRequest& request, const LogSink& log, const std::atomic<bool>& stop) {
    const ModelSpec& spec = model.transformer->spec();
    auto device = openDevice(request.prefillDevice, {request.threads, log});
    if (!device) return device.error();
    if (model.devices.size() > 1) return Error{"A model that is divided over devices reads its prompts itself; choose no other device for that."};
    if ((*device)->info().id == model.devices.front()->info().id) return {}; // one device does both
    PlanOptions options = planOptionsOf(request);
    auto free = freeBytesOf(**device);
    // What the first side has reserved but not touched yet still counts as free.
    if (free && usesSystemMemory(**device) && usesSystemMemory(*model.devices.front()))
        *free -= std::min(*free, model.transformer->cache().arenaBytes() + model.transformer->computeBytes());
    const auto plan = planMemory(spec, model.file, **device, options, free);
    if (!plan) return plan.error();
    if (plan->fit == MemoryPlan::Fit::WillNotFit) return Error{willNotFit(*plan)};
    auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    auto weights = loadWeights(spec, model.file, **device, {}, stop);
    if (!weights) return weights.error();
    auto transformer = Transformer::create(**device, spec, std::move(*weights), std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    model.facts.prefillDeviceId = (*device)->info().id;
    model.prefill = std::make_unique<PrefillSide>(std::move(*device), std::move(*transformer));
    return {};
}

} // namespace steelyard
