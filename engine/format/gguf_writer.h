// Makes GGUF files of version 3: keys and tensors in the order in which they were added. Who adds decides what makes
// sense; only the sizes of tensors are checked. A file of any size is written as its head and then the tensors' bytes by
// whoever has them: the writer holds only the data that it was given.
#pragma once

#include "engine/core/result.h"
#include "engine/core/tensor_type.h"
#include "engine/format/gguf_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

class GgufWriter {
public:
    // `alignment` of tensor data: a power of two. Written as a key when it is not 32.
    explicit GgufWriter(uint32_t alignment = 32);

    // One overload for each kind of value that files have.
    void add(std::string_view key, bool value);
    void add(std::string_view key, uint32_t value);
    void add(std::string_view key, int32_t value);
    void add(std::string_view key, uint64_t value);
    void add(std::string_view key, int64_t value);
    void add(std::string_view key, float value);
    void add(std::string_view key, double value);
    void add(std::string_view key, std::string_view value);
    void add(std::string_view key, const char* value) { add(key, std::string_view(value)); }
    void add(std::string_view key, const std::vector<std::string>& values);
    void add(std::string_view key, const std::vector<float>& values);
    void add(std::string_view key, const std::vector<int32_t>& values);
    void add(std::string_view key, const std::vector<uint32_t>& values);
    // A key with its type number and the bytes of its value as they stand in the file.
    void addRaw(std::string_view key, uint32_t type, std::string_view bytes);
    // A key as another file has it.
    void add(const GgufKey& key);

    // A tensor; `shape` fastest first. `data` must have the bytes of the type and shape.
    Result<void> addTensor(std::string_view name, TensorType type, const std::vector<uint64_t>& shape,
                           std::span<const uint8_t> data);
    // A tensor whose data somebody else writes behind the head: each one at the next multiple of the alignment, in order.
    Result<void> declareTensor(std::string_view name, TensorType type, const std::vector<uint64_t>& shape);

    // All that stands before the tensors' data, with the gap that follows.
    std::string head() const;
    // Of the whole file, the last tensor filled up to the alignment.
    std::optional<uint64_t> fileBytes() const;

    // The whole file, if no tensor was only declared.
    std::string bytes() const;
    // Written beside the place and then moved there, so that no half file ever stands under the name.
    Result<void> write(const std::filesystem::path& path) const;

private:
    uint32_t m_alignment;
    uint64_t m_keys = 0, m_tensors = 0;
    uint64_t m_dataBytes = 0; // of all tensors, where the next one begins
    std::string m_keyBytes, m_tensorBytes, m_data;
};

} // namespace steelyard
