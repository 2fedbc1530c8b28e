#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "engine/format/claimed_file.h"

#include <algorithm>
#include <system_error>

namespace steelyard {

namespace {

HANDLE handleOf(intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

std::string lastError() {
    return std::system_category().message(static_cast<int>(::GetLastError()));
}

OVERLAPPED placeAt(uint64_t offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return place;
}

DWORD pieceOf(size_t left) { return static_cast<DWORD>(std::min<size_t>(left, 1u << 30)); }

} // namespace

Result<ClaimedFile> ClaimedFile::open(const std::filesystem::path& path) {
    ClaimedFile file;
    file.m_path = path;
    const HANDLE handle = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return file.cannotWrite(::GetLastError() == ERROR_SHARING_VIOLATION ? "another program is writing it" : lastError());
    file.m_handle = reinterpret_cast<intptr_t>(handle);
    return file;
}

uint64_t ClaimedFile::size() const {
    LARGE_INTEGER size{};
    return ::GetFileSizeEx(handleOf(m_handle), &size) ? static_cast<uint64_t>(size.QuadPart) : 0;
}

Result<void> ClaimedFile::resize(uint64_t bytes) {
    LARGE_INTEGER end{};
    end.QuadPart = static_cast<LONGLONG>(bytes);
    if (!::SetFilePointerEx(handleOf(m_handle), end, nullptr, FILE_BEGIN) || !::SetEndOfFile(handleOf(m_handle))) return cannotWrite(lastError());
    return {};
}

Result<void> ClaimedFile::read(uint64_t offset, std::span<uint8_t> target) const {
    for (size_t done = 0; done < target.size();) {
        OVERLAPPED place = placeAt(offset + done);
        DWORD got = 0;
        if (!::ReadFile(handleOf(m_handle), target.data() + done, pieceOf(target.size() - done), &got, &place)) return cannotWrite(lastError());
        if (got == 0) return cannotWrite("it is shorter than it was");
        done += got;
    }
    return {};
}

Result<void> ClaimedFile::write(uint64_t offset, std::span<const uint8_t> bytes) const {
    for (size_t done = 0; done < bytes.size();) {
        OVERLAPPED place = placeAt(offset + done);
        DWORD put = 0;
        if (!::WriteFile(handleOf(m_handle), bytes.data() + done, pieceOf(bytes.size() - done), &put, &place)) return cannotWrite(lastError());
        done += put;
    }
    return {};
}

Result<void> ClaimedFile::sync() const {
    if (!::FlushFileBuffers(handleOf(m_handle))) return cannotWrite(lastError());
    return {};
}

void ClaimedFile::close() {
    if (m_handle != -1) ::CloseHandle(handleOf(m_handle));
    m_handle = -1;
}

} // namespace steelyard
