// A file mapped read-only into memory. The mapping stays valid for the life of the object, whatever happens to the
// name. A file that shrinks while mapped does not end the process: what lies beyond its end reads as zeros, and
// stillWhole() tells.
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace steelyard {

class MappedFile {
public:
    // Maps the whole file; an empty file is an error.
    static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const uint8_t> bytes() const { return {m_data, m_size}; }
    const std::filesystem::path& path() const { return m_path; }

    // False when the file on disk is now shorter than the mapping.
    bool stillWhole() const;

    // Copies bytes through the file rather than the mapping: a file that shrank gives an error and never a fault. The
    // way to read what is copied anyway.
    Result<void> read(uint64_t offset, std::span<uint8_t> target) const;

    // Asks the system to bring a range into memory soon.
    void willNeed(uint64_t offset, uint64_t size) const;

    // How many bytes of [offset, offset + size) are in memory now; nothing where the system does not tell.
    std::optional<uint64_t> residentBytes(uint64_t offset, uint64_t size) const;

private:
    MappedFile() = default;

    // The same on every system: mapped_file.cpp.
    static Error cannotOpen(const std::filesystem::path& path, const std::string& why);
    Error cannotRead(const std::string& why) const;
    // [from, to) of the pages that hold a range; empty beyond the end.
    std::pair<uint64_t, uint64_t> pagesOf(uint64_t offset, uint64_t size) const;
    static uint64_t pageBytes();
    static constexpr const char* kEmpty = "it is empty (not a GGUF file: only 0 bytes)";
    static constexpr const char* kShorter = "it changed meanwhile and is shorter now; load it again";

    const uint8_t* m_data = nullptr;
    size_t m_size = 0;
    intptr_t m_handle = -1; // what the platform needs to look at the file again
    std::filesystem::path m_path;
};

} // namespace steelyard
