#include "engine/format/file_kind.h"

#include <algorithm>
#include <string_view>

namespace steelyard {

namespace {

constexpr const char* kProjector = "This is a projector (mmproj): it lets a language model see or hear, and belongs "
                                   "beside that model's own file. Open the model instead.";
constexpr const char* kAdapter = "This is an adapter (LoRA): a change to a language model, not a model. Open the model "
                                 "that it was made for.";
constexpr const char* kMatrix = "This is an importance matrix, which helps to quantize a model; it is not a model.";
constexpr const char* kControlVector =
    "This is a control vector: it steers a language model and is not a model itself.";

constexpr const char* kEmbedding =
    "This is an embedding model: it turns texts into vectors for searching and writes no answers.";
constexpr const char* kSpeech =
    "This is a speech model: it turns speech into text or text into speech and writes no answers.";
constexpr const char* kImage = "This is an image or video model: it makes pictures and writes no answers.";

struct Kind {
    std::string_view architecture;
    const char* sentence;
};

constexpr Kind kKinds[] = {
    {"clip", kProjector},
    {"imatrix", kMatrix},
    {"controlvector", kControlVector},
    {"bert", kEmbedding},
    {"nomic-bert", kEmbedding},
    {"nomic-bert-moe", kEmbedding},
    {"neo-bert", kEmbedding},
    {"modern-bert", kEmbedding},
    {"jina-bert-v2", kEmbedding},
    {"jina-bert-v3", kEmbedding},
    {"eurobert", kEmbedding},
    {"gemma-embedding", kEmbedding},
    {"t5encoder", kEmbedding},
    {"roberta", kEmbedding},
    {"xlm-roberta", kEmbedding},
    {"llama-embed", kEmbedding},
    {"whisper", kSpeech},
    {"wavtokenizer-dec", kSpeech},
    {"parakeet", kSpeech},
    {"kokoro", kSpeech},
    {"outetts", kSpeech},
    {"flux", kImage},
    {"sd1", kImage},
    {"sd2", kImage},
    {"sd3", kImage},
    {"sdxl", kImage},
    {"wan", kImage},
    {"ltxv", kImage},
    {"hidream", kImage},
    {"hyvid", kImage},
    {"qwen_image", kImage},
    {"lumina2", kImage},
    {"cosmos", kImage},
    {"chroma", kImage},
};

std::string textOf(const GgufFile& file, const char* key) {
    const auto value = file.stringValue(key);
    return value && *value ? **value : std::string();
}

// Adapters without the key that says so: every tensor is one of a pair that is multiplied.
bool hasAdapterTensors(const GgufFile& file) {
    const auto isHalf = [](const GgufTensor& tensor) {
        const std::string_view name = tensor.name;
        const std::string_view end = name.substr(name.size() - std::min<size_t>(name.size(), 7));
        return end == ".lora_a" || end == ".lora_b";
    };
    const auto tensors = file.tensors();
    return !tensors.empty() && std::all_of(tensors.begin(), tensors.end(), isHalf);
}

} // namespace

std::string describeOtherKind(const GgufFile& file) {
    const std::string type = textOf(file, "general.type"), architecture = textOf(file, "general.architecture");
    if (type == "adapter" || hasAdapterTensors(file)) return kAdapter;
    if (type == "mmproj" || type == "projector") return kProjector;
    if (type == "imatrix") return kMatrix;
    for (const Kind& kind : kKinds)
        if (kind.architecture == architecture) return kind.sentence;
    if (file.tensors().empty()) return "The file has no weights: it holds a vocabulary or other keys, but no model.";
    return {};
}

} // namespace steelyard
