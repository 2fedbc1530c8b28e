#include "engine/format/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace steelyard {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto problem = [&](const char* why) {
        return Error{"The file " + path.string() + " cannot be opened: " + why + "."};
    };
    if (descriptor < 0) return problem(std::strerror(errno));
    MappedFile file; // closes the descriptor on every way out
    file.m_handle = descriptor;
    file.m_path = path;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return problem(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return problem("it is a folder");
    if (!S_ISREG(status.st_mode)) return problem("it is not an ordinary file");
    if (status.st_size == 0) return problem("it is empty (not a GGUF file: only 0 bytes)");
    void* data = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) return problem(std::strerror(errno));
    file.m_data = static_cast<const uint8_t*>(data);
    file.m_size = static_cast<size_t>(status.st_size);
    return file;
}

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

MappedFile::~MappedFile() {
    if (m_data) ::munmap(const_cast<uint8_t*>(m_data), m_size);
    if (m_handle >= 0) ::close(static_cast<int>(m_handle));
}

bool MappedFile::stillWhole() const {
    struct stat status {};
    return ::fstat(static_cast<int>(m_handle), &status) == 0 && static_cast<uint64_t>(status.st_size) >= m_size;
}

Result<void> MappedFile::read(uint64_t offset, std::span<uint8_t> target) const {
    size_t done = 0;
    while (done < target.size()) {
        const ssize_t got = ::pread(static_cast<int>(m_handle), target.data() + done, target.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error{"The file " + m_path.string() + " cannot be read: " + std::strerror(errno) + "."};
        if (got == 0)
            return Error{"The file " + m_path.string() +
                         " changed while it was read: it is shorter now. Load it again."};
        done += static_cast<size_t>(got);
    }
    return {};
}

void MappedFile::willNeed(uint64_t offset, uint64_t size) const {
    if (offset >= m_size) return;
    const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    const uint64_t from = offset / page * page;
    const uint64_t to = size > m_size - offset ? m_size : offset + size;
    ::madvise(const_cast<uint8_t*>(m_data) + from, to - from, MADV_WILLNEED); // advice: failure changes nothing
}

std::optional<uint64_t> MappedFile::residentBytes(uint64_t offset, uint64_t size) const {
    if (offset >= m_size) return 0;
#if defined(__linux__)
    const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    const uint64_t from = offset / page * page;
    const uint64_t to = size > m_size - offset ? m_size : offset + size;
    std::vector<unsigned char> pages((to - from + page - 1) / page);
    if (::mincore(const_cast<uint8_t*>(m_data) + from, to - from, pages.data()) != 0) return std::nullopt;
    uint64_t resident = 0;
    for (const unsigned char flags : pages)
        resident += (flags & 1) ? page : 0;
    return resident < size ? resident : size;
#else
    (void)size;
    return std::nullopt;
#endif
}

} // namespace steelyard
