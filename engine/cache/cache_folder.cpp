#include "engine/cache/cache_folder.h"

#include "engine/core/bytes_text.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace steelyard {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".kept-chat";
constexpr auto kAbandoned = std::chrono::hours(1); // a file that is still being written is younger

std::string hex(uint64_t number) {
    std::string text(16, '0');
    for (size_t place = 16; place-- > 0; number >>= 4) text[place] = "0123456789abcdef"[number & 15];
    return text;
}

std::string endingOf(uint64_t chat) { return "-" + hex(chat) + kEnding; }

// 32 digits of the key, "-", 16 of the chat, the ending; behind it nothing, or the mark of a file that is not finished.
bool isOurs(const std::string& name) {
    const std::string ending = kEnding;
    if (name.size() < 49 + ending.size() || name[32] != '-' || name.compare(49, ending.size(), ending) != 0) return false;
    for (size_t place = 0; place < 49; ++place)
        if (place != 32 && std::string("0123456789abcdef").find(name[place]) == std::string::npos) return false;
    return name.size() == 49 + ending.size() || name.compare(49 + ending.size(), 6, ".part-") == 0;
}

struct Kept {
    fs::path path;
    uint64_t bytes = 0;
    fs::file_time_type used;
    bool finished = true;
};

std::vector<Kept> keptIn(const fs::path& folder) {
    std::vector<Kept> kept;
    std::error_code problem;
    fs::directory_iterator entry(folder, problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
        const std::string name = pathText(entry->path().filename());
        std::error_code unknown;
        if (!isOurs(name) || !entry->is_regular_file(unknown)) continue;
        Kept file{entry->path(), 0, {}, entry->path().extension() == kEnding};
        file.bytes = entry->file_size(unknown);
        if (!unknown) file.used = entry->last_write_time(unknown);
        if (!unknown) kept.push_back(std::move(file));
    }
    return kept;
}

bool removed(const fs::path& path) {
    std::error_code problem;
    fs::remove(path, problem);
    return !problem;
}

} // namespace

fs::path CacheFolder::fileOf(const CacheKey& key, uint64_t chat) const {
    std::string name;
    for (const uint8_t byte : key.bytes) name += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    return m_path / (name + endingOf(chat));
}

Result<void> CacheFolder::makeRoom(const fs::path& file, uint64_t bytes) const {
    if (bytes > m_mostBytes) return Error{"A chat's cache of " + bytesText(bytes) + " is not kept: " + bytesText(m_mostBytes) + " are allowed for all."};
    std::error_code problem;
    fs::create_directories(m_path, problem);
    if (!problem) fs::permissions(m_path, fs::perms::owner_all, problem);
    if (problem) return Error{"The folder " + pathText(m_path) + " cannot be used: " + problem.message() + "."};
    auto kept = keptIn(m_path);
    std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    uint64_t sum = bytes;
    for (const auto& other : kept) sum += other.path == file ? 0 : other.bytes;
    const auto now = fs::file_time_type::clock::now();
    for (const auto& other : kept) {
        const bool abandoned = !other.finished && now - other.used > kAbandoned;
        if (other.path == file || (!abandoned && (sum <= m_mostBytes || !other.finished))) continue;
        if (removed(other.path)) sum -= other.bytes;
    }
    return {};
}

void CacheFolder::touch(const fs::path& file) {
    std::error_code ignored;
    fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

void CacheFolder::forget(uint64_t chat) const {
    const std::string ending = endingOf(chat);
    for (const auto& file : keptIn(m_path))
        if (pathText(file.path.filename()).compare(32, ending.size(), ending) == 0) removed(file.path);
}

uint64_t CacheFolder::bytes() const {
    uint64_t sum = 0;
    for (const auto& file : keptIn(m_path)) sum += file.bytes;
    return sum;
}

void CacheFolder::clear() const {
    for (const auto& file : keptIn(m_path)) removed(file.path);
}

} // namespace steelyard
