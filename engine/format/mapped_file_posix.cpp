#include "engine/format/mapped_file.h"
#include "engine/format/mapping_guard.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace steelyard {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto problem = [&](const char* why) { return cannotOpen(path, why); };
    if (descriptor < 0) return problem(std::strerror(errno));
    MappedFile file; // closes the descriptor on every way out
    file.m_handle = descriptor;
    file.m_path = path;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return problem(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return problem("it is a folder");
    if (!S_ISREG(status.st_mode)) return problem("it is not an ordinary file");
    if (status.st_size == 0) return problem(kEmpty);
    void* data = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) return problem(std::strerror(errno));
    file.m_data = static_cast<const uint8_t*>(data);
    file.m_size = static_cast<size_t>(status.st_size);
    guardMapping(data, file.m_size);
    return file;
}

uint64_t MappedFile::pageBytes() {
    return static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

MappedFile::~MappedFile() {
    if (m_data) {
        releaseMapping(m_data);
        ::munmap(const_cast<uint8_t*>(m_data), m_size);
    }
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
        if (got <= 0) return cannotRead(got < 0 ? std::strerror(errno) : kShorter);
        done += static_cast<size_t>(got);
    }
    return {};
}

void MappedFile::willNeed(uint64_t offset, uint64_t size) const {
    const auto [from, to] = pagesOf(offset, size);
    if (from == to) return;
    ::madvise(const_cast<uint8_t*>(m_data) + from, to - from, MADV_WILLNEED); // advice: failure changes nothing
}

std::optional<uint64_t> MappedFile::residentBytes(uint64_t offset, uint64_t size) const {
    const auto [from, to] = pagesOf(offset, size);
#if defined(__linux__)
    if (from == to) return 0;
    const uint64_t page = pageBytes();
    std::vector<unsigned char> pages((to - from + page - 1) / page);
    if (::mincore(const_cast<uint8_t*>(m_data) + from, to - from, pages.data()) != 0) return std::nullopt;
    uint64_t resident = 0;
    for (const unsigned char flags : pages)
        resident += (flags & 1) ? page : 0;
    return resident < size ? resident : size;
#else
    return from == to ? std::optional<uint64_t>(0) : std::nullopt;
#endif
}

} // namespace steelyard
