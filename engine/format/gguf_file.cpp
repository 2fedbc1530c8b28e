#include "engine/format/gguf_file.h"

#include "engine/format/gguf_parser.h"
#include "engine/format/gguf_parts.h"
#include "engine/format/gguf_value_type.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

Error wrongType(const GgufKey& key, const char* wanted) {
    const std::string type(ggufValueTypeName(key.fileType));
    return {"\"" + key.name + "\" must be " + wanted + ", but it is of type " +
            (key.isArray ? "array of " + type : type) + "."};
}

} // namespace

uint64_t GgufTensor::rows() const {
    uint64_t product = 1;
    for (size_t i = 1; i < shape.size(); ++i)
        product *= shape[i];
    return product;
}

Result<GgufFile> GgufFile::open(const std::filesystem::path& path, bool requireData) {
    return GgufParts::open(path, requireData);
}

Result<GgufFile> GgufFile::parse(std::span<const uint8_t> head, uint64_t fileBytes, bool requireData) {
    return GgufParser::parse(head, fileBytes, requireData);
}

const GgufKey* GgufFile::find(std::string_view key) const {
    const auto found = m_keyIndex.find(key);
    return found == m_keyIndex.end() ? nullptr : &m_keys[found->second];
}

const GgufTensor* GgufFile::findTensor(std::string_view name) const {
    const auto found = m_tensorIndex.find(name);
    return found == m_tensorIndex.end() ? nullptr : &m_tensors[found->second];
}

Result<std::optional<uint64_t>> GgufFile::unsignedValue(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return std::optional<uint64_t>();
    if (const auto* value = std::get_if<uint64_t>(&key->value)) return std::optional(*value);
    if (const auto* value = std::get_if<int64_t>(&key->value)) {
        if (*value >= 0) return std::optional(static_cast<uint64_t>(*value));
        return Error{"\"" + key->name + "\" must be an unsigned integer, but it is " + std::to_string(*value) + "."};
    }
    return wrongType(*key, "an unsigned integer");
}

Result<std::optional<double>> GgufFile::realValue(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return std::optional<double>();
    std::optional<double> result;
    if (const auto* real = std::get_if<double>(&key->value)) result = *real;
    if (const auto* natural = std::get_if<uint64_t>(&key->value)) result = static_cast<double>(*natural);
    if (const auto* integer = std::get_if<int64_t>(&key->value)) result = static_cast<double>(*integer);
    if (!result) return wrongType(*key, "a number");
    return result;
}

Result<std::optional<bool>> GgufFile::boolValue(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return std::optional<bool>();
    if (const auto* value = std::get_if<bool>(&key->value)) return std::optional(*value);
    return wrongType(*key, "true or false");
}

Result<std::optional<std::string>> GgufFile::stringValue(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return std::optional<std::string>();
    if (const auto* value = std::get_if<std::string>(&key->value)) return std::optional(*value);
    return wrongType(*key, "a text");
}

Result<const std::vector<std::string>*> GgufFile::stringArray(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return static_cast<const std::vector<std::string>*>(nullptr);
    if (const auto* value = std::get_if<std::vector<std::string>>(&key->value)) return value;
    return wrongType(*key, "an array of texts");
}

Result<std::vector<int64_t>> GgufFile::integerArray(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return std::vector<int64_t>();
    if (const auto* values = std::get_if<std::vector<int64_t>>(&key->value)) return *values;
    if (const auto* values = std::get_if<std::vector<bool>>(&key->value))
        return std::vector<int64_t>(values->begin(), values->end());
    const auto* values = std::get_if<std::vector<uint64_t>>(&key->value);
    if (!values) return wrongType(*key, "an array of integers");
    const auto large = std::find_if(values->begin(), values->end(), [](uint64_t value) { return value > INT64_MAX; });
    if (large != values->end())
        return Error{"Element " + std::to_string(large - values->begin()) + " of \"" + key->name + "\" is " +
                     std::to_string(*large) + ", which is too large."};
    return std::vector<int64_t>(values->begin(), values->end());
}

Result<std::vector<double>> GgufFile::realArray(std::string_view name) const {
    const GgufKey* key = find(name);
    if (!key) return std::vector<double>();
    const auto* values = std::get_if<std::vector<double>>(&key->value);
    if (!values) return wrongType(*key, "an array of floating-point numbers");
    const auto wrong = std::find_if(values->begin(), values->end(), [](double value) { return !std::isfinite(value); });
    if (wrong != values->end())
        return Error{"Element " + std::to_string(wrong - values->begin()) + " of \"" + key->name +
                     "\" must be finite."};
    return *values;
}

std::span<const uint8_t> GgufFile::data(const GgufTensor& tensor) const {
    if (tensor.part >= m_parts.size()) return {};
    const auto bytes = m_parts[tensor.part]->bytes();
    if (tensor.offset > bytes.size() || tensor.bytes > bytes.size() - tensor.offset) return {};
    return bytes.subspan(tensor.offset, tensor.bytes);
}

bool GgufFile::stillWhole() const {
    return std::all_of(m_parts.begin(), m_parts.end(), [](const auto& part) { return part->stillWhole(); });
}

} // namespace steelyard
