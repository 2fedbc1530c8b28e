#include "engine/quant/importance.h"

#include "engine/core/checked_math.h"
#include "engine/format/byte_reader.h"
#include "engine/format/gguf_writer.h"
#include "engine/format/mapped_file.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace steelyard {

namespace {

constexpr std::string_view kSums = ".in_sum2", kCounts = ".counts";
constexpr size_t kLongestName = 63; // of a GGUF tensor

bool endsWith(std::string_view text, std::string_view ending) {
    return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

Error damaged(const std::string& why) { return {"is damaged: " + why}; }

// The values of an F32 tensor of a file that lies in memory.
Result<std::vector<float>> floatsOf(const GgufTensor& tensor, std::span<const uint8_t> bytes) {
    if (tensor.type != TensorType::F32) return damaged("the tensor " + quotedText(tensor.name) + " is not of type F32.");
    const auto end = checkedAdd(tensor.offset, tensor.bytes);
    if (!end || *end > bytes.size()) return damaged("the tensor " + quotedText(tensor.name) + " lies beyond its end.");
    std::vector<float> values(tensor.bytes / sizeof(float));
    std::memcpy(values.data(), bytes.data() + tensor.offset, values.size() * sizeof(float));
    return values;
}

// The matrices that a tensor holds one after the other.
uint64_t matricesOf(const GgufTensor& tensor) {
    const uint64_t rows = tensor.shape.size() > 1 ? tensor.shape[1] : 1;
    return tensor.rows() / rows;
}

} // namespace

Result<Importance> Importance::open(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file) return file.error();
    auto importance = parse(file->bytes());
    if (!importance) return Error{"The importance matrix " + pathText(path) + " " + importance.sentence()};
    if (!file->stillWhole()) return Error{"The importance matrix " + pathText(path) + " changed while it was being read; try again."};
    return importance;
}

Result<Importance> Importance::parse(std::span<const uint8_t> bytes) {
    Importance importance;
    const bool gguf = bytes.size() >= 4 && std::memcmp(bytes.data(), "GGUF", 4) == 0;
    if (auto done = gguf ? importance.readGguf(bytes) : importance.readEntries(bytes); !done) return done.error();
    if (importance.m_means.empty()) return Error{"says nothing of any tensor."};
    return importance;
}

Result<void> Importance::readGguf(std::span<const uint8_t> bytes) {
    const auto file = GgufFile::parse(bytes, bytes.size());
    if (!file) return damaged(file.sentence());
    for (const auto& tensor : file->tensors()) {
        if (!endsWith(tensor.name, kSums)) continue;
        const std::string name = tensor.name.substr(0, tensor.name.size() - kSums.size());
        const auto* countsTensor = file->findTensor(name + std::string(kCounts));
        if (!countsTensor) return damaged("the tensor " + quotedText(name + std::string(kCounts)) + " is missing.");
        auto sums = floatsOf(tensor, bytes);
        if (!sums) return sums.error();
        const auto counts = floatsOf(*countsTensor, bytes);
        if (!counts) return counts.error();
        ColumnSquares squares{std::move(*sums), {}};
        for (const float count : *counts) {
            if (!(count >= 0.0f && count < 1e18f)) return damaged("a count of " + quotedText(name) + " is no count.");
            squares.counts.push_back(static_cast<uint64_t>(count));
        }
        if (auto done = add(name, squares); !done) return done;
    }
    if (m_means.empty()) return Error{"is a GGUF file of another kind: it has no sums of squares."};
    if (const auto texts = file->stringArray("imatrix.datasets"); texts && *texts) m_texts = **texts;
    if (const auto chunks = file->unsignedValue("imatrix.chunk_count"); chunks) m_chunks = chunks->value_or(0);
    return {};
}

// The older kind: the number of entries, then of each the length of its name, the name, how many chunks it saw, the number of
// values and the values, means times the chunks; then the number of chunks and the name of the text, which may be missing.
Result<void> Importance::readEntries(std::span<const uint8_t> bytes) {
    ByteReader reader(bytes);
    int32_t entries = 0;
    constexpr int32_t kMostEntries = 1 << 20, kLongest = 4096;
    if (!reader.read(entries) || entries < 1 || entries > kMostEntries) return Error{"is no importance matrix."};
    for (int32_t entry = 0; entry < entries; ++entry) {
        int32_t length = 0, chunks = 0, count = 0;
        std::string_view name, values;
        if (!reader.read(length) || length < 1 || length > kLongest || !reader.take(static_cast<uint64_t>(length), name) || !isUtf8(name))
            return entry == 0 ? Error{"is no importance matrix."} : damaged("entry " + std::to_string(entry + 1) + " has no name.");
        if (!reader.read(chunks) || !reader.read(count) || count < 1 || !reader.take(uint64_t(count) * sizeof(float), values))
            return damaged("it ends in the values of " + quotedText(name) + ".");
        ColumnSquares squares;
        squares.sums.resize(static_cast<size_t>(count));
        std::memcpy(squares.sums.data(), values.data(), values.size());
        squares.counts.push_back(static_cast<uint64_t>(std::max(chunks, 1)));
        if (auto done = add(std::string(name), squares); !done) return done;
    }
    int32_t chunks = 0, length = 0;
    std::string_view text;
    if (reader.read(chunks) && chunks > 0) m_chunks = static_cast<uint64_t>(chunks);
    if (reader.read(length) && length > 0 && length <= kLongest && reader.take(static_cast<uint64_t>(length), text) && isUtf8(text)) m_texts.emplace_back(text);
    return {};
}

// Sums become means.
Result<void> Importance::add(const std::string& name, const ColumnSquares& squares) {
    const size_t matrices = squares.counts.size(), values = squares.sums.size();
    if (matrices == 0 || values == 0 || values % matrices != 0)
        return damaged(quotedText(name) + " has " + std::to_string(values) + " sums for " + std::to_string(matrices) + " counts.");
    if (m_means.count(name)) return damaged(quotedText(name) + " stands in it twice.");
    std::vector<float> means(values);
    for (size_t i = 0; i < values; ++i) {
        const uint64_t count = squares.counts[i / (values / matrices)];
        if (!(squares.sums[i] >= 0.0f && std::isfinite(squares.sums[i]))) return damaged("a sum of " + quotedText(name) + " is no sum of squares.");
        means[i] = count > 0 ? squares.sums[i] / static_cast<float>(count) : 0.0f;
    }
    m_means.emplace(name, std::move(means));
    return {};
}

Result<void> Importance::checkFits(const GgufFile& model) const {
    bool any = false;
    for (const auto& tensor : model.tensors()) {
        const auto found = m_means.find(tensor.name);
        if (found == m_means.end()) continue;
        any = true;
        const uint64_t values = found->second.size(), matrices = matricesOf(tensor);
        if (values == tensor.columns() || (values % matrices == 0 && values / matrices == tensor.columns())) continue;
        return Error{"The importance matrix is of another model: it has " + std::to_string(values) + " values for " + quotedText(tensor.name) +
                     ", which has " + std::to_string(tensor.columns()) + " columns" +
                     (matrices > 1 ? " in each of " + std::to_string(matrices) + " matrices." : ".")};
    }
    if (!any) return Error{"The importance matrix is of another model: it says nothing of any of this model's tensors."};
    return {};
}

const float* Importance::columnsOf(const GgufTensor& tensor, uint64_t row) const {
    const auto found = m_means.find(tensor.name);
    if (found == m_means.end()) return nullptr;
    const uint64_t columns = tensor.columns(), values = found->second.size();
    const uint64_t matrix = values == columns ? 0 : row / (tensor.rows() / matricesOf(tensor));
    const float* first = found->second.data() + matrix * columns;
    return std::any_of(first, first + columns, [](float mean) { return mean > 0.0f; }) ? first : nullptr;
}

Result<void> writeImportance(const std::filesystem::path& path, const std::map<std::string, ColumnSquares>& tensors, const ImportanceSource& source) {
    GgufWriter writer;
    writer.add("general.type", "imatrix");
    writer.add("imatrix.datasets", std::vector<std::string>{source.text});
    writer.add("imatrix.chunk_count", source.chunks);
    writer.add("imatrix.chunk_size", source.chunkTokens);
    const auto bytesOf = [](const std::vector<float>& values) {
        return std::span(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float));
    };
    for (const auto& [name, squares] : tensors) {
        if (name.size() + kSums.size() > kLongestName) continue;
        const uint64_t matrices = squares.counts.size();
        const std::vector<float> counts(squares.counts.begin(), squares.counts.end());
        if (auto done = writer.addTensor(name + std::string(kSums), TensorType::F32, {squares.sums.size() / matrices, matrices}, bytesOf(squares.sums)); !done)
            return done;
        if (auto done = writer.addTensor(name + std::string(kCounts), TensorType::F32, {1, matrices}, bytesOf(counts)); !done) return done;
    }
    return writer.write(path);
}

} // namespace steelyard
