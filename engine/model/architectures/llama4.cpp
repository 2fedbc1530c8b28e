// Llama 4: attention within chunks in most layers, full layers without positions whose scores grow with them, and experts whose
// weights multiply what they read.
#include "engine/model/architectures/declarations.h"
#include "engine/model/spec_reader.h"

namespace steelyard {

Result<ModelSpec> readLlama4(const GgufFile& file) {
    SpecReader reader(file, "llama4");
    ModelSpec spec = reader.common(ops::RotaryMode::Adjacent);
    constexpr uint32_t kChunk = 8192, kExpertsOfMaverick = 128, kPlainPeriod = 4;
    reader.experts(spec, false, ops::RouteFunction::Sigmoid);
    const bool chunks = reader.count("attention.sliding_window", 1u << 30, kChunk) > 0;
    const auto chunked = reader.windowPattern("attention.sliding_window_pattern", static_cast<uint32_t>(spec.layers.size()), 4);
    for (uint32_t index = 0; index < spec.layers.size(); ++index) {
        auto& layer = spec.layers[index];
        auto* experts = layer.feedForward && layer.feedForward->experts ? &*layer.feedForward->experts : nullptr;
        if (experts) experts->weighInput = true;
        if (!layer.attention || !chunks) continue;
        auto& attention = *layer.attention;
        if (chunked[index]) attention.chunk = kChunk;
        if ((index + 1) % kPlainPeriod == 0) {
            attention.rope.reset();
            attention.temperatureScale = 0.1f;
            attention.temperatureLength = kChunk;
            attention.temperatureOffset = 1;
        } else if (reader.count("expert_count", ops::kMaxExperts) != kExpertsOfMaverick) {
            attention.headNorms = HeadNormSpec{HeadNormKind::Rms, HeadNormScope::Shared, true, true};
        }
    }
    return reader.finish(std::move(spec));
}

} // namespace steelyard
