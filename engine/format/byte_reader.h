// Reads little-endian values from bytes that nobody vouches for: every read is checked against the end, and after one
// failed read all later ones fail too. Knows nothing of the format that is read.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace steelyard {

class ByteReader {
public:
    explicit ByteReader(std::span<const uint8_t> bytes) : m_bytes(bytes) {}

    uint64_t position() const { return m_position; }
    uint64_t left() const { return m_bytes.size() - m_position; }

    // Reads one number; false when the bytes end before it.
    template <class T>
    bool read(T& value) {
        static_assert(std::is_arithmetic_v<T>);
        static_assert(std::endian::native == std::endian::little, "the file's byte order is the machine's");
        if (left() < sizeof(T)) return false;
        std::memcpy(&value, m_bytes.data() + m_position, sizeof(T));
        m_position += sizeof(T);
        return true;
    }

    // Takes `length` bytes as a view into the source; false when fewer are left.
    bool take(uint64_t length, std::string_view& text) {
        if (length > left()) return false;
        text = {reinterpret_cast<const char*>(m_bytes.data()) + m_position, static_cast<size_t>(length)};
        m_position += length;
        return true;
    }

private:
    std::span<const uint8_t> m_bytes;
    uint64_t m_position = 0;
};

} // namespace steelyard
