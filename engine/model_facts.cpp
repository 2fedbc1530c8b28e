#include "engine/loaded_model.h"

#include "engine/quant/file_type.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

namespace steelyard {

namespace {

// The file's own label, or the type that holds most of the weights.
std::string quantizationOf(const GgufFile& file) {
    if (const auto number = file.unsignedValue("general.file_type"); number && *number)
        if (const auto name = fileTypeName(**number)) return std::string(*name);
    std::array<uint64_t, 64> values{};
    for (const auto& tensor : file.tensors())
        if (static_cast<uint32_t>(tensor.type) < values.size() && tensor.shape.size() > 1)
            values[static_cast<uint32_t>(tensor.type)] += tensor.columns() * tensor.rows();
    size_t best = 0;
    for (size_t type = 0; type < values.size(); ++type)
        if (values[type] > values[best]) best = type;
    const auto type = tensorTypeFromId(static_cast<uint32_t>(best));
    return type && values[best] > 0 ? std::string(info(*type).name) : std::string();
}

std::string textOr(const GgufFile& file, const char* key, std::string fallback) {
    const auto value = file.stringValue(key);
    return value && *value && !(*value)->empty() ? (*value)->substr(0, 200) : fallback;
}

// Sampling that the authors of well-known models advise, for files that do not say it themselves. The smallest models wander
// off at any temperature, so they take the most probable token.
struct AdvisedSampling {
    std::string_view baseName, sizeLabel; // keys general.basename and general.size_label; an empty size means all
    float temperature, topP;
    int32_t topK;
};

constexpr AdvisedSampling kAdvised[] = {
    {"smollm2", "135M", 0.0f, 1.0f, 0},
    {"smollm2", "", 0.2f, 0.9f, 0},
    {"gemma-3", "", 1.0f, 0.95f, 64},
    {"qwen3", "", 0.6f, 0.95f, 20},
};

std::string lowerCase(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

std::optional<SamplingOptions> samplingOf(const GgufFile& file) {
    SamplingOptions options;
    bool known = false;
    const std::string baseName = lowerCase(textOr(file, "general.basename", "")), size = textOr(file, "general.size_label", "");
    for (const auto& row : kAdvised) {
        if (row.baseName != baseName || (!row.sizeLabel.empty() && row.sizeLabel != size)) continue;
        options.temperature = row.temperature;
        options.topP = row.topP;
        options.topK = row.topK;
        options.minP = 0;
        known = true;
        break;
    }
    // What the file says itself counts more. Keys as in the GGUF specification, general.sampling.*
    const auto read = [&](const char* key, double low, double high, auto& target) {
        const auto value = file.realValue(key);
        if (!value || !*value || **value < low || **value > high) return;
        target = static_cast<std::remove_reference_t<decltype(target)>>(**value);
        known = true;
    };
    read("general.sampling.temp", 0, 100, options.temperature);
    read("general.sampling.top_k", 0, 1e6, options.topK);
    read("general.sampling.top_p", 0, 1, options.topP);
    read("general.sampling.min_p", 0, 1, options.minP);
    if (!known) return std::nullopt;
    return options;
}

} // namespace

ModelFacts factsOf(const GgufFile& file, const ModelSpec* spec) {
    ModelFacts facts;
    facts.predicts = spec && spec->predictor.has_value();
    facts.architecture = textOr(file, "general.architecture", "");
    facts.name = textOr(file, "general.name", "");
    facts.quantization = quantizationOf(file);
    facts.fileBytes = file.fileBytes();
    uint64_t weightBytes = 0;
    for (const auto& tensor : file.tensors()) {
        facts.parameters += tensor.columns() * tensor.rows();
        weightBytes += tensor.bytes;
    }
    if (facts.parameters > 0) facts.bitsPerWeight = static_cast<double>(weightBytes) * 8 / static_cast<double>(facts.parameters);
    const auto context = file.unsignedValue(facts.architecture + ".context_length");
    if (context && *context) facts.trainedContext = static_cast<uint32_t>(std::min<uint64_t>(**context, 0xFFFFFFFFu));
    const auto layers = file.unsignedValue(facts.architecture + ".block_count");
    if (layers && *layers) facts.layers = static_cast<uint32_t>(std::min<uint64_t>(**layers, 0xFFFFFFFFu));
    facts.sampling = samplingOf(file);
    const auto source = file.stringValue("tokenizer.chat_template");
    facts.hasChatTemplate = source && *source && !(*source)->empty();
    if (!spec) return facts;
    facts.vocabulary = spec->vocabulary;
    if (const auto layout = CacheLayout::make(spec->cacheLayers(), {}, {1, 1, 1})) facts.kvBytesPerToken = layout->growingBytesPerToken();
    return facts;
}

} // namespace steelyard
