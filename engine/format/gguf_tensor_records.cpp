// The second half of the parser: tensor records and where their data lies.
#include "engine/core/checked_math.h"
#include "engine/format/gguf_parser.h"
#include "engine/format/readable.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint64_t kLongestTensorName = 63;
constexpr uint32_t kMostDimensions = 4;
// Numbers up to here may become types one day; larger ones are damage.
constexpr uint32_t kPlausibleType = 255;

std::string number(uint64_t value) {
    return std::to_string(value);
}

} // namespace

bool GgufParser::readTensors() {
    for (uint64_t i = 0; i < m_tensorCount; ++i)
        if (!readTensor(i)) return false;
    return true;
}

bool GgufParser::readTensorName(uint64_t tensorNumber, std::string& name) {
    const std::string which = "Tensor " + number(tensorNumber + 1) + " of " + number(m_tensorCount);
    uint64_t length = 0;
    if (!m_reader.read(length)) return fail(which + " is missing: the tensor section ends early.");
    if (length == 0) return fail(which + " has an empty name.");
    if (length > kLongestTensorName)
        return fail(which + " has a name of length " + number(length) + ", beyond the limit of " +
                    number(kLongestTensorName) + ": the tensor section is unreadable.");
    std::string_view text;
    if (!m_reader.take(length, text))
        return fail(which + " has a name of length " + number(length) + ", but only " + number(m_reader.left()) +
                    " bytes are left in the file.");
    const bool control =
        std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    if (control || !isUtf8(text)) return fail(which + " has a name that is not valid text: " + quotedText(text) + ".");
    name = text;
    return true;
}

bool GgufParser::readTensor(uint64_t tensorNumber) {
    GgufTensor tensor{};
    if (!readTensorName(tensorNumber, tensor.name) || !readShape(tensor) || !readTypeAndSize(tensor)) return false;
    if (!m_reader.read(tensor.offset))
        return fail("The offset of tensor " + quotedText(tensor.name) + " is missing: the file ends early.");
    m_file.m_tensors.push_back(std::move(tensor));
    return true;
}

bool GgufParser::readShape(GgufTensor& tensor) {
    const std::string which = "Tensor " + quotedText(tensor.name);
    uint32_t dimensions = 0;
    if (!m_reader.read(dimensions)) return fail(which + " ends early.");
    if (dimensions == 0 || dimensions > kMostDimensions)
        return fail(which + " has " + number(dimensions) + " dimensions; 1 to " + number(kMostDimensions) +
                    " are possible.");
    uint64_t values = 1;
    for (uint32_t j = 0; j < dimensions; ++j) {
        uint64_t size = 0;
        if (!m_reader.read(size)) return fail(which + " ends early.");
        if (size == 0) return fail(which + ": dimension " + number(j) + " is zero.");
        if (size > INT64_MAX)
            return fail(which + ": dimension " + number(j) + " is " + std::to_string(static_cast<int64_t>(size)) +
                        ", which is no possible size.");
        const auto product = checkedMultiply(values, size);
        if (!product || *product > INT64_MAX)
            return fail(which + ": the element count overflows at dimension " + number(j) + " of size " + number(size) +
                        ".");
        values = *product;
        tensor.shape.push_back(size);
    }
    return true;
}

bool GgufParser::readTypeAndSize(GgufTensor& tensor) {
    const std::string which = "Tensor " + quotedText(tensor.name);
    uint32_t id = 0;
    if (!m_reader.read(id)) return fail(which + " ends early.");
    if (isRemovedTensorType(id))
        return fail(which + " has type " + number(id) +
                    ", which was removed from the format; get a newer quantization of this model.");
    const auto type = tensorTypeFromId(id);
    if (!type) {
        if (id <= kPlausibleType)
            return fail(which + " has the unknown tensor type " + number(id) +
                        "; the file needs a newer version of the program.");
        return fail(which + " has the unknown tensor type " + number(id) + ".");
    }
    tensor.type = *type;
    const auto& row = info(*type);
    if (tensor.shape[0] % row.blockValues != 0)
        return fail(which + ": the row length " + number(tensor.shape[0]) + " is not a multiple of " +
                    number(row.blockValues) + ", the block of type " + std::string(row.name) + ".");
    uint64_t values = 1;
    for (const uint64_t size : tensor.shape)
        values *= size; // checked by readShape
    const auto bytes = tensorBytes(*type, values);
    if (!bytes || *bytes > INT64_MAX) return fail(which + ": the byte size overflows.");
    tensor.bytes = *bytes;
    return true;
}

bool GgufParser::indexTensors() {
    m_file.m_tensorIndex.reserve(m_file.m_tensors.size());
    for (size_t i = 0; i < m_file.m_tensors.size(); ++i) {
        const std::string& name = m_file.m_tensors[i].name;
        if (!m_file.m_tensorIndex.emplace(name, i).second)
            return fail("The file has the duplicate tensor " + quotedText(name) + ".");
    }
    return true;
}

// Tensors lie one behind the other in the order of their records, each at the next multiple of the alignment; so none
// can overlap another.
bool GgufParser::placeTensors() {
    const auto start = checkedAlignUp(m_reader.position(), m_alignment);
    if (!start) return fail("The start of the tensor data overflows.");
    m_file.m_dataOffset = *start;
    if (m_file.m_tensors.empty()) return true;
    if (m_requireData && *start >= m_file.m_fileBytes)
        return fail("The file has no tensor data: it ends at " + number(m_file.m_fileBytes) +
                    ", where the data should begin at " + number(*start) + ".");
    uint64_t expected = 0;
    uint64_t end = *start;
    for (auto& tensor : m_file.m_tensors) {
        const std::string which = "Tensor " + quotedText(tensor.name) + " at offset " + number(tensor.offset);
        if (tensor.offset % m_alignment != 0)
            return fail(which + " is not aligned to " + number(m_alignment) + " bytes.");
        const auto from = checkedAdd(*start, tensor.offset);
        const auto to = from ? checkedAdd(*from, tensor.bytes) : std::nullopt;
        if (!to || *to > INT64_MAX)
            return fail(which + " with " + number(tensor.bytes) + " bytes: the total size overflows.");
        if (tensor.offset < expected)
            return fail(which + " overlaps the tensor before it, which ends at " + number(expected) + ".");
        if (tensor.offset > expected)
            return fail(which + " with " + number(tensor.bytes) + " bytes is not where it is expected: at offset " +
                        number(expected) + ".");
        const auto next = checkedAlignUp(tensor.offset + tensor.bytes, m_alignment);
        if (!next) return fail(which + " with " + number(tensor.bytes) + " bytes: the total size overflows.");
        expected = *next;
        tensor.offset = *from;
        end = *to;
    }
    if (m_requireData && end > m_file.m_fileBytes)
        return fail("The file is incomplete: its tensors need " + number(end) + " bytes, but it has " +
                    number(m_file.m_fileBytes) + ". Download it again or let the download finish.");
    noteWhatFollows(end);
    return true;
}

void GgufParser::noteWhatFollows(uint64_t dataEnd) {
    const auto next = checkedAlignUp(dataEnd, m_alignment);
    if (!next || *next >= m_file.m_fileBytes) return;
    const auto glued = [&](uint64_t at) {
        return m_head.size() >= 4 && at <= m_head.size() - 4 &&
               std::equal(m_head.begin() + static_cast<std::ptrdiff_t>(at),
                          m_head.begin() + static_cast<std::ptrdiff_t>(at) + 4, "GGUF");
    };
    if (glued(dataEnd) || glued(*next))
        m_file.m_notices.push_back(
            "A second GGUF file is glued behind the first: two files were joined. Only the first is used.");
    else
        m_file.m_notices.push_back("The file has " + number(m_file.m_fileBytes - *next) +
                                   " bytes behind its tensors, which are ignored.");
}

} // namespace steelyard
