// A model that is too large for one device: which of its layers and experts go to the processor, and what that takes and costs.
//
// The plan decides before anything is loaded. First the experts of mixture models leave the device, layer by layer, for their many
// bytes are read seldom; then whole layers. Devices besides the processor take layers by the memory that they have. Holds no tensors.
#pragma once

#include "engine/memory/memory_plan.h"
#include "engine/model/placement.h"

#include <optional>
#include <vector>

namespace steelyard {

// A device to divide a model over.
struct SplitDevice {
    const Device* device = nullptr;
    std::optional<uint64_t> freeBytes;
    std::optional<double> bytesPerSecond; // that it reads weights with
};

struct SplitPlan {
    Placement placement;
    MemoryPlan plan; // of all devices together
};

// The last device is the processor. `layers`: so many of the last layers on the others; nothing = as many as fit. Where not even
// all on the processor fits, the plan says so. The error names what cannot be used.
Result<SplitPlan> planSplit(const ModelSpec& spec, const GgufFile& file, const std::vector<SplitDevice>& devices, const PlanOptions& options,
                            std::optional<uint32_t> layers = std::nullopt);

// "12 of 30 layers run on X and 18 on the processor": how a split came out, or empty where there is none.
std::string splitSentence(const MemoryPlan& plan);

} // namespace steelyard
