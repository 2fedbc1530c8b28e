#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "engine/format/mapped_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace steelyard {

namespace {

std::string nameOf(const std::filesystem::path& path) {
    const auto text = path.u8string();
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

std::string lastError() {
    return std::system_category().message(static_cast<int>(::GetLastError()));
}

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const auto problem = [&](const std::string& why) {
        return Error{"The file " + nameOf(path) + " cannot be opened: " + why + "."};
    };
    const HANDLE handle = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                        OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return problem(lastError());
    MappedFile file; // closes the handle on every way out
    file.m_handle = reinterpret_cast<intptr_t>(handle);
    file.m_path = path;
    LARGE_INTEGER size{};
    if (!::GetFileSizeEx(handle, &size)) return problem(lastError());
    if (size.QuadPart == 0) return problem("it is empty (not a GGUF file: only 0 bytes)");
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
        if (!::ReadFile(reinterpret_cast<HANDLE>(m_handle), target.data() + done, wanted, &got, &where) || got == 0)
            return Error{"The file " + nameOf(m_path) + " cannot be read or changed while it was read. Load it again."};
        done += got;
    }
    return {};
}

void MappedFile::willNeed(uint64_t offset, uint64_t size) const {
    if (offset >= m_size) return;
    WIN32_MEMORY_RANGE_ENTRY range{const_cast<uint8_t*>(m_data) + offset,
                                   static_cast<SIZE_T>(std::min<uint64_t>(size, m_size - offset))};
    ::PrefetchVirtualMemory(::GetCurrentProcess(), 1, &range, 0);
}

std::optional<uint64_t> MappedFile::residentBytes(uint64_t, uint64_t) const {
    return std::nullopt;
}

} // namespace steelyard
