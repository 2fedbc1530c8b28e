#include "engine/evaluate/window_file.h"

#include "engine/core/little_endian.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace steelyard {

namespace {

constexpr uint32_t kVersion = 1;
constexpr uint64_t kHeadBytes = WindowFile::kHeadBytes, kWindowHeadBytes = WindowFile::kWindowHeadBytes;

uint64_t checksumOf(std::span<const uint8_t> bytes) {
    const CacheKey hash = hashOf({bytes});
    return littleAt<uint64_t>(hash.bytes, 0);
}

std::array<uint8_t, kHeadBytes> headOf(const CacheKey& key) {
    std::array<uint8_t, kHeadBytes> head{};
    std::memcpy(head.data(), "STLYWIN", 8);
    putLittle<uint64_t>(std::span(head).subspan(8, 4), kVersion);
    std::copy(key.bytes.begin(), key.bytes.end(), head.begin() + 16);
    putLittle<uint64_t>(std::span(head).subspan(32, 8), checksumOf(std::span(head).first(32)));
    return head;
}

bool readInto(std::istream& file, std::span<uint8_t> bytes) {
    return static_cast<bool>(file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())));
}

// Where the whole windows of the file end; empty where it is none of this key's. `isOurs` says whether the head is right.
std::vector<uint64_t> endsIn(const std::filesystem::path& path, const CacheKey& key, size_t mostWindows, bool& isOurs) {
    std::vector<uint64_t> ends;
    isOurs = false;
    std::error_code problem;
    const uint64_t size = std::filesystem::file_size(path, problem);
    std::ifstream file(path, std::ios::binary);
    std::array<uint8_t, kHeadBytes> head{};
    if (problem || !file || !readInto(file, head) || head != headOf(key)) return ends;
    isOurs = true;
    uint64_t at = kHeadBytes;
    std::vector<uint8_t> bytes;
    while (ends.size() < mostWindows && size - at >= kWindowHeadBytes) {
        std::array<uint8_t, kWindowHeadBytes> own{};
        if (!readInto(file, own)) break;
        const uint64_t length = littleAt<uint64_t>(own, 0);
        if (length > size - at - kWindowHeadBytes) break;
        bytes.resize(length);
        if (!readInto(file, bytes) || checksumOf(bytes) != littleAt<uint64_t>(own, kWindowHeadBytes - 8)) break;
        ends.push_back(at += kWindowHeadBytes + length);
    }
    return ends;
}

} // namespace

size_t WindowFile::windowsIn(const std::filesystem::path& path, const CacheKey& key, size_t mostWindows) {
    bool isOurs = false;
    return endsIn(path, key, mostWindows, isOurs).size();
}

Result<WindowFile> WindowFile::open(const std::filesystem::path& path, const CacheKey& key, size_t mostWindows) {
    WindowFile opened(path);
    std::error_code problem;
    std::filesystem::create_directories(path.parent_path(), problem);
    bool isOurs = false;
    opened.m_ends = endsIn(path, key, mostWindows, isOurs);
    if (isOurs) {
        std::filesystem::resize_file(path, opened.bytes(), problem);
        if (problem) return opened.failure("written");
    } else {
        std::ofstream begun(path, std::ios::binary | std::ios::trunc);
        const auto head = headOf(key);
        begun.write(reinterpret_cast<const char*>(head.data()), static_cast<std::streamsize>(head.size()));
        begun.close();
        if (!begun) return opened.failure("written");
    }
    opened.m_file.open(path, std::ios::binary | std::ios::in | std::ios::out);
    if (!opened.m_file) return opened.failure("opened");
    return opened;
}

uint64_t WindowFile::bytes() const { return m_ends.empty() ? kHeadBytes : m_ends.back(); }

Error WindowFile::failure(const char* what) const {
    return Error{quotedText(pathText(m_path)) + " cannot be " + what + ": the folder is not writable or the disk is full."};
}

Result<std::vector<uint8_t>> WindowFile::read(size_t window) {
    const uint64_t from = (window ? m_ends[window - 1] : kHeadBytes) + kWindowHeadBytes;
    std::vector<uint8_t> bytes(m_ends[window] - from);
    m_file.clear();
    m_file.seekg(static_cast<std::streamoff>(from));
    if (!readInto(m_file, bytes)) return failure("read");
    return bytes;
}

void WindowFile::removeIfEmpty() {
    if (!m_ends.empty()) return;
    m_file.close();
    std::error_code problem;
    std::filesystem::remove(m_path, problem);
}

Result<void> WindowFile::append(const std::vector<uint8_t>& bytes) {
    std::array<uint8_t, kWindowHeadBytes> head{};
    putLittle<uint64_t>(std::span(head).first(8), bytes.size());
    putLittle<uint64_t>(std::span(head).last(8), checksumOf(bytes));
    m_file.clear();
    m_file.seekp(static_cast<std::streamoff>(this->bytes()));
    m_file.write(reinterpret_cast<const char*>(head.data()), static_cast<std::streamsize>(head.size()));
    m_file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    m_file.flush();
    if (!m_file) { // nothing of a window that is not whole stays
        m_file.close();
        std::error_code problem;
        std::filesystem::resize_file(m_path, this->bytes(), problem);
        return failure("written");
    }
    m_ends.push_back(this->bytes() + kWindowHeadBytes + bytes.size());
    return {};
}

} // namespace steelyard
