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
    {"gemma3", readGemma3},
    {"llama", readLlama},
    {"qwen2", readQwen2},
    {"qwen3", readQwen3},
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
