// A GGUF file's head: its keys and the records of its tensors, all validated. A model that is split over several files
// is one GgufFile, whichever part was named.
//
// Nothing is believed before it is checked: counts against the bytes left, products and sums against overflow, offsets
// against the file's size, names and keys against duplicates. After a successful parse every tensor lies inside the
// file and overlaps no other. Knows nothing of architectures. Source: the GGUF specification, versions 2 and 3.
#pragma once

#include "engine/core/result.h"
#include "engine/core/tensor_type.h"
#include "engine/format/mapped_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace steelyard {

// A metadata value. Integers keep their sign; arrays of numbers are widened to 64 bits or double.
using GgufValue = std::variant<bool, int64_t, uint64_t, double, std::string, std::vector<int64_t>,
                               std::vector<uint64_t>, std::vector<double>, std::vector<bool>, std::vector<std::string>>;

struct GgufKey {
    std::string name;
    uint32_t fileType; // the GGUF value type number as in the file; for arrays the element's
    bool isArray = false;
    GgufValue value;
};

struct GgufTensor {
    std::string name;
    TensorType type;
    std::vector<uint64_t> shape; // fastest first, as in the file: shape[0] is the length of a row
    uint64_t offset;             // from the start of its part
    uint64_t bytes;
    uint32_t part = 0; // index into the file's parts

    uint64_t columns() const { return shape.empty() ? 1 : shape[0]; }
    uint64_t rows() const; // product of all other dimensions
};

class GgufFile {
public:
    GgufFile(GgufFile&&) = default;
    GgufFile& operator=(GgufFile&&) = default;
    GgufFile(const GgufFile&) = delete; // the indexes look into the vectors
    GgufFile& operator=(const GgufFile&) = delete;

    // Maps and parses a file, and the other parts of a split one. `requireData` as for parse().
    static Result<GgufFile> open(const std::filesystem::path& path, bool requireData = true);

    // Parses a head in memory. `fileBytes` is the size of the whole file, which may be larger than `head` (a head read
    // from afar, or a head without data for a memory estimate: `requireData` false skips the check that data is there).
    static Result<GgufFile> parse(std::span<const uint8_t> head, uint64_t fileBytes, bool requireData = true);

    uint32_t version() const { return m_version; }
    uint64_t fileBytes() const { return m_fileBytes; }   // of all parts together
    uint64_t dataOffset() const { return m_dataOffset; } // in the first part
    std::span<const GgufKey> keys() const { return m_keys; }
    std::span<const GgufTensor> tensors() const { return m_tensors; }

    // Sentences about oddities that do no harm (bytes behind the data and the like).
    std::span<const std::string> notices() const { return m_notices; }

    const GgufKey* find(std::string_view key) const;
    const GgufTensor* findTensor(std::string_view name) const;

    // Typed look-ups: nothing when absent; an error that names the key when the type or range is wrong.
    Result<std::optional<uint64_t>> unsignedValue(std::string_view key) const;
    Result<std::optional<double>> realValue(std::string_view key) const; // finite
    Result<std::optional<bool>> boolValue(std::string_view key) const;
    Result<std::optional<std::string>> stringValue(std::string_view key) const;
    // Arrays; a null pointer when absent.
    Result<const std::vector<std::string>*> stringArray(std::string_view key) const;
    Result<std::vector<int64_t>> integerArray(std::string_view key) const; // empty when absent
    Result<std::vector<double>> realArray(std::string_view key) const;     // empty when absent

    // The tensor's bytes; empty where the file's data is not there (a parsed head).
    std::span<const uint8_t> data(const GgufTensor& tensor) const;
    // The mapped files, more than one for a split model; none for a parsed head.
    std::span<const std::shared_ptr<const MappedFile>> parts() const { return m_parts; }
    // False when a file on disk is now shorter than it was when opened.
    bool stillWhole() const;

private:
    friend class GgufParser;
    friend class GgufParts;
    GgufFile() = default;
    uint32_t m_version = 0;
    uint64_t m_fileBytes = 0, m_dataOffset = 0;
    std::vector<GgufKey> m_keys;
    std::vector<GgufTensor> m_tensors;
    std::vector<std::string> m_notices;
    std::unordered_map<std::string_view, size_t> m_keyIndex, m_tensorIndex; // views into the vectors' strings
    std::vector<std::shared_ptr<const MappedFile>> m_parts;
};

} // namespace steelyard
