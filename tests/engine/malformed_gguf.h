// Builds GGUF files byte by byte, so that tests can make every mistake a file can have. Knows nothing of what is right.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace steelyard {

class RawBytes {
public:
    RawBytes& u32(uint32_t value) { return put(value); }
    RawBytes& u64(uint64_t value) { return put(value); }
    RawBytes& f32(float value) { return put(value); }
    RawBytes& f64(double value) { return put(value); }
    RawBytes& u8(uint8_t value) { return put(value); }
    RawBytes& raw(std::string_view text) {
        bytes += text;
        return *this;
    }
    RawBytes& text(std::string_view text) { return u64(text.size()).raw(text); }

    RawBytes& header(uint64_t tensors, uint64_t keys, uint32_t version = 3) {
        return raw("GGUF").u32(version).u64(tensors).u64(keys);
    }
    // A key up to and with its type.
    RawBytes& key(std::string_view name, uint32_t type) { return text(name).u32(type); }
    RawBytes& u32Key(std::string_view name, uint32_t value) { return key(name, 4).u32(value); }
    // A tensor record of up to four dimensions; 0 ends them.
    RawBytes& tensor(std::string_view name, uint32_t type, uint64_t offset, uint64_t a, uint64_t b = 0, uint64_t c = 0,
                     uint64_t d = 0) {
        const uint64_t sizes[] = {a, b, c, d};
        uint32_t count = 1;
        while (count < 4 && sizes[count] != 0)
            ++count;
        text(name).u32(count);
        for (uint32_t i = 0; i < count; ++i)
            u64(sizes[i]);
        return u32(type).u64(offset);
    }
    RawBytes& padTo(size_t alignment) {
        while (bytes.size() % alignment != 0)
            bytes += '\0';
        return *this;
    }
    RawBytes& zeros(size_t count) {
        bytes.append(count, '\0');
        return *this;
    }

    std::string bytes;

private:
    template <class T>
    RawBytes& put(T value) {
        char buffer[sizeof(T)];
        std::memcpy(buffer, &value, sizeof value);
        bytes.append(buffer, sizeof buffer);
        return *this;
    }
};

} // namespace steelyard
