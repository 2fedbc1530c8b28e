#include "engine/format/claimed_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace steelyard {

namespace {

int descriptor(intptr_t handle) { return static_cast<int>(handle); }

} // namespace

Result<ClaimedFile> ClaimedFile::open(const std::filesystem::path& path) {
    ClaimedFile file;
    file.m_path = path;
    file.m_handle = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file.m_handle < 0) return file.cannotWrite(std::strerror(errno));
    struct stat status {};
    if (::fstat(descriptor(file.m_handle), &status) != 0 || !S_ISREG(status.st_mode)) return file.cannotWrite("what stands there is not an ordinary file");
    if (::flock(descriptor(file.m_handle), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return file.cannotWrite("another program is writing it");
        if (errno != ENOTSUP && errno != ENOLCK && errno != EINVAL) return file.cannotWrite(std::strerror(errno)); // a disk without claims
    }
    return file;
}

uint64_t ClaimedFile::size() const {
    struct stat status {};
    return ::fstat(descriptor(m_handle), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

Result<void> ClaimedFile::resize(uint64_t bytes) {
    if (::ftruncate(descriptor(m_handle), static_cast<off_t>(bytes)) != 0) return cannotWrite(std::strerror(errno));
    return {};
}

Result<void> ClaimedFile::read(uint64_t offset, std::span<uint8_t> target) const {
    for (size_t done = 0; done < target.size();) {
        const ssize_t got = ::pread(descriptor(m_handle), target.data() + done, target.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return cannotWrite(got < 0 ? std::strerror(errno) : "it is shorter than it was");
        done += static_cast<size_t>(got);
    }
    return {};
}

Result<void> ClaimedFile::write(uint64_t offset, std::span<const uint8_t> bytes) const {
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t put = ::pwrite(descriptor(m_handle), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return cannotWrite(put < 0 ? std::strerror(errno) : "the disk takes no more");
        done += static_cast<size_t>(put);
    }
    return {};
}

Result<void> ClaimedFile::sync() const {
    if (::fsync(descriptor(m_handle)) != 0 && errno != EINVAL) return cannotWrite(std::strerror(errno)); // EINVAL: nothing to wait for
    return {};
}

void ClaimedFile::close() {
    if (m_handle >= 0) ::close(descriptor(m_handle));
    m_handle = -1;
}

} // namespace steelyard
