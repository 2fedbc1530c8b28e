#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/engine.h"
#include "engine/format/readable.h"

#include <map>

namespace steelyard::cli {

namespace {

std::string shapeText(const std::vector<uint64_t>& shape) {
    std::string text;
    for (const uint64_t size : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
}

std::string describe(const FileSummary& summary) {
    const ModelFacts& facts = summary.facts;
    std::string text = facts.name.empty() ? std::string() : facts.name + "\n";
    text += "architecture    " + facts.architecture + "\n";
    text += "parameters      " + std::to_string(facts.parameters) + "\n";
    text += "file            " + bytesForPeople(facts.fileBytes) + "\n";
    text += "quantization    " + facts.quantization + "\n";
    text += "context         " + std::to_string(facts.trainedContext) + "\n";
    text += "vocabulary      " + std::to_string(facts.vocabulary) + "\n";
    if (summary.parts.size() > 1)
        text += "parts           " + std::to_string(summary.parts.size()) + "; open " + pathText(summary.parts.front()) + "\n";
    if (!summary.refusal.empty()) text += "cannot be run   " + summary.refusal + "\n";
    std::map<std::string, std::pair<uint64_t, uint64_t>> byType; // tensors, bytes
    for (const auto& tensor : summary.tensors) {
        ++byType[tensor.type].first;
        byType[tensor.type].second += tensor.bytes;
    }
    text += "\nTypes\n";
    for (const auto& row : byType)
        text += "  " + row.first + ": " + std::to_string(row.second.first) + " tensors, " +
                bytesForPeople(row.second.second) + "\n";
    text += "\nMetadata\n";
    for (const auto& entry : summary.metadata)
        text += "  " + entry.key + " (" + entry.type + ") = " + entry.value + "\n";
    text += "\nTensors\n";
    for (const auto& tensor : summary.tensors)
        text += "  " + tensor.name + "  " + tensor.type + "  " + shapeText(tensor.shape) + "\n";
    return text;
}

Result<Output> inspect(const std::string& model) {
    const auto summary = Engine::inspect(pathOf(model));
    if (!summary) return summary.error();
    const ModelFacts& facts = summary->facts;
    Json tensors = Json::array();
    for (const auto& tensor : summary->tensors)
        tensors.push_back(
            {{"name", tensor.name}, {"type", tensor.type}, {"shape", tensor.shape}, {"bytes", tensor.bytes}});
    Json parts = Json::array();
    for (const auto& part : summary->parts)
        parts.push_back(pathText(part));
    Json metadata = Json::object();
    for (const auto& entry : summary->metadata)
        metadata[entry.key] = entry.value;
    Output output;
    output.json = {{"architecture", facts.architecture},
                   {"name", facts.name},
                   {"parameters", facts.parameters},
                   {"file_bytes", facts.fileBytes},
                   {"bits_per_weight", facts.bitsPerWeight},
                   {"quantization", facts.quantization},
                   {"context_length", facts.trainedContext},
                   {"vocabulary", facts.vocabulary},
                   {"layers", facts.layers},
                   {"has_chat_template", facts.hasChatTemplate},
                   {"refusal", summary->refusal},
                   {"parts", std::move(parts)}, // the first is the one to open
                   {"tensors", std::move(tensors)},
                   {"metadata", std::move(metadata)}};
    output.text = describe(*summary);
    return output;
}

} // namespace

Work declareInspect(CLI::App& app, const CommonOptions&) {
    auto model = std::make_shared<std::string>();
    app.add_option("MODEL", *model, "A model file")->required();
    return [model] { return inspect(*model); };
}

} // namespace steelyard::cli
