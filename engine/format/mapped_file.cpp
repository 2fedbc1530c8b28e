// What mapped files have in common on all systems.
#include "engine/format/mapped_file.h"

#include "engine/format/readable.h"

namespace steelyard {

MappedFile::MappedFile(MappedFile&& other) noexcept {
    *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    std::swap(m_handle, other.m_handle);
    std::swap(m_path, other.m_path);
    return *this;
}

Error MappedFile::cannotOpen(const std::filesystem::path& path, const std::string& why) {
    return {"The file " + pathText(path) + " cannot be opened: " + why + "."};
}

Error MappedFile::cannotRead(const std::string& why) const {
    return {"The file " + pathText(m_path) + " cannot be read: " + why + "."};
}

std::pair<uint64_t, uint64_t> MappedFile::pagesOf(uint64_t offset, uint64_t size) const {
    if (offset >= m_size || size == 0) return {0, 0};
    const uint64_t to = size > m_size - offset ? m_size : offset + size;
    return {offset / pageBytes() * pageBytes(), to};
}

} // namespace steelyard
