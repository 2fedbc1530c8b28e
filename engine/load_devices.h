// The devices of a load: the one that is asked for, and where the model is too large for it, or the request says so, the processor
// beside it. Knows nothing of weights that are loaded already.
#pragma once

#include "engine/backend/backends.h"
#include "engine/core/log.h"
#include "engine/memory/split_plan.h"
#include "engine/request.h"

#include <memory>
#include <string>
#include <vector>

namespace steelyard {

struct LoadDevices {
    std::vector<std::unique_ptr<Device>> devices; // numbered as in the placement; one unless the model is divided
    Placement placement;
    MemoryPlan plan;
    std::vector<std::string> notices;
};

// `measures`: with "auto" devices may be measured against each other; a mere plan takes the first by preference. A plan that does
// not fit is no error here.
Result<LoadDevices> devicesFor(const LoadRequest& request, const ModelSpec& spec, const GgufFile& file, const LogSink& log, bool measures);

// The sentence of a plan that does not fit.
std::string willNotFit(const MemoryPlan& plan);

// Whether a device's memory is the system's.
bool usesSystemMemory(const Device& device);

// How much memory a device can give to a load now, at most so many bytes unless they are 0.
std::optional<uint64_t> freeBytesOf(const Device& device, uint64_t limitBytes = 0);

// The plan options of a load request.
PlanOptions planOptionsOf(const LoadRequest& request);

} // namespace steelyard
