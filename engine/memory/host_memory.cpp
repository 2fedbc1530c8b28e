#include "engine/memory/host_memory.h"

#include <bit>

namespace steelyard {

namespace {

constexpr uint64_t kInPlace = 15;              // characters that a text holds in itself
constexpr uint64_t kHeapBlock = 16;            // what a piece of memory of its own costs beside its bytes
constexpr uint64_t kTextSlot = 24, kPairSlot = 16; // of the tables, which are at most half full
constexpr uint64_t kWorkingBytes = 2u << 20;   // threads, queues, working memory of products

uint64_t textBytes(const std::string& text) { return text.size() > kInPlace ? text.size() + 1 + kHeapBlock : 0; }

struct ValueBytes {
    uint64_t operator()(const std::string& text) const { return textBytes(text); }
    uint64_t operator()(const std::vector<std::string>& texts) const {
        uint64_t bytes = texts.size() * sizeof(std::string);
        for (const auto& text : texts) bytes += textBytes(text);
        return bytes;
    }
    uint64_t operator()(const std::vector<bool>& values) const { return values.size() / 8; }
    template <class Number>
    uint64_t operator()(const std::vector<Number>& values) const { return values.size() * sizeof(Number); }
    template <class Number>
    uint64_t operator()(const Number&) const { return 0; }
};

uint64_t headBytes(const GgufFile& file) {
    uint64_t bytes = 0;
    for (const auto& key : file.keys()) bytes += sizeof key + textBytes(key.name) + std::visit(ValueBytes(), key.value);
    for (const auto& tensor : file.tensors())
        bytes += sizeof tensor + textBytes(tensor.name) + tensor.shape.size() * sizeof(uint64_t) + kHeapBlock;
    return bytes;
}

// Texts as in the file, and where there are merges also as they stand in a text; a table of texts, one of pairs.
uint64_t vocabularyBytes(const GgufFile& file) {
    const auto tokens = file.stringArray("tokenizer.ggml.tokens"), merges = file.stringArray("tokenizer.ggml.merges");
    if (!tokens || !*tokens) return 0;
    const uint64_t count = (*tokens)->size(), pairs = merges && *merges ? (*merges)->size() : 0;
    const uint64_t texts = ValueBytes()(**tokens);
    const uint64_t perToken = 1 + (file.find("tokenizer.ggml.scores") ? sizeof(double) : 0);
    return texts * (pairs > 0 ? 2 : 1) + count * perToken + std::bit_ceil(2 * count + 2) * kTextSlot + (pairs > 0 ? std::bit_ceil(2 * pairs + 2) * kPairSlot : 0);
}

} // namespace

uint64_t hostBytes(const GgufFile& file, uint32_t vocabulary, const StepShape& shape) {
    return kWorkingBytes + headBytes(file) + vocabularyBytes(file) + uint64_t(shape.maxOutputs) * vocabulary * sizeof(float);
}

} // namespace steelyard
