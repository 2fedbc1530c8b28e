#include "engine/format/gguf_writer.h"

#include "engine/core/checked_math.h"
#include "engine/format/gguf_value_type.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <fstream>
#include <system_error>

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

Result<void> GgufWriter::addTensor(std::string_view name, TensorType type, const std::vector<uint64_t>& shape,
                                   std::span<const uint8_t> data) {
    uint64_t values = 1;
    for (const uint64_t size : shape) {
        const auto product = checkedMultiply(values, size);
        if (!product) return Error{"The tensor " + std::string(name) + " has too many elements."};
        values = *product;
    }
    const auto bytes = tensorBytes(type, values);
    if (shape.empty() || shape[0] % info(type).blockValues != 0 || !bytes || *bytes != data.size())
        return Error{"The tensor " + std::string(name) + " has " + std::to_string(data.size()) +
                     " bytes, which is not what its type and shape need."};
    pad(m_data, m_alignment);
    putText(m_tensorBytes, name);
    put(m_tensorBytes, static_cast<uint32_t>(shape.size()));
    for (const uint64_t size : shape)
        put(m_tensorBytes, size);
    put(m_tensorBytes, static_cast<uint32_t>(type));
    put<uint64_t>(m_tensorBytes, m_data.size());
    m_data.append(reinterpret_cast<const char*>(data.data()), data.size());
    ++m_tensors;
    return {};
}

std::string GgufWriter::bytes() const {
    std::string file = "GGUF";
    put<uint32_t>(file, 3);
    put(file, m_tensors);
    put(file, m_keys);
    file += m_keyBytes;
    file += m_tensorBytes;
    if (m_tensors > 0) pad(file, m_alignment);
    return file + m_data;
}

Result<void> GgufWriter::write(const std::filesystem::path& path) const {
    auto beside = path;
    beside += ".part";
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    const std::string all = bytes();
    file.write(all.data(), static_cast<std::streamsize>(all.size()));
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(beside, path, error);
    if (file && !error) return {};
    std::filesystem::remove(beside, error);
    return Error{"The file " + path.string() + " cannot be written."};
}

} // namespace steelyard
