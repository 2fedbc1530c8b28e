#include "engine/memory/cache_choice.h"

#include <algorithm>

namespace steelyard {

namespace {

bool isPlain(TensorType type) { return type == TensorType::F32 || type == TensorType::F16; }

template <class Predicate>
bool anyAttention(const ModelSpec& spec, Predicate&& predicate) {
    return std::any_of(spec.layers.begin(), spec.layers.end(), [&](const LayerSpec& layer) { return layer.attention && predicate(*layer.attention); });
}

// Why no layer of the model can have other types than floats and halves; nothing when it can.
std::string reasonForF16(const ModelSpec& spec) {
    if (anyAttention(spec, [](const AttentionSpec& attention) { return attention.sharedKey.has_value(); }))
        return "The model compresses keys, which are only kept as f16 or f32, so its KV cache is f16 instead of ";
    if (anyAttention(spec, [](const AttentionSpec& attention) { return attention.sinks; }))
        return "The model has attention sinks, which a coarser KV cache would spoil, so its KV cache is f16 instead of ";
    return {};
}

// The size of heads that does not fit the type; 0 when all do.
uint32_t misfit(const ModelSpec& spec, TensorType type, uint32_t CacheLayer::*headDim) {
    for (const auto& layer : spec.cacheLayers())
        if (layer.kvHeads > 0 && !fitsCacheType(type, layer.*headDim)) return layer.*headDim;
    return 0;
}

} // namespace

CacheTypes chooseCacheTypes(const ModelSpec& spec, CacheTypes wanted, std::vector<std::string>& notices) {
    if (const auto reason = reasonForF16(spec); !reason.empty() && !(isPlain(wanted.k) && isPlain(wanted.v))) {
        const std::string names = std::string(cacheTypeName(wanted.k)) + (wanted.k == wanted.v ? "" : " and " + std::string(cacheTypeName(wanted.v)));
        notices.push_back(reason + names + ".");
        if (!isPlain(wanted.k)) wanted.k = TensorType::F16;
        if (!isPlain(wanted.v)) wanted.v = TensorType::F16;
    }
    const auto fit = [&](TensorType& type, uint32_t CacheLayer::*headDim, const char* end) {
        const uint32_t dims = misfit(spec, type, headDim);
        if (dims == 0) return;
        notices.push_back("The model's heads of " + std::to_string(dims) + " values cannot be kept as " + std::string(cacheTypeName(type)) + end);
        type = TensorType::F16;
    };
    fit(wanted.k, &CacheLayer::headDimK, ", which takes 32 at a time, so keys are kept as f16.");
    fit(wanted.v, &CacheLayer::headDimV, ", which takes 32 at a time, so values are kept as f16.");
    return wanted;
}

} // namespace steelyard
