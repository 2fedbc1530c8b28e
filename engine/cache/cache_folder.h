// The folder of kept chats: which file is whose, and which go when there are too many bytes.
//
// A file's name is made of its key and its chat's number alone. The folder is its owner's alone. Files that were used longest
// ago go first. What is not named like a kept chat is never touched. Any thread; several programs may use one folder.
#pragma once

#include "engine/cache/cache_key.h"
#include "engine/core/result.h"

#include <filesystem>

namespace steelyard {

class CacheFolder {
public:
    // Nothing is made or looked at yet.
    CacheFolder(std::filesystem::path path, uint64_t mostBytes) : m_path(std::move(path)), m_mostBytes(mostBytes) {}

    std::filesystem::path fileOf(const CacheKey& key, uint64_t chat) const;
    // Makes the folder where there is none, and room for a file of so many bytes under such a name.
    Result<void> makeRoom(const std::filesystem::path& file, uint64_t bytes) const;
    // Notes that a file was used now.
    static void touch(const std::filesystem::path& file);
    // Removes a chat's files, of all models.
    void forget(uint64_t chat) const;

    // Bytes of all kept chats; removes them all.
    uint64_t bytes() const;
    void clear() const;

private:
    std::filesystem::path m_path;
    uint64_t m_mostBytes;
};

} // namespace steelyard
