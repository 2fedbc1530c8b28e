#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "engine/format/mapped_file.h"

#include <algorithm>
#include <system_error>

namespace steelyard {

namespace {

std::string lastError() {
    return std::system_category().message(static_cast<int>(::GetLastError()));
}

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const auto problem = [&](const std::string& why) { return cannotOpen(path, why); };
    const HANDLE handle = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                        OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return problem(lastError());
    MappedFile file; // closes the handle on every way out
    file.m_handle = reinterpret_cast<intptr_t>(handle);
    file.m_path = path;
    LARGE_INTEGER size{};
    if (!::GetFileSizeEx(handle, &size)) return problem(lastError());
    if (size.QuadPart == 0) return problem(kEmpty);
    const HANDLE mapping = ::CreateFileMappingW(handle, nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (!mapping) return problem(lastError());
    const void* data = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    const std::string why = data ? std::string() : lastError();
    ::CloseHandle(mapping); // the view keeps it alive
    if (!data) return problem(why);
    file.m_data = static_cast<const uint8_t*>(data);
    file.m_size = static_cast<size_t>(size.QuadPart);
    return file;
}

uint64_t MappedFile::pageBytes() {
    SYSTEM_INFO info{};
    ::GetSystemInfo(&info);
    return info.dwPageSize;
}

MappedFile::~MappedFile() {
    if (m_data) ::UnmapViewOfFile(m_data);
    if (m_handle != -1) ::CloseHandle(reinterpret_cast<HANDLE>(m_handle));
}

bool MappedFile::stillWhole() const {
    LARGE_INTEGER size{};
    return ::GetFileSizeEx(reinterpret_cast<HANDLE>(m_handle), &size) && static_cast<uint64_t>(size.QuadPart) >= m_size;
}

Result<void> MappedFile::read(uint64_t offset, std::span<uint8_t> target) const {
    size_t done = 0;
    while (done < target.size()) {
        OVERLAPPED where{};
        where.Offset = static_cast<DWORD>(offset + done);
        where.OffsetHigh = static_cast<DWORD>((offset + done) >> 32);
        const auto wanted = static_cast<DWORD>(std::min<size_t>(target.size() - done, size_t(1) << 30));
        DWORD got = 0;
        const bool read = ::ReadFile(reinterpret_cast<HANDLE>(m_handle), target.data() + done, wanted, &got, &where);
        if (!read && ::GetLastError() != ERROR_HANDLE_EOF) return cannotRead(lastError());
        if (got == 0) return cannotRead(kShorter);
        done += got;
    }
    return {};
}

void MappedFile::willNeed(uint64_t offset, uint64_t size) const {
    const auto [from, to] = pagesOf(offset, size);
    if (from == to) return;
    WIN32_MEMORY_RANGE_ENTRY range{const_cast<uint8_t*>(m_data) + from, static_cast<SIZE_T>(to - from)};
    ::PrefetchVirtualMemory(::GetCurrentProcess(), 1, &range, 0);
}

std::optional<uint64_t> MappedFile::residentBytes(uint64_t, uint64_t) const {
    return std::nullopt;
}

} // namespace steelyard
