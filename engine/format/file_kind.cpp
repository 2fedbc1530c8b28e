#include "engine/format/file_kind.h"

#include "engine/format/readable.h"

#include <algorithm>
#include <initializer_list>

namespace steelyard {

namespace {

constexpr const char* kProjector = "This is a projector (mmproj): it lets a language model see or hear, and belongs "
                                   "beside that model's own file. Open the model instead.";
constexpr const char* kAdapter = "This is an adapter (LoRA): a change to a language model, not a model. Open the model "
                                 "that it was made for.";
constexpr const char* kMatrix = "This is an importance matrix, which helps to quantize a model; it is not a model.";
constexpr const char* kControlVector = "This is a control vector: it steers a language model and is not a model itself.";

struct Kind {
    const char* sentence; // after "This is a"
    std::initializer_list<std::string_view> architectures;
};

const Kind kKinds[] = {
    {"n embedding model: it turns texts into vectors for searching and writes no answers.",
     {"bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "modern-bert", "jina-bert-v2", "jina-bert-v3", "eurobert",
      "gemma-embedding", "t5encoder", "roberta", "xlm-roberta", "llama-embed"}},
    {" speech model: it turns speech into text or text into speech and writes no answers.",
     {"whisper", "wavtokenizer-dec", "parakeet", "kokoro", "outetts", "mimi", "snac"}},
    {"n image or video model: it makes pictures and writes no answers.",
     {"flux", "sd1", "sd2", "sd3", "sdxl", "wan", "ltxv", "hidream", "hyvid", "qwen_image", "lumina2", "aura", "cosmos",
      "chroma", "pig"}},
};

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

std::string textOf(const GgufFile& file, const char* key) {
    const auto value = file.stringValue(key);
    return value && *value ? **value : std::string();
}

// Adapters without the key that says so: every tensor is one of a pair that is multiplied.
bool hasAdapterTensors(const GgufFile& file) {
    const auto isHalf = [](const GgufTensor& tensor) {
        const std::string_view name = tensor.name;
        return name.size() > 7 && isOneOf(name.substr(name.size() - 7), {".lora_a", ".lora_b"});
    };
    const auto tensors = file.tensors();
    return !tensors.empty() && std::all_of(tensors.begin(), tensors.end(), isHalf);
}

} // namespace

std::string describeOtherKind(const GgufFile& file) {
    const std::string type = textOf(file, "general.type"), architecture = textOf(file, "general.architecture");
    if (type == "adapter" || hasAdapterTensors(file)) return kAdapter;
    if (isOneOf(type, {"mmproj", "projector"}) || architecture == "clip") return kProjector;
    if (type == "imatrix" || architecture == "imatrix") return kMatrix;
    if (architecture == "controlvector") return kControlVector;
    for (const Kind& kind : kKinds)
        if (isOneOf(architecture, kind.architectures))
            return std::string("This is a") + kind.sentence + " (Its architecture is " + quotedText(architecture) + ".)";
    if (file.tensors().empty())
        return "The file has no weights: it holds a vocabulary or other keys, but no model.";
    return {};
}

} // namespace steelyard
