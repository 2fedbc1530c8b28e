#include "engine/evaluate/comparison_data.h"

#include "engine/format/readable.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace steelyard {

namespace {

constexpr std::array kTraits = {ColumnTrait::Model,  ColumnTrait::Quantization, ColumnTrait::KvTypes, ColumnTrait::Context,
                                ColumnTrait::Filler, ColumnTrait::Speculation,  ColumnTrait::Device};

std::string lowerName(TensorType type) {
    std::string name(info(type).name);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

bool isPlain(TensorType type) { return type == TensorType::F32 || type == TensorType::F16 || type == TensorType::BF16; }

std::string kvText(const LoadRequest& load) {
    std::string text = lowerName(load.kvTypeK);
    if (load.kvTypeV != load.kvTypeK) text += ", " + lowerName(load.kvTypeV);
    if (!load.kvRotation && !(isPlain(load.kvTypeK) && isPlain(load.kvTypeV))) text += " not rotated";
    return text;
}

std::string speculationText(const ComparisonColumn& column) {
    std::string text;
    const auto add = [&](const std::string& way) { text += (text.empty() ? "" : ", ") + way; };
    if (column.speculation.lookup) add("lookup");
    if (column.speculation.draft && !column.load.draft.empty()) add("draft " + pathText(column.load.draft.stem()));
    if (column.speculation.draft && column.load.draft.empty() && column.load.predictor) add("predictor");
    if (text.empty()) return "off";
    return text + (column.speculation.adapts ? ", at most " : ", always ") + std::to_string(column.speculation.mostTokens);
}

std::string contextText(const ComparisonColumn& column, const ModelFacts& facts) {
    if (column.load.contextLength) return std::to_string(column.load.contextLength);
    return facts.contextLength ? std::to_string(facts.contextLength) : "automatic";
}

// What a column's name says of a trait.
std::string nameOf(const TraitValue& value) {
    switch (value.trait) {
    case ColumnTrait::KvTypes: return "KV " + value.value;
    case ColumnTrait::Context: return value.value + " tokens";
    case ColumnTrait::Filler: return value.value + " tokens before";
    case ColumnTrait::Speculation: return value.value == "off" ? "no guesses" : "guesses: " + value.value;
    case ColumnTrait::Model:
    case ColumnTrait::Quantization:
    case ColumnTrait::Device:
    case ColumnTrait::File: return value.value;
    }
    return {};
}

} // namespace

std::string traitOf(const ComparisonColumn& column, const ModelFacts& facts, ColumnTrait trait) {
    switch (trait) {
    case ColumnTrait::Model: return facts.name.empty() ? facts.architecture : facts.name;
    case ColumnTrait::Quantization: return facts.quantization;
    case ColumnTrait::KvTypes: return kvText(column.load);
    case ColumnTrait::Context: return contextText(column, facts);
    case ColumnTrait::Filler: return std::to_string(column.fillerTokens);
    case ColumnTrait::Speculation: return speculationText(column);
    case ColumnTrait::Device: return column.load.device;
    case ColumnTrait::File: return pathText(column.load.path.filename());
    }
    return {};
}

std::vector<std::vector<TraitValue>> differingTraits(const std::vector<ComparisonColumn>& columns, const std::vector<ModelFacts>& facts) {
    std::vector<std::vector<TraitValue>> differing(columns.size());
    const auto valueOf = [&](size_t column, ColumnTrait trait) { return traitOf(columns[column], column < facts.size() ? facts[column] : ModelFacts(), trait); };
    const auto addIfDiffering = [&](ColumnTrait trait) {
        bool differs = false;
        for (size_t i = 1; i < columns.size(); ++i) differs = differs || valueOf(i, trait) != valueOf(0, trait);
        for (size_t i = 0; differs && i < columns.size(); ++i) differing[i].push_back({trait, valueOf(i, trait)});
    };
    for (const ColumnTrait trait : kTraits) addIfDiffering(trait);
    // The file's own name says something only where the facts do not tell two columns apart.
    bool toldApart = true;
    for (size_t i = 0; i < columns.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
            bool same = true;
            for (const ColumnTrait trait : kTraits) same = same && valueOf(i, trait) == valueOf(j, trait);
            toldApart = toldApart && !same;
        }
    if (!toldApart) addIfDiffering(ColumnTrait::File);
    return differing;
}

std::vector<ComparisonColumn> nameColumns(std::vector<ComparisonColumn> columns, const std::vector<ModelFacts>& facts) {
    const auto differing = differingTraits(columns, facts);
    for (size_t i = 0; i < columns.size(); ++i) {
        std::string& name = columns[i].name;
        if (name.empty())
            for (const auto& value : differing[i])
                if (!value.value.empty()) name += (name.empty() ? "" : ", ") + nameOf(value);
        if (name.empty()) name = pathText(columns[i].load.path.stem());
        const std::string plain = name;
        const auto isTaken = [&] { return std::any_of(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& other) { return other.name == name; }); };
        for (int number = 2; isTaken(); ++number) name = plain + " (" + std::to_string(number) + ")";
    }
    return columns;
}

} // namespace steelyard
