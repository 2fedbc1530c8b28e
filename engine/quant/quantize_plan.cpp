#include "engine/quant/quantize_plan.h"

#include "engine/core/checked_math.h"
#include "engine/format/readable.h"
#include "engine/quant/encoders.h"
#include "engine/quant/file_type.h"
#include "engine/quant/recipes.h"
#include "kernels/quant/formats.h"

#include <algorithm>
#include <map>

namespace steelyard {

namespace {

constexpr uint32_t kAlignment = 32, kQuantizationVersion = 2; // of new files; the version of the formats that ggml has

bool isOfOldFile(const std::string& key) {
    return key.compare(0, 6, "split.") == 0 || key == "general.alignment" || key == "general.file_type" ||
           key == "general.quantization_version" || key == "general.quantized_by" || key.compare(0, 17, "quantize.imatrix.") == 0;
}

bool isExact(TensorType type) { return info(type).blockValues == 1; }

} // namespace

QuantizePlan::QuantizePlan(const GgufFile& file, const Recipe& recipe, const Importance* importance)
    : m_file(&file), m_recipe(&recipe), m_importance(importance), m_types(typesIn(recipe, file, importance != nullptr)) {}

Result<QuantizePlan> QuantizePlan::make(const GgufFile& file, const Recipe& recipe, const Importance* importance) {
    QuantizePlan plan(file, recipe, importance);
    if (auto done = plan.settle(); !done) return done.error();
    return plan;
}

Result<void> QuantizePlan::settle() {
    GgufWriter writer(kAlignment);
    addKeys(writer);
    uint64_t values = 0, bytes = 0, end = 0;
    for (size_t i = 0; i < m_types.size(); ++i) {
        const GgufTensor& tensor = m_file->tensors()[i];
        if (auto done = checkTensor(tensor, m_types[i]); !done) return done;
        if (auto done = writer.declareTensor(tensor.name, m_types[i], tensor.shape); !done) return done;
        const uint64_t count = tensor.columns() * tensor.rows(), size = tensorBytes(m_types[i], count).value_or(0);
        m_offsets.push_back(end);
        end += alignUp(size, kAlignment);
        values += count;
        bytes += size;
        ++m_result.tensorsByType[std::string(info(m_types[i]).name)];
    }
    const auto outputBytes = writer.fileBytes();
    if (values == 0 || !outputBytes) return Error{"The file has no weights, so there is nothing to convert."};
    m_head = writer.head();
    for (auto& offset : m_offsets) offset += m_head.size();
    m_result.inputBytes = m_file->fileBytes();
    m_result.outputBytes = *outputBytes;
    m_result.bitsPerWeight = static_cast<double>(bytes) * 8 / static_cast<double>(values);
    addNotices();
    return {};
}

Result<void> QuantizePlan::checkTensor(const GgufTensor& tensor, TensorType type) const {
    if (type == tensor.type || (kernels::isSupportedType(static_cast<uint32_t>(tensor.type)) && encoderOf(type))) return {};
    return Error{"The tensor " + quotedText(tensor.name) + " is of type " + std::string(info(tensor.type).name) +
                 ", which cannot be turned into another type."};
}

// The names of the keys about importance are those of the field's own tool; file names stand without their folders.
void QuantizePlan::addKeys(GgufWriter& writer) const {
    for (const auto& key : m_file->keys())
        if (!isOfOldFile(key.name)) writer.add(key);
    writer.add("general.quantized_by", "Steelyard");
    writer.add("general.quantization_version", kQuantizationVersion);
    writer.add("general.file_type", fileTypeNumber(m_recipe->name).value());
    if (!m_importance) return;
    const auto& texts = m_importance->texts();
    writer.add("quantize.imatrix.dataset", texts.empty() ? std::string() : pathText(std::filesystem::path(texts.front()).filename()));
    writer.add("quantize.imatrix.entries_count", static_cast<uint32_t>(m_importance->tensors()));
    writer.add("quantize.imatrix.chunks_count", static_cast<uint32_t>(m_importance->chunks()));
}

void QuantizePlan::addNotices() {
    std::map<std::string_view, uint64_t> values; // of what is turned from a type that has lost already
    for (size_t i = 0; i < m_types.size(); ++i) {
        const GgufTensor& tensor = m_file->tensors()[i];
        if (tensor.type != m_types[i] && !isExact(tensor.type)) values[info(tensor.type).name] += tensor.columns() * tensor.rows();
    }
    if (!values.empty()) {
        const auto most = std::max_element(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        m_result.notices.push_back("This model is already quantized (" + std::string(most->first) +
                                   "), and what that lost does not come back: convert an F16, BF16 or F32 file of it where there is one.");
    }
    if (m_recipe->needsImportance && !m_importance)
        m_result.notices.push_back("Files of type " + std::string(m_recipe->name) +
                                   " lose much without an importance matrix: make one, or choose a larger type.");
    if (const std::string unseen = m_importance ? unseenNotice() : std::string(); !unseen.empty()) m_result.notices.push_back(unseen);
}

// Names what is searched for without importance; the embedding is always.
std::string QuantizePlan::unseenNotice() const {
    std::string first;
    size_t unseen = 0;
    for (size_t i = 0; i < m_types.size(); ++i) {
        const GgufTensor& tensor = m_file->tensors()[i];
        if (tensor.type == m_types[i] || isExact(m_types[i]) || m_importance->has(tensor.name) || tensor.name == "token_embd.weight") continue;
        if (unseen++ == 0) first = quotedText(tensor.name);
    }
    if (unseen == 0) return {};
    const std::string others =
        unseen > 1 ? " and " + std::to_string(unseen - 1) + " other " + (unseen > 2 ? "tensors" : "tensor") : std::string();
    return "The importance matrix says nothing of " + first + others + ": all their columns count alike.";
}

} // namespace steelyard
