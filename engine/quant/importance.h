// How much each column of a model's weights counts: the mean square of what is multiplied with it, over a text.
//
// Reads the files that the field's tools make, of both kinds: GGUF with the tensors "<name>.in_sum2" and "<name>.counts", and
// the older list of entries; writes the former. Nothing is believed before it is checked. A tensor of several matrices (of
// experts) has the means of each, or one for all. Knows nothing of how the numbers are come by, or what they are used for.
#pragma once

#include "engine/core/result.h"
#include "engine/format/gguf_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace steelyard {

// What was seen of one tensor's input.
struct ColumnSquares {
    std::vector<float> sums;      // [matrices, columns] of squares
    std::vector<uint64_t> counts; // of rows: for each matrix, or one for all
};

class Importance {
public:
    static Result<Importance> open(const std::filesystem::path& path);
    // From a file's bytes; the error goes on from "The importance matrix ".
    static Result<Importance> parse(std::span<const uint8_t> bytes);

    // An error that says what does not fit where the model's tensors are others.
    Result<void> checkFits(const GgufFile& model) const;

    // Means of squares for the columns of one of a tensor's rows, or null where nothing was seen; of a model that fits.
    const float* columnsOf(const GgufTensor& tensor, uint64_t row) const;
    bool has(const std::string& tensor) const { return m_means.count(tensor) > 0; }

    size_t tensors() const { return m_means.size(); }
    const std::vector<std::string>& texts() const { return m_texts; } // the names of what was read
    uint64_t chunks() const { return m_chunks; }                      // pieces of text

private:
    Result<void> readGguf(std::span<const uint8_t> bytes);
    Result<void> readEntries(std::span<const uint8_t> bytes);
    Result<void> add(const std::string& name, const ColumnSquares& squares);

    std::map<std::string, std::vector<float>> m_means; // [matrices, columns]; zeros where nothing was seen
    std::vector<std::string> m_texts;
    uint64_t m_chunks = 0;
};

// What such a file says of the text.
struct ImportanceSource {
    std::string text; // its name
    uint32_t chunks = 0, chunkTokens = 0;
};

// Writes the GGUF kind. Tensors whose names are too long for it are left out.
Result<void> writeImportance(const std::filesystem::path& path, const std::map<std::string, ColumnSquares>& tensors, const ImportanceSource& source);

} // namespace steelyard
