// Heads of GGUF files with each mistake in the header, the keys, the alignment and the tensor records.
#include "tests/engine/malformed_files.h"

#include <cmath>

namespace steelyard {

namespace {

constexpr uint64_t kAll = ~uint64_t(0), kTop = uint64_t(1) << 63;

class HeadList {
public:
    std::vector<MalformedFile> files;

    void header();
    void keys();
    void alignment();
    void tensorNamesAndShapes();
    void tensorTypesAndOffsets();

private:
    void add(const std::string& name, const std::string& bytes, const std::string& says) {
        files.push_back({name, bytes, says});
    }
};

RawBytes withKey(std::string_view name, uint32_t type) {
    RawBytes file;
    file.header(0, 1).key(name, type);
    return file;
}

// One F32 tensor "w" of 8 values behind a head without keys.
RawBytes withTensor(uint32_t type, uint64_t offset, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
    RawBytes file;
    file.header(1, 0).tensor("w", type, offset, a, b, c).padTo(32).zeros(32);
    return file;
}

void HeadList::header() {
    for (const size_t size : {1u, 3u, 4u, 7u, 8u, 23u})
        add("H01 " + std::to_string(size), RawBytes().header(0, 0).bytes.substr(0, size), "only");
    add("H02 magic", RawBytes().raw("ABCD").zeros(40).bytes, "begins with \"ABCD\"");
    add("H02 reversed", RawBytes().raw("FUGG").zeros(40).bytes, "big-endian");
    add("H02 lower", RawBytes().raw("gguf").zeros(40).bytes, "begins with \"gguf\"");
    add("H02 mark", RawBytes().raw("\xEF\xBB\xBFGGUF").zeros(40).bytes, "not a GGUF file");
    add("H02 ggml", RawBytes().raw("lmgg").zeros(40).bytes, "old GGML");
    add("H02 ggjt", RawBytes().raw("tjgg").zeros(40).bytes, "old GGML");
    add("H03 page", "<!DOCTYPE html><html><head></head></html>", "web page");
    add("H03 json", "{\"error\":\"Repository not found\"}   ", "JSON");
    add("H03 zip", RawBytes().raw("PK\x03\x04").zeros(40).bytes, "zip");
    add("H03 pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "LFS pointer");
    add("H03 safetensors", RawBytes().u64(20).raw("{\"a\":{}}").zeros(20).bytes, "SafeTensors");
    add("H04", RawBytes().header(0, 0, 0).bytes, "version is 0");
    add("H05", RawBytes().header(0, 0, 1).bytes, "version 1 is no longer");
    add("H06 4", RawBytes().header(0, 0, 4).bytes, "newer version");
    add("H06 all", RawBytes().header(0, 0, 0xFFFFFFFF).bytes, "newer version");
    add("G07 version 3", RawBytes().header(0, 0, 3).bytes, "");
    add("H05 version 2", RawBytes().header(0, 0, 2).bytes, "");
    add("H07", RawBytes().header(0, 0, 0x03000000).bytes, "big-endian");
    for (const uint64_t count : {kAll, kTop, uint64_t(1) << 60, uint64_t(1) << 32}) {
        add("H08 " + std::to_string(count), RawBytes().header(count, 0).bytes, "tensor count");
        add("H10 " + std::to_string(count), RawBytes().header(0, count).bytes, "key count");
    }
    add("H10 one more", RawBytes().header(0, 2).u32Key("a", 1).u64(9).zeros(8).bytes, "Key 2 of 2");
    add("H10 one less", RawBytes().header(1, 0).u32Key("general.alignment", 32).padTo(32).zeros(64).bytes, "ensor");

    add("H02 GGML", RawBytes().raw("GGML").zeros(40).bytes, "old GGML");
    add("H02 ggla", RawBytes().raw("algg").zeros(40).bytes, "old GGML");
    add("H06 0xFFFF", RawBytes().header(0, 0, 0xFFFF).bytes, "newer version");
    add("H07 version 2", RawBytes().header(0, 0, 0x02000000).bytes, "big-endian");
    add("H09", RawBytes().header(kAll / 33 + 2, 0).zeros(64).bytes, "tensor count");
    add("H03 array", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", "JSON");
    add("H03 gzip", RawBytes().raw("\x1F\x8B").zeros(40).bytes, "gzip");
    add("X whisper", RawBytes().raw("lmgg").u32(51865).u32(1500).zeros(40).bytes, "speech model");
}

void HeadList::keys() {
    for (const uint64_t length : {kAll, kTop, (uint64_t(1) << 31) + 1, uint64_t(65536), uint64_t(40)})
        add("K01 " + std::to_string(length), RawBytes().header(0, 1).u64(length).zeros(30).bytes, "length");
    add("K02", RawBytes().header(0, 1).u64(0).zeros(20).bytes, "is empty");
    add("K03 same", RawBytes().header(0, 2).u32Key("a", 1).u32Key("a", 2).bytes, "duplicate key \"a\"");
    add("K03 other", RawBytes().header(0, 2).u32Key("a", 1).key("a", 7).u8(1).bytes, "duplicate key \"a\"");
    add("K04 zero", withKey(std::string_view("a\0b", 3), 7).u8(1).bytes, "not valid text");
    add("K04 line", withKey("a\nb", 7).u8(1).bytes, "not valid text");
    add("K04 utf8", withKey("a\xFF", 7).u8(1).bytes, "not valid text");
    for (const uint32_t type : {13u, 0xFFFFFFFFu, 0x7FFFFFFFu})
        add("K05 " + std::to_string(type), withKey("a", type).zeros(20).bytes, "unknown type");
    add("K06", withKey("a", 7).u8(2).bytes, "true or false");
    for (const uint64_t length : {kAll, (uint64_t(1) << 30) + 1, uint64_t(9)})
        add("K07 " + std::to_string(length), withKey("a", 8).u64(length).zeros(8).bytes, "length");
    add("K09", withKey("a", 9).u32(9).u64(1).zeros(20).bytes, "nested arrays");
    add("K10", withKey("a", 9).u32(77).u64(kAll).zeros(20).bytes, "unknown type");
    for (const uint64_t count : {kAll, uint64_t(1) << 60, uint64_t(6)})
        add("K11 " + std::to_string(count), withKey("a", 9).u32(4).u64(count).zeros(20).bytes, "count");
    add("K12", withKey("a", 9).u32(8).u64(3).text("x").text("y").u64(1000).zeros(4).bytes, "Element 2");
    add("K13 nan", withKey("a", 6).f32(std::nanf("")).bytes, "finite");
    add("K13 inf", withKey("a", 12).f64(HUGE_VAL).bytes, "finite");

    add("K04 long", withKey(std::string(60000, 'a') + "\n", 7).u8(1).bytes, "not valid text");
    add("K06 255", withKey("a", 7).u8(255).bytes, "true or false");
    add("K06 array", withKey("a", 9).u32(7).u64(2).u8(1).u8(2).bytes, "true or false");
    add("K08", withKey("general.name", 8).text("\xFF\xFE").bytes, "");
    add("K09 depth 2", withKey("a", 9).u32(9).u64(1).u32(9).u64(1).zeros(20).bytes, "nested arrays");
    RawBytes deep = withKey("a", 9);
    for (int depth = 0; depth < 10000; ++depth)
        deep.u32(9).u64(1);
    add("K09 depth 10000", deep.bytes, "nested arrays");
    add("K10 in bounds", withKey("a", 9).u32(13).u64(1).zeros(20).bytes, "unknown type");
    add("K11 texts", withKey("a", 9).u32(8).u64(1u << 20).zeros(20).bytes, "count");
    add("K11 16777217", withKey("a", 9).u32(0).u64((1u << 24) + 1).zeros(20).bytes, "beyond the limit");
    add("K12 first", withKey("a", 9).u32(8).u64(2).u64(kAll).zeros(20).bytes, "Element 0");
    add("K13 -inf", withKey("a", 6).f32(-HUGE_VALF).bytes, "finite");
    add("K13 zero", withKey("a", 6).f32(-0.0f).bytes, "");
    add("K13 denormal", withKey("a", 6).f32(1e-44f).bytes, "");
}

void HeadList::alignment() {
    for (const uint32_t value : {0u, 3u, 13u, 48u, 0x80000000u, 0xFFFFFFFFu})
        add("A01 " + std::to_string(value), RawBytes().header(0, 1).u32Key("general.alignment", value).bytes,
            "power of two");
    add("A02 i32", withKey("general.alignment", 5).u32(32).bytes, "must be a u32");
    add("A02 u64", withKey("general.alignment", 10).u64(32).bytes, "must be a u32");
    add("A02 text", withKey("general.alignment", 8).text("32").bytes, "must be a u32");
    add("A04",
        RawBytes()
            .header(2, 1)
            .u32Key("general.alignment", 64)
            .tensor("a", 0, 0, 8)
            .tensor("b", 0, 32, 8)
            .padTo(64)
            .zeros(96)
            .bytes,
        "not aligned");
    add("A07", RawBytes().header(1, 0).tensor("w", 0, 0, 8).bytes, "no tensor data");

    for (const uint32_t value : {1u, 8u, 32u, 64u, 4096u})
        add("A03 " + std::to_string(value),
            RawBytes()
                .header(2, 1)
                .u32Key("general.alignment", value)
                .tensor("a", 0, 0, 1024)
                .tensor("b", 0, 4096, 1024)
                .padTo(value)
                .zeros(8192)
                .bytes,
            "");
    add("A04 reverse", RawBytes().header(2, 0).tensor("a", 0, 0, 8).tensor("b", 0, 64, 8).padTo(64).zeros(128).bytes,
        "expected");
    add("A05", RawBytes().header(1, 0).tensor("w", 0, 0, 4).padTo(32).zeros(16).raw("not zero at all!").bytes, "");
    add("A06", RawBytes().header(1, 0).tensor("w", 0, 0, 8).padTo(32).zeros(132).bytes, "");
    add("A02 array", withKey("general.alignment", 9).u32(4).u64(1).u32(32).bytes, "must be a u32");
}

void HeadList::tensorNamesAndShapes() {
    add("T01 empty", RawBytes().header(1, 0).tensor("", 0, 0, 8).padTo(32).zeros(32).bytes, "empty name");
    add("T01 64", RawBytes().header(1, 0).tensor(std::string(64, 'x'), 0, 0, 8).padTo(32).zeros(32).bytes, "length 64");
    add("T01 -1", RawBytes().header(1, 0).u64(kAll).zeros(40).bytes, "length");
    add("T01 zero", RawBytes().header(1, 0).tensor(std::string_view("a\0", 2), 0, 0, 8).padTo(32).zeros(32).bytes,
        "not valid text");
    add("T02", RawBytes().header(2, 0).tensor("w", 0, 0, 8).tensor("w", 0, 32, 8).padTo(32).zeros(64).bytes,
        "duplicate tensor \"w\"");
    add("T03 0", RawBytes().header(1, 0).text("w").u32(0).u32(0).u64(0).padTo(32).zeros(64).bytes, "0 dimensions");
    add("T03 5", RawBytes().header(1, 0).text("w").u32(5).zeros(64).bytes, "5 dimensions");
    add("T03 all", RawBytes().header(1, 0).text("w").u32(0xFFFFFFFF).zeros(64).bytes, "dimensions");
    add("T04", withTensor(0, 0, 0).bytes, "dimension 0 is zero");
    add("T05 -1", withTensor(0, 0, kAll).bytes, "dimension 0 is -1");
    add("T05 top", withTensor(0, 0, kTop).bytes, "dimension 0 is");
    add("T06 square", withTensor(0, 0, uint64_t(1) << 32, uint64_t(1) << 32).bytes, "element count overflows");
    add("T06 wraps to 4", withTensor(0, 0, 4194305, 4194305, 211106198978564).bytes, "element count overflows");
    add("T07", withTensor(27, 0, uint64_t(1) << 61).bytes, "byte size overflows");
    add("T08",
        RawBytes()
            .header(2, 0)
            .tensor("a", 24, 0, 0x7FFFFFFFFFFFFFC0)
            .tensor("b", 24, 0x7FFFFFFFFFFFFFC0, 0x7FFFFFFFFFFFFFC0)
            .padTo(32)
            .zeros(64)
            .bytes,
        "overflows");
    add("T01 65", RawBytes().header(1, 0).tensor(std::string(65, 'x'), 0, 0, 8).padTo(32).zeros(32).bytes, "length 65");
    add("T01 utf8", RawBytes().header(1, 0).tensor("a\xFF", 0, 0, 8).padTo(32).zeros(32).bytes, "not valid text");
    add("T04 last", RawBytes().header(1, 0).text("w").u32(2).u64(8).u64(0).u32(0).u64(0).zeros(64).bytes,
        "dimension 1 is zero");
    add("T06 embedding", withTensor(0, 0, 32, (uint64_t(1) << 42) + 1).bytes, "incomplete");
}

void HeadList::tensorTypesAndOffsets() {
    add("T09 -1", withTensor(0xFFFFFFFF, 0, 8).bytes, "unknown tensor type");
    add("T09 top", withTensor(0x80000000, 0, 8).bytes, "unknown tensor type");
    for (const uint32_t type : {4u, 5u, 31u, 33u, 36u, 38u})
        add("T10 " + std::to_string(type), withTensor(type, 0, 8).bytes, "removed");
    add("G10 T11", withTensor(99, 0, 8).bytes, "newer version");
    add("T12 q4_k", withTensor(12, 0, 100).bytes, "row length 100 is not a multiple of 256");
    add("T12 q8_0", withTensor(8, 0, 31).bytes, "row length 31 is not a multiple of 32");
    add("T13 -1", withTensor(0, kAll, 8).bytes, "not aligned");
    add("T13 unaligned", withTensor(0, 8, 8).bytes, "not aligned");
    add("T13 gap", withTensor(0, 64, 8).bytes, "not where it is expected");
    add("T13 wraps", withTensor(0, kAll - 31, 8).bytes, "overflows");
    add("T13 equal", RawBytes().header(2, 0).tensor("a", 0, 0, 8).tensor("b", 0, 0, 8).padTo(32).zeros(64).bytes,
        "overlaps");
    add("T14", withTensor(0, 0, 800).bytes, "incomplete");
    for (const uint32_t type : {32u, 37u})
        add("T10 " + std::to_string(type), withTensor(type, 0, 8).bytes, "removed");
    add("T11 255", withTensor(255, 0, 8).bytes, "newer version");
    add("T11 256", withTensor(256, 0, 8).bytes, "unknown tensor type");
    add("T13 beyond", withTensor(0, uint64_t(1) << 40, 8).bytes, "expected");
    const std::string two = RawBytes().header(2, 0).tensor("a", 0, 0, 64).tensor("b", 0, 256, 64).padTo(32).bytes;
    add("T14 at the data", two, "no tensor data");
    add("T14 first", two + std::string(100, '\0'), "incomplete");
    add("T14 last", two + std::string(400, '\0'), "incomplete");
}

} // namespace

std::vector<MalformedFile> malformedHeads() {
    HeadList list;
    list.header();
    list.keys();
    list.alignment();
    list.tensorNamesAndShapes();
    list.tensorTypesAndOffsets();
    return list.files;
}

} // namespace steelyard
