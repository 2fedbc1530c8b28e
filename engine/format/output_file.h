// A file that stands under its name only when it is whole. It is written beside its place under a name of its own and moved
// there by finish(); without that, whatever happened, it is gone again and what stood under the name is untouched. Knows
// nothing of what is written.
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>

namespace steelyard {

class OutputFile {
public:
    enum class Readers { All, Owner }; // who may read it, as far as the system knows such a thing
    // Where a file of this name will stand: a link is followed. An error where something else than an ordinary file stands.
    static Result<std::filesystem::path> placeOf(const std::filesystem::path& path);
    // A link is followed: what it points to is replaced, not the link.
    static Result<OutputFile> create(const std::filesystem::path& path, Readers readers = Readers::All);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    Result<void> write(std::span<const uint8_t> bytes);
    // Moves the file to its place, replacing what stands there.
    Result<void> finish();

private:
    OutputFile() = default;
    Error cannotWrite() const;

    std::filesystem::path m_path, m_beside; // m_beside is empty when nothing is to be removed
    std::ofstream m_file;
};

} // namespace steelyard
