// A file that this program alone writes, at any place and from any thread, and that may wait for a later run to go on.
//
// While it is open nobody else can claim it, whatever ended the program that had it before. The name that it has is its own
// until moveTo(). Knows nothing of what is written.
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace steelyard {

class ClaimedFile {
public:
    // Opens the file, which is made where there is none. An error where another program has claimed it.
    static Result<ClaimedFile> open(const std::filesystem::path& path);
    ClaimedFile(ClaimedFile&& other) noexcept : m_path(std::move(other.m_path)), m_handle(other.m_handle) { other.m_handle = -1; }
    ClaimedFile& operator=(ClaimedFile&&) = delete;
    ClaimedFile(const ClaimedFile&) = delete;
    ClaimedFile& operator=(const ClaimedFile&) = delete;
    ~ClaimedFile() { close(); }

    const std::filesystem::path& path() const { return m_path; }
    uint64_t size() const;
    Result<void> resize(uint64_t bytes);
    Result<void> read(uint64_t offset, std::span<uint8_t> target) const;
    Result<void> write(uint64_t offset, std::span<const uint8_t> bytes) const; // any thread; threads write different places
    // Returns when all that was written is on the disk, so that it outlives a power cut.
    Result<void> sync() const;
    // Gives the claim up; with moveTo() under another name, in place of what stands there.
    void close();
    Result<void> moveTo(const std::filesystem::path& place);

private:
    ClaimedFile() = default;
    Error cannotWrite(const std::string& why) const; // claimed_file.cpp, as moveTo(); the rest is the system's

    std::filesystem::path m_path;
    intptr_t m_handle = -1;
};

} // namespace steelyard
