#include "engine/model/spec_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace steelyard {

namespace {

constexpr uint32_t kMaxHeadDim = 1024;
constexpr float kPi = 3.14159265358979323846f;

// Which pair turns `rotations` times within the original context. Source: Peng et al., "YaRN", equation for r(d).
float correctionPair(float rotations, uint32_t dimensions, float base, float originalContext) {
    return static_cast<float>(dimensions) * std::log(originalContext / (rotations * 2.0f * kPi)) / (2.0f * std::log(base));
}

} // namespace

SpecReader::SpecReader(const GgufFile& file, std::string architecture)
    : m_file(file), m_architecture(std::move(architecture)) {}

bool SpecReader::has(std::string_view key) const { return m_file.find(fullKey(key)) != nullptr; }

void SpecReader::problem(std::string sentence) {
    if (m_problem.empty()) m_problem = std::move(sentence);
}

uint64_t SpecReader::unsignedOr(std::string_view key, std::optional<uint64_t> fallback) {
    const auto value = m_file.unsignedValue(fullKey(key));
    if (!value) problem(value.sentence());
    else if (*value) return **value;
    else if (!fallback) problem("The file has no key " + fullKey(key) + ".");
    return fallback.value_or(1);
}

uint32_t SpecReader::count(std::string_view key, uint32_t limit, std::optional<uint32_t> fallback) {
    const uint64_t value = unsignedOr(key, fallback);
    if (!has(key)) return fallback.value_or(1); // a fallback is the caller's word and may be 0
    const uint64_t least = fallback == 0u ? 0 : 1; // what may be absent may be none
    if (value >= least && value <= limit) return static_cast<uint32_t>(value);
    problem(fullKey(key) + " is " + std::to_string(value) + "; it must be between " + std::to_string(least) + " and " + std::to_string(limit) + ".");
    return 1;
}

std::vector<uint32_t> SpecReader::countPerLayer(std::string_view key, uint32_t layers, uint32_t limit,
                                                std::optional<uint32_t> fallback) {
    const GgufKey* found = m_file.find(fullKey(key));
    if (!found || !found->isArray) return std::vector<uint32_t>(layers, count(key, limit, fallback));
    const int64_t least = fallback == 0u ? 0 : 1; // layers of other kinds have none
    const auto values = m_file.integerArray(fullKey(key));
    if (!values) {
        problem(values.sentence());
        return std::vector<uint32_t>(layers, 1);
    }
    if (values->size() < layers) { // predicting layers behind the model's own may have values too
        problem(fullKey(key) + " has " + std::to_string(values->size()) + " values for " + std::to_string(layers) + " layers.");
        return std::vector<uint32_t>(layers, 1);
    }
    std::vector<uint32_t> result;
    for (size_t layer = 0; layer < layers; ++layer) {
        const int64_t value = (*values)[layer];
        if (value < least || value > static_cast<int64_t>(limit))
            problem(fullKey(key) + " is " + std::to_string(value) + " for layer " + std::to_string(layer) + "; it must be between " + std::to_string(least) + " and " + std::to_string(limit) + ".");
        result.push_back(static_cast<uint32_t>(std::clamp<int64_t>(value, least, limit)));
    }
    return result;
}

float SpecReader::real(std::string_view key, float low, float high, std::optional<float> fallback) {
    const auto value = m_file.realValue(fullKey(key));
    if (!value) problem(value.sentence());
    else if (*value) {
        const auto number = static_cast<float>(**value);
        if (number >= low && number <= high) return number;
        problem(fullKey(key) + " is " + std::to_string(number) + ", which is out of range.");
    } else if (!fallback) problem("The file has no key " + fullKey(key) + ".");
    return fallback.value_or(low);
}

float SpecReader::realOfLayer(std::string_view key, uint32_t layer, float low, float high, std::optional<float> fallback) {
    const GgufKey* found = m_file.find(fullKey(key));
    if (!found || !found->isArray) return real(key, low, high, fallback);
    const auto values = m_file.realArray(fullKey(key));
    if (!values) problem(values.sentence());
    else if (layer >= values->size()) problem(fullKey(key) + " has " + std::to_string(values->size()) + " values, and none for layer " + std::to_string(layer) + ".");
    else if (const auto number = static_cast<float>((*values)[layer]); number >= low && number <= high) return number;
    else problem(fullKey(key) + " is " + std::to_string(number) + " for layer " + std::to_string(layer) + ", which is out of range.");
    return fallback.value_or(low);
}

std::string SpecReader::text(std::string_view key, std::string fallback) {
    const auto value = m_file.stringValue(fullKey(key));
    if (!value) problem(value.sentence());
    else if (*value) return **value;
    return fallback;
}

bool SpecReader::flag(std::string_view key, bool fallback) {
    const GgufKey* found = m_file.find(fullKey(key));
    if (!found) return fallback;
    if (const auto* value = std::get_if<bool>(&found->value)) return *value;
    problem(fullKey(key) + " must be true or false.");
    return fallback;
}

std::vector<bool> SpecReader::windowPattern(std::string_view key, uint32_t layers, uint32_t defaultPeriod) {
    std::vector<bool> windowed(layers);
    const GgufKey* found = m_file.find(fullKey(key));
    if (found && found->isArray) {
        const auto* flags = std::get_if<std::vector<bool>>(&found->value);
        const auto numbers = flags ? Result<std::vector<int64_t>>(std::vector<int64_t>(flags->begin(), flags->end()))
                                   : m_file.integerArray(fullKey(key));
        if (!numbers || numbers->size() < layers) {
            problem(fullKey(key) + " must have one value for each of the " + std::to_string(layers) + " layers.");
            return windowed;
        }
        for (uint32_t layer = 0; layer < layers; ++layer) windowed[layer] = (*numbers)[layer] != 0;
        return windowed;
    }
    const uint32_t period = count(key, layers + 1024, defaultPeriod);
    for (uint32_t layer = 0; layer < layers; ++layer) windowed[layer] = (layer + 1) % period != 0;
    return windowed;
}

// Factors divide frequencies; the data is not there where only a head is read.
void SpecReader::checkFactors(const std::string& name) {
    const GgufTensor* tensor = m_file.findTensor(name);
    if (!tensor) return problem("The file has no tensor " + name + ".");
    const auto data = m_file.data(*tensor);
    const uint64_t count = tensor->columns() * tensor->rows();
    if (data.empty() || count > kMaxHeadDim || tensor->type != TensorType::F32) return; // others are refused with the weights
    std::vector<float> factors(count);
    std::memcpy(factors.data(), data.data(), count * sizeof(float));
    for (const float factor : factors)
        if (!(factor > 0) || !std::isfinite(factor))
            return problem("The tensor " + name + " holds the factor " + std::to_string(factor) + "; factors must be above zero.");
}

RopeSpec SpecReader::rope(ops::RotaryMode mode, uint32_t headDim, std::optional<float> base) {
    RopeSpec rope;
    rope.mode = mode;
    rope.dimensions = count("rope.dimension_count", kMaxHeadDim, headDim);
    if (rope.dimensions % 2 != 0 || rope.dimensions > headDim)
        problem(fullKey("rope.dimension_count") + " is " + std::to_string(rope.dimensions) + "; it must be even and at most the head size " + std::to_string(headDim) + ".");
    rope.base = base ? *base : real("rope.freq_base", 1e-3f, 1e12f, 10000.0f);
    const std::string scaling = text("rope.scaling.type", has("rope.scaling.factor") || has("rope.scale_linear") ? "linear" : "none");
    if (hasTensor("rope_freqs.weight")) {
        rope.factors = RopeFactors::Plain;
        checkFactors("rope_freqs.weight");
    }
    if (hasTensor("rope_factors_long.weight") || hasTensor("rope_factors_short.weight") || scaling == "longrope") {
        rope.factors = RopeFactors::LongOrShort;
        rope.magnitude = real("rope.scaling.attn_factor", 1e-3f, 1e3f, 1.0f);
        for (const char* name : {"rope_factors_long.weight", "rope_factors_short.weight"}) checkFactors(name);
    }
    if (scaling == "none" || scaling == "longrope") return rope;
    const float factor = real("rope.scaling.factor", 1e-3f, 1e6f, real("rope.scale_linear", 1e-3f, 1e6f, 1.0f));
    rope.frequencyScale = 1.0f / factor;
    if (scaling == "linear") return rope;
    if (scaling != "yarn") {
        problem(fullKey("rope.scaling.type") + " is \"" + scaling + "\", which is not known.");
        return rope;
    }
    const auto original = static_cast<float>(count("rope.scaling.original_context_length", 1u << 30));
    rope.extrapolation = real("rope.scaling.yarn_ext_factor", -1.0f, 100.0f, 1.0f);
    if (rope.extrapolation < 0) rope.extrapolation = 1.0f;
    const float betaFast = real("rope.scaling.yarn_beta_fast", 1e-3f, 1e6f, 32.0f);
    const float betaSlow = real("rope.scaling.yarn_beta_slow", 1e-3f, 1e6f, 1.0f);
    const auto last = static_cast<float>(rope.dimensions - 1);
    rope.correctionLow = std::max(0.0f, std::floor(correctionPair(betaFast, rope.dimensions, rope.base, original)));
    rope.correctionHigh = std::min(last, std::ceil(correctionPair(betaSlow, rope.dimensions, rope.base, original)));
    rope.magnitude = real("rope.scaling.attn_factor", 1e-3f, 1e3f, 1.0f) * (factor > 1.0f ? 1.0f + 0.1f * std::log(factor) : 1.0f);
    return rope;
}

Result<ModelSpec> SpecReader::finish(ModelSpec spec) const {
    if (!m_problem.empty()) return Error{m_problem};
    if (m_predicts && spec.layers.size() > 1) {
        PredictorSpec predictor;
        predictor.layer = std::move(spec.layers.back());
        spec.layers.pop_back();
        predictor.block = static_cast<uint32_t>(spec.layers.size());
        predictor.ownTable = hasLayerTensor(predictor.block, "nextn.embed_tokens.weight");
        predictor.ownOutput = hasLayerTensor(predictor.block, "nextn.shared_head_head.weight");
        predictor.ownNorm = hasLayerTensor(predictor.block, "nextn.shared_head_norm.weight");
        // A recurrent layer could not take guesses back, and layers of a kind of their own are not known as predictors.
        if (predictor.layer.attention && !predictor.layer.recurrent && !spec.hyper && predictor.layer.perLayerInput == 0) spec.predictor = std::move(predictor);
    }
    return spec;
}

} // namespace steelyard
