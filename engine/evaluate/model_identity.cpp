#include "engine/evaluate/model_identity.h"

#include "engine/format/readable.h"
#include "engine/memory/memory_plan.h"
#include "engine/model/architectures.h"

#include <algorithm>

namespace steelyard {

namespace {

const std::vector<std::string>& wordsOf(const GgufFile& file) {
    static const std::vector<std::string> kNone;
    const auto words = file.stringArray("tokenizer.ggml.tokens");
    return words && *words ? **words : kNone;
}

std::span<const uint8_t> bytesOf(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

} // namespace

Result<CacheKey> identityOf(const GgufFile& file, const LoadRequest& request) {
    const auto spec = readSpec(file);
    if (!spec) return spec.error();
    PlanOptions options;
    options.cacheTypes.k = request.kvTypeK;
    options.cacheTypes.v = request.kvTypeV;
    options.cacheTypes.rotate = request.kvRotation;
    const auto layout = layOutLoad(*spec, options);
    if (!layout) return layout.error();
    const CacheKey key = cacheKeyOf(file, layout->cache, DeviceKind::Cpu);
    return hashOf({key.bytes, bytesOf(request.device)});
}

CacheKey vocabularyOf(const GgufFile& file) {
    const auto& words = wordsOf(file);
    if (words.empty()) return {};
    std::string all;
    for (const auto& word : words) all += std::to_string(word.size()) + ':' + word;
    return hashOf({bytesOf(all)});
}

std::string vocabularyDifference(const GgufFile& model, const GgufFile& reference) {
    const auto& words = wordsOf(model);
    const auto& others = wordsOf(reference);
    if (words.size() != others.size())
        return "The vocabularies do not match: this model has " + std::to_string(words.size()) + " tokens, and the reference " +
               std::to_string(others.size()) + ". Choose files of one model.";
    const auto place = std::mismatch(words.begin(), words.end(), others.begin());
    if (place.first == words.end()) return {};
    return "The vocabularies do not match: token " + std::to_string(place.first - words.begin()) + " is " + quotedText(*place.first) +
           " in this model, and " + quotedText(*place.second) + " in the reference. Choose files of one model.";
}

} // namespace steelyard
