#include "engine/model/architectures.h"

#include "engine/format/file_kind.h"
#include "engine/model/architectures/declarations.h"

namespace steelyard {

namespace {

struct Row {
    std::string_view name;
    Result<ModelSpec> (*read)(const GgufFile&);
};

constexpr Row kArchitectures[] = {
    {"bailingmoe2", readBailingmoe2},
    {"cohere2", readCohere2},
    {"command-r", readCommandR},
    {"deepseek2", readDeepseek2},
    {"deepseek4", readDeepseek4},
    {"dream", readDream},
    {"ernie4_5", readErnie45},
    {"ernie4_5-moe", readErnie45Moe},
    {"exaone4", readExaone4},
    {"falcon", readFalcon},
    {"falcon-h1", readFalconH1},
    {"gemma", readGemma},
    {"gemma2", readGemma2},
    {"gemma3", readGemma3},
    {"gemma4", readGemma4},
    {"glm4", readGlm4},
    {"glm4moe", readGlm4Moe},
    {"gpt-oss", readGptOss},
    {"gpt2", readGpt2},
    {"granite", readGranite},
    {"granitehybrid", readGraniteHybrid},
    {"granitemoe", readGraniteMoe},
    {"hunyuan-dense", readHunyuanDense},
    {"internlm2", readInternlm2},
    {"kimi-linear", readKimiLinear},
    {"lfm2", readLfm2},
    {"lfm2moe", readLfm2Moe},
    {"llada", readLlada},
    {"llada-moe", readLladaMoe},
    {"llama", readLlama},
    {"llama4", readLlama4},
    {"mamba2", readMamba2},
    {"minicpm", readMinicpm},
    {"minimax-m2", readMinimaxM2},
    {"mistral3", readMistral3},
    {"mistral4", readMistral4},
    {"nemotron_h", readNemotronH},
    {"nemotron_h_moe", readNemotronHMoe},
    {"olmo2", readOlmo2},
    {"olmoe", readOlmoe},
    {"phi2", readPhi2},
    {"phi3", readPhi3},
    {"phimoe", readPhiMoe},
    {"qwen2", readQwen2},
    {"qwen2moe", readQwen2Moe},
    {"qwen3", readQwen3},
    {"qwen35", readQwen35},
    {"qwen35moe", readQwen35Moe},
    {"qwen3moe", readQwen3Moe},
    {"qwen3next", readQwen3Next},
    {"seed_oss", readSeedOss},
    {"smollm3", readSmollm3},
    {"stablelm", readStablelm},
    {"starcoder2", readStarcoder2},
};

// Text from a file, short and printable, for a sentence.
std::string quoted(const std::string& text) {
    std::string result;
    for (const char c : text.substr(0, 40)) result += static_cast<unsigned char>(c) < 32 ? '?' : c;
    return "\"" + result + (text.size() > 40 ? "...\"" : "\"");
}

} // namespace

Result<ModelSpec> readSpec(const GgufFile& file) {
    const auto name = file.stringValue("general.architecture");
    if (!name) return name.error();
    if (const std::string other = describeOtherKind(file); !other.empty()) return Error{other};
    if (!*name || (*name)->empty()) return Error{"The file does not say its architecture (key general.architecture)."};
    for (const auto& row : kArchitectures)
        if (row.name == **name) return row.read(file);
    return Error{"The model's architecture " + quoted(**name) + " is not known to this version."};
}

std::vector<std::string_view> architectureNames() {
    std::vector<std::string_view> names;
    for (const auto& row : kArchitectures) names.push_back(row.name);
    return names;
}

} // namespace steelyard
