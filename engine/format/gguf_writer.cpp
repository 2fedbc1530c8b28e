#include "engine/format/gguf_writer.h"

#include "engine/core/checked_math.h"
#include "engine/format/gguf_value_type.h"
#include "engine/format/output_file.h"

#include <bit>
#include <cassert>
#include <cstring>

namespace steelyard {

namespace {

template <class T>
void put(std::string& bytes, T value) {
    static_assert(std::endian::native == std::endian::little, "the file's byte order is the machine's");
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof value);
    bytes.append(buffer, sizeof buffer);
}

void putText(std::string& bytes, std::string_view text) {
    put<uint64_t>(bytes, text.size());
    bytes += text;
}

template <class T>
std::string one(T value) {
    std::string bytes;
    put(bytes, value);
    return bytes;
}

template <class T>
std::string arrayOf(GgufValueType type, const std::vector<T>& values) {
    std::string bytes;
    put(bytes, static_cast<uint32_t>(type));
    put<uint64_t>(bytes, values.size());
    for (const T value : values)
        put(bytes, value);
    return bytes;
}

void pad(std::string& bytes, uint64_t alignment) {
    bytes.resize(alignUp(bytes.size(), alignment), '\0');
}

constexpr uint32_t idOf(GgufValueType type) {
    return static_cast<uint32_t>(type);
}

} // namespace

GgufWriter::GgufWriter(uint32_t alignment) : m_alignment(alignment) {
    assert(std::has_single_bit(alignment));
    if (alignment != 32) add("general.alignment", alignment);
}

void GgufWriter::addRaw(std::string_view key, uint32_t type, std::string_view bytes) {
    putText(m_keyBytes, key);
    put(m_keyBytes, type);
    m_keyBytes += bytes;
    ++m_keys;
}

void GgufWriter::add(std::string_view key, bool value) {
    addRaw(key, idOf(GgufValueType::Bool), one<uint8_t>(value ? 1 : 0));
}
void GgufWriter::add(std::string_view key, uint32_t value) {
    addRaw(key, idOf(GgufValueType::U32), one(value));
}
void GgufWriter::add(std::string_view key, int32_t value) {
    addRaw(key, idOf(GgufValueType::I32), one(value));
}
void GgufWriter::add(std::string_view key, uint64_t value) {
    addRaw(key, idOf(GgufValueType::U64), one(value));
}
void GgufWriter::add(std::string_view key, int64_t value) {
    addRaw(key, idOf(GgufValueType::I64), one(value));
}
void GgufWriter::add(std::string_view key, float value) {
    addRaw(key, idOf(GgufValueType::F32), one(value));
}
void GgufWriter::add(std::string_view key, double value) {
    addRaw(key, idOf(GgufValueType::F64), one(value));
}

void GgufWriter::add(std::string_view key, std::string_view value) {
    std::string bytes;
    putText(bytes, value);
    addRaw(key, idOf(GgufValueType::String), bytes);
}

void GgufWriter::add(std::string_view key, const std::vector<std::string>& values) {
    std::string bytes;
    put(bytes, idOf(GgufValueType::String));
    put<uint64_t>(bytes, values.size());
    for (const auto& value : values)
        putText(bytes, value);
    addRaw(key, idOf(GgufValueType::Array), bytes);
}

void GgufWriter::add(std::string_view key, const std::vector<float>& values) {
    addRaw(key, idOf(GgufValueType::Array), arrayOf(GgufValueType::F32, values));
}
void GgufWriter::add(std::string_view key, const std::vector<int32_t>& values) {
    addRaw(key, idOf(GgufValueType::Array), arrayOf(GgufValueType::I32, values));
}
void GgufWriter::add(std::string_view key, const std::vector<uint32_t>& values) {
    addRaw(key, idOf(GgufValueType::Array), arrayOf(GgufValueType::U32, values));
}

namespace {

// A value of a file's own type from the wide one that the reader gives.
template <class Wide>
void putNumber(std::string& bytes, GgufValueType type, Wide value) {
    switch (type) {
    case GgufValueType::U8:
        return put(bytes, static_cast<uint8_t>(value));
    case GgufValueType::I8:
        return put(bytes, static_cast<int8_t>(value));
    case GgufValueType::U16:
        return put(bytes, static_cast<uint16_t>(value));
    case GgufValueType::I16:
        return put(bytes, static_cast<int16_t>(value));
    case GgufValueType::U32:
        return put(bytes, static_cast<uint32_t>(value));
    case GgufValueType::I32:
        return put(bytes, static_cast<int32_t>(value));
    case GgufValueType::F32:
        return put(bytes, static_cast<float>(value));
    case GgufValueType::Bool:
        return put<uint8_t>(bytes, value != 0 ? 1 : 0);
    case GgufValueType::U64:
        return put(bytes, static_cast<uint64_t>(value));
    case GgufValueType::I64:
        return put(bytes, static_cast<int64_t>(value));
    case GgufValueType::F64:
        return put(bytes, static_cast<double>(value));
    case GgufValueType::String:
    case GgufValueType::Array:
        break;
    }
}

void putValue(std::string& bytes, GgufValueType, const std::string& text) {
    putText(bytes, text);
}
template <class Number>
void putValue(std::string& bytes, GgufValueType type, Number value) {
    putNumber(bytes, type, value);
}
template <class Element>
void putValue(std::string& bytes, GgufValueType type, const std::vector<Element>& elements) {
    put(bytes, static_cast<uint32_t>(type));
    put<uint64_t>(bytes, elements.size());
    for (size_t i = 0; i < elements.size(); ++i)
        putValue(bytes, type, static_cast<const Element&>(elements[i]));
}

// Bytes of a tensor; nothing when it cannot have this type and shape.
std::optional<uint64_t> bytesOf(TensorType type, const std::vector<uint64_t>& shape) {
    if (shape.empty() || shape[0] % info(type).blockValues != 0) return std::nullopt;
    uint64_t values = 1;
    for (const uint64_t size : shape) {
        const auto product = checkedMultiply(values, size);
        if (!product) return std::nullopt;
        values = *product;
    }
    return tensorBytes(type, values);
}

} // namespace

void GgufWriter::add(const GgufKey& key) {
    std::string bytes;
    std::visit([&](const auto& value) { putValue(bytes, static_cast<GgufValueType>(key.fileType), value); }, key.value);
    addRaw(key.name, key.isArray ? idOf(GgufValueType::Array) : key.fileType, bytes);
}

Result<void> GgufWriter::declareTensor(std::string_view name, TensorType type, const std::vector<uint64_t>& shape) {
    const auto bytes = bytesOf(type, shape);
    const auto end = bytes ? checkedAdd(m_dataBytes, *bytes) : std::nullopt;
    const auto next = end ? checkedAlignUp(*end, m_alignment) : std::nullopt;
    if (!next)
        return Error{"The tensor " + std::string(name) + " cannot be of type " + std::string(info(type).name) +
                     " in its shape."};
    putText(m_tensorBytes, name);
    put(m_tensorBytes, static_cast<uint32_t>(shape.size()));
    for (const uint64_t size : shape)
        put(m_tensorBytes, size);
    put(m_tensorBytes, static_cast<uint32_t>(type));
    put<uint64_t>(m_tensorBytes, m_dataBytes);
    m_dataBytes = *next;
    ++m_tensors;
    return {};
}

Result<void> GgufWriter::addTensor(std::string_view name, TensorType type, const std::vector<uint64_t>& shape,
                                   std::span<const uint8_t> data) {
    if (bytesOf(type, shape) != data.size())
        return Error{"The tensor " + std::string(name) + " has " + std::to_string(data.size()) +
                     " bytes, which is not what its type and shape need."};
    m_data.resize(m_dataBytes, '\0');
    if (auto done = declareTensor(name, type, shape); !done) return done;
    m_data.append(reinterpret_cast<const char*>(data.data()), data.size());
    return {};
}

std::string GgufWriter::head() const {
    std::string file = "GGUF";
    put<uint32_t>(file, 3);
    put(file, m_tensors);
    put(file, m_keys);
    file += m_keyBytes;
    file += m_tensorBytes;
    if (m_tensors > 0) pad(file, m_alignment);
    return file;
}

std::optional<uint64_t> GgufWriter::fileBytes() const {
    return checkedAdd(head().size(), m_dataBytes);
}

std::string GgufWriter::bytes() const {
    assert(alignUp(m_data.size(), m_alignment) == m_dataBytes);
    std::string file = head() + m_data;
    file.resize(file.size() + (m_dataBytes - m_data.size()), '\0'); // the last tensor too: the field's reader takes whole steps
    return file;
}

Result<void> GgufWriter::write(const std::filesystem::path& path) const {
    auto file = OutputFile::create(path);
    if (!file) return file.error();
    const std::string all = bytes();
    if (auto done = file->write({reinterpret_cast<const uint8_t*>(all.data()), all.size()}); !done) return done;
    return file->finish();
}

} // namespace steelyard
