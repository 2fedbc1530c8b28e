#include "engine/format/gguf_parser.h"

#include "engine/core/checked_math.h"
#include "engine/format/foreign_file.h"
#include "engine/format/gguf_value_type.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace steelyard {

namespace {

constexpr uint64_t kHeaderBytes = 24;
constexpr uint64_t kSmallestKeyBytes = 8 + 1 + 4 + 1; // length, one letter, type, one byte
constexpr uint64_t kLongestKey = 65535;
constexpr uint64_t kLongestString = uint64_t(1) << 26;
constexpr uint64_t kLargestArray = uint64_t(1) << 24;
constexpr uint64_t kLargestAlignment = 65536;

uint32_t byteSwapped(uint32_t v) {
    return (v >> 24) | ((v >> 8) & 0xFF00) | ((v << 8) & 0xFF0000) | (v << 24);
}

std::string number(uint64_t value) {
    return std::to_string(value);
}

template <class Stored, class Wide>
bool readNumbers(ByteReader& reader, uint64_t count, std::vector<Wide>& values) {
    values.resize(count);
    for (auto& value : values) {
        Stored stored{};
        if (!reader.read(stored)) return false;
        value = static_cast<Wide>(stored);
    }
    return true;
}

// Reads `count` numbers of a GGUF type into the widest type of their kind.
bool readNumbers(ByteReader& reader, GgufValueType type, uint64_t count, GgufValue& value) {
    const auto wide = [&](auto stored, auto widened) {
        std::vector<decltype(widened)> values;
        const bool done = readNumbers<decltype(stored)>(reader, count, values);
        value = std::move(values);
        return done;
    };
    switch (type) {
    case GgufValueType::U8:
        return wide(uint8_t{}, uint64_t{});
    case GgufValueType::I8:
        return wide(int8_t{}, int64_t{});
    case GgufValueType::U16:
        return wide(uint16_t{}, uint64_t{});
    case GgufValueType::I16:
        return wide(int16_t{}, int64_t{});
    case GgufValueType::U32:
        return wide(uint32_t{}, uint64_t{});
    case GgufValueType::I32:
        return wide(int32_t{}, int64_t{});
    case GgufValueType::F32:
        return wide(float{}, double{});
    case GgufValueType::U64:
        return wide(uint64_t{}, uint64_t{});
    case GgufValueType::I64:
        return wide(int64_t{}, int64_t{});
    case GgufValueType::F64:
        return wide(double{}, double{});
    case GgufValueType::Bool:
    case GgufValueType::String:
    case GgufValueType::Array:
        break;
    }
    return false;
}

bool readBools(ByteReader& reader, uint64_t count, std::vector<bool>& values) {
    values.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
        uint8_t byte = 0;
        if (!reader.read(byte) || byte > 1) return false;
        values.push_back(byte == 1);
    }
    return true;
}

} // namespace

bool GgufParser::fail(std::string sentence) {
    m_sentence = std::move(sentence);
    return false;
}

Result<GgufFile> GgufParser::parse(std::span<const uint8_t> head, uint64_t fileBytes, bool requireData) {
    GgufParser parser(head, fileBytes, requireData);
    const bool done = parser.readHeader() && parser.readKeys() && parser.indexKeys() && parser.readAlignment() &&
                      parser.readTensors() && parser.indexTensors() && parser.placeTensors();
    if (!done) return Error{std::move(parser.m_sentence)};
    return std::move(parser.m_file);
}

bool GgufParser::readHeader() {
    std::string_view magic;
    if (!m_reader.take(4, magic) || magic != "GGUF") return fail(describeForeignFile(m_head, m_file.m_fileBytes));
    uint32_t version = 0;
    if (m_head.size() < kHeaderBytes || !m_reader.read(version) || !m_reader.read(m_tensorCount) ||
        !m_reader.read(m_keyCount))
        return fail("This is not a GGUF file: it has only " + number(m_head.size()) +
                    " bytes, fewer than a GGUF head.");
    m_file.m_version = version;
    if (version == 0) return fail("The GGUF version is 0, which is invalid: the file is damaged.");
    if (version == 1) return fail("GGUF version 1 is no longer supported; get the model as GGUF version 3.");
    if ((version & 0xFFFF) == 0 && byteSwapped(version) <= 3)
        return fail("This is a big-endian GGUF file (version " + number(byteSwapped(version)) +
                    "); get the little-endian one.");
    if (version > 3)
        return fail("The file needs a newer version of the program: its GGUF version is " + number(version) +
                    ", and versions 2 and 3 are known.");
    const uint64_t left = m_reader.left();
    if (m_keyCount > left / kSmallestKeyBytes)
        return fail("The key count " + number(m_keyCount) + " cannot fit in " + number(m_file.m_fileBytes) + " bytes.");
    if (m_tensorCount > left / 33) // the smallest tensor record
        return fail("The tensor count " + number(m_tensorCount) + " cannot fit in " + number(m_file.m_fileBytes) +
                    " bytes.");
    return true;
}

bool GgufParser::readKeys() {
    for (uint64_t i = 0; i < m_keyCount; ++i)
        if (!readKey(i)) return false;
    return true;
}

bool GgufParser::readKeyName(uint64_t keyNumber, std::string& name) {
    const std::string which = "Key " + number(keyNumber + 1) + " of " + number(m_keyCount);
    uint64_t length = 0;
    if (!m_reader.read(length)) return fail(which + " is missing: the key section ends early.");
    if (length == 0) return fail(which + " is empty: a key needs a name.");
    if (length > kLongestKey)
        return fail(which + " has length " + number(length) + ", beyond the limit of " + number(kLongestKey) + ".");
    std::string_view text;
    if (!m_reader.take(length, text))
        return fail(which + " has length " + number(length) + ", but only " + number(m_reader.left()) +
                    " bytes are left in the file.");
    const bool control =
        std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    if (control || !isUtf8(text)) return fail(which + " is not valid text: " + quotedText(text) + ".");
    name = text;
    return true;
}

bool GgufParser::readKey(uint64_t keyNumber) {
    GgufKey key{};
    if (!readKeyName(keyNumber, key.name)) return false;
    uint32_t type = 0;
    if (!m_reader.read(type))
        return fail("The type of key " + quotedText(key.name) + " is missing: the file ends early.");
    if (type >= kGgufValueTypes)
        return fail("Key " + quotedText(key.name) + " has the unknown type " + number(type) + ".");
    key.fileType = type;
    key.isArray = static_cast<GgufValueType>(type) == GgufValueType::Array;
    if (!(key.isArray ? readArray(key) : readScalar(key))) return false;
    m_file.m_keys.push_back(std::move(key));
    return true;
}

bool GgufParser::readScalar(GgufKey& key) {
    const auto type = static_cast<GgufValueType>(key.fileType);
    if (type == GgufValueType::String)
        return readString("The value of " + quotedText(key.name), key.value.emplace<std::string>());
    const auto endsEarly = [&] {
        return fail("The value of " + quotedText(key.name) + " is missing: the file ends early.");
    };
    if (type == GgufValueType::Bool) {
        uint8_t byte = 0;
        if (!m_reader.read(byte)) return endsEarly();
        if (byte > 1)
            return fail("The value of " + quotedText(key.name) + " must be true or false (1 or 0), not " +
                        number(byte) + ".");
        key.value = byte == 1;
        return true;
    }
    GgufValue one;
    if (!readNumbers(m_reader, type, 1, one)) return endsEarly();
    if (const auto* reals = std::get_if<std::vector<double>>(&one)) {
        if (!std::isfinite(reals->front())) return fail("The value of " + quotedText(key.name) + " must be finite.");
        key.value = reals->front();
    } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&one)) {
        key.value = integers->front();
    } else {
        key.value = std::get<std::vector<uint64_t>>(one).front();
    }
    return true;
}

bool GgufParser::readString(const std::string& what, std::string& text) {
    uint64_t length = 0;
    if (!m_reader.read(length)) return fail(what + " is missing: the file ends early.");
    if (length > kLongestString)
        return fail(what + " has length " + number(length) + ", beyond the limit of " + number(kLongestString) + ".");
    std::string_view view;
    if (!m_reader.take(length, view))
        return fail(what + " has length " + number(length) + ", but only " + number(m_reader.left()) +
                    " bytes are left in the file.");
    text = view;
    return true;
}

bool GgufParser::readArray(GgufKey& key) {
    const std::string array = "Array " + quotedText(key.name);
    uint64_t count = 0;
    if (!m_reader.read(key.fileType) || !m_reader.read(count)) return fail(array + " is missing: the file ends early.");
    if (key.fileType >= kGgufValueTypes)
        return fail(array + " has elements of the unknown type " + number(key.fileType) + ".");
    const auto type = static_cast<GgufValueType>(key.fileType);
    if (type == GgufValueType::Array) return fail(array + " holds arrays: nested arrays are not supported.");
    if (count > kLargestArray)
        return fail(array + " has count " + number(count) + ", beyond the limit of " + number(kLargestArray) + ".");
    const uint64_t smallest = type == GgufValueType::String ? 8 : ggufValueBytes(key.fileType);
    if (count > m_reader.left() / smallest)
        return fail(array + " has count " + number(count) + ", but only " + number(m_reader.left()) +
                    " bytes are left in the file.");
    if (type == GgufValueType::String) return readStringArray(key, count);
    if (type == GgufValueType::Bool) {
        if (readBools(m_reader, count, key.value.emplace<std::vector<bool>>())) return true;
        return fail(array + " must hold true or false (1 or 0) only.");
    }
    return readNumbers(m_reader, type, count, key.value) || fail(array + " ends early.");
}

bool GgufParser::readStringArray(GgufKey& key, uint64_t count) {
    auto& strings = key.value.emplace<std::vector<std::string>>();
    strings.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t length = 0;
        std::string_view view;
        if (!m_reader.read(length) || length > kLongestString || !m_reader.take(length, view))
            return fail("Element " + number(i) + " of array " + quotedText(key.name) + " has length " + number(length) +
                        ", but only " + number(m_reader.left()) + " bytes are left in the file.");
        strings.emplace_back(view);
    }
    return true;
}

bool GgufParser::indexKeys() {
    m_file.m_keyIndex.reserve(m_file.m_keys.size());
    for (size_t i = 0; i < m_file.m_keys.size(); ++i) {
        const std::string& name = m_file.m_keys[i].name;
        if (!m_file.m_keyIndex.emplace(name, i).second)
            return fail("The file has the duplicate key " + quotedText(name) + ".");
    }
    return true;
}

bool GgufParser::readAlignment() {
    const GgufKey* key = m_file.find("general.alignment");
    if (!key) return true;
    if (key->isArray || static_cast<GgufValueType>(key->fileType) != GgufValueType::U32)
        return fail("\"general.alignment\" must be a u32, but it is of type " +
                    std::string(key->isArray ? "array" : ggufValueTypeName(key->fileType)) + ".");
    const uint64_t value = std::get<uint64_t>(key->value);
    if (!std::has_single_bit(value) || value > kLargestAlignment)
        return fail("\"general.alignment\" is " + number(value) +
                    ", but the alignment must be a power of two between 1 and " + number(kLargestAlignment) + ".");
    m_alignment = value;
    return true;
}

} // namespace steelyard
