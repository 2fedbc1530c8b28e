// The value types of GGUF keys: the format's own numbers, and the bytes that one value takes.
#pragma once

#include <cstdint>
#include <string_view>

namespace steelyard {

enum class GgufValueType : uint32_t {
    U8 = 0,
    I8 = 1,
    U16 = 2,
    I16 = 3,
    U32 = 4,
    I32 = 5,
    F32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    U64 = 10,
    I64 = 11,
    F64 = 12,
};
constexpr uint32_t kGgufValueTypes = 13;

// Bytes of a value of fixed size; 0 for strings, arrays and unknown numbers.
constexpr uint64_t ggufValueBytes(uint32_t type) {
    constexpr uint64_t kBytes[kGgufValueTypes] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < kGgufValueTypes ? kBytes[type] : 0;
}

// The type's name as people write it: "u32", "string".
constexpr std::string_view ggufValueTypeName(uint32_t type) {
    constexpr std::string_view kNames[kGgufValueTypes] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                                          "bool", "string", "array", "u64", "i64", "f64"};
    return type < kGgufValueTypes ? kNames[type] : "unknown";
}

} // namespace steelyard
