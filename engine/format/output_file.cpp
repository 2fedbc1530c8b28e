#include "engine/format/output_file.h"

#include "engine/format/readable.h"

#include <cerrno>
#include <random>
#include <string>
#include <system_error>

namespace steelyard {

namespace {

// Two programs that write to one place must not write to one file beside it.
std::filesystem::path besideOf(std::filesystem::path path) {
    path += ".part-" + std::to_string(std::random_device()());
    return path;
}

} // namespace

Result<std::filesystem::path> OutputFile::placeOf(const std::filesystem::path& path) {
    std::error_code problem;
    auto place = std::filesystem::weakly_canonical(path, problem);
    if (problem) place = path;
    const auto status = std::filesystem::status(place, problem);
    if (std::filesystem::is_directory(status))
        return Error{"The file " + pathText(path) + " cannot be written: a folder stands there."};
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return Error{"The file " + pathText(path) + " cannot be written: what stands there is not an ordinary file."};
    return place;
}

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, Readers readers) {
    auto place = placeOf(path);
    if (!place) return place.error();
    OutputFile output;
    output.m_path = std::move(*place);
    output.m_beside = besideOf(output.m_path);
    errno = 0;
    output.m_file.open(output.m_beside, std::ios::binary | std::ios::trunc);
    if (!output.m_file) {
        output.m_beside.clear();
        return output.cannotWrite();
    }
    if (readers == Readers::Owner) { // before there is anything to read
        std::error_code problem;
        std::filesystem::permissions(output.m_beside, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, problem);
        if (problem) return Error{"The file " + pathText(path) + " cannot be written: " + problem.message() + "."};
    }
    return output;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_beside(std::move(other.m_beside)), m_file(std::move(other.m_file)) {
    other.m_beside.clear();
}

OutputFile::~OutputFile() {
    if (m_beside.empty()) return;
    m_file.close();
    std::error_code ignored;
    std::filesystem::remove(m_beside, ignored);
}

Error OutputFile::cannotWrite() const {
    const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : std::string();
    return {"The file " + pathText(m_path) + " cannot be written" + why + "."};
}

Result<void> OutputFile::write(std::span<const uint8_t> bytes) {
    errno = 0;
    m_file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!m_file) return cannotWrite();
    return {};
}

Result<void> OutputFile::finish() {
    errno = 0;
    m_file.close();
    if (!m_file) return cannotWrite();
    std::error_code problem;
    std::filesystem::rename(m_beside, m_path, problem);
    if (problem) return Error{"The file " + pathText(m_path) + " cannot be written: " + problem.message() + "."};
    m_beside.clear();
    return {};
}

} // namespace steelyard
