// A file to which the results of windows of a text are added one by one, so that work that was broken off goes on behind the last one.
//
// It belongs to one key, and every window's bytes are under a checksum. A file of another key or version is begun anew; behind the
// first window that is damaged or cut off everything is dropped and made again. Numbers are little-endian:
//   [0, 8) "STLYWIN" and a zero   [8, 12) kVersion   [12, 16) zero   [16, 32) the key   [32, 40) XXH3 of the bytes before
//   then of each window: u64 bytes, u64 low half of XXH3 of them, the bytes.
// Knows nothing of what the bytes mean.
#pragma once

#include "engine/cache/cache_key.h"
#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

namespace steelyard {

class WindowFile {
public:
    static constexpr uint64_t kHeadBytes = 40, kWindowHeadBytes = 16;

    // Opens the file or begins it, in a folder that is made where it is not there.
    static Result<WindowFile> open(const std::filesystem::path& path, const CacheKey& key, size_t mostWindows);
    // How many whole windows a file of this key holds, without changing it.
    static size_t windowsIn(const std::filesystem::path& path, const CacheKey& key, size_t mostWindows);

    size_t windows() const { return m_ends.size(); }
    uint64_t bytes() const;
    Result<std::vector<uint8_t>> read(size_t window);
    // Takes the file away where it holds no window.
    void removeIfEmpty();
    // Adds the next window and hands it to the system.
    Result<void> append(const std::vector<uint8_t>& bytes);

private:
    explicit WindowFile(std::filesystem::path path) : m_path(std::move(path)) {}
    Error failure(const char* what) const;

    std::filesystem::path m_path;
    std::vector<uint64_t> m_ends; // of each window in the file
    std::fstream m_file;
};

} // namespace steelyard
