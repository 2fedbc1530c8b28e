// A large file in the making, which a later run can go on with where an earlier one ended.
//
// It is written as "<place>.partial" and moved to its place when it is whole. Beside it "<place>.partial-state" says what is
// made of what and how much of it is certainly on the disk; where that is not what is wanted now, the file begins afresh.
// Invariant: what stands under the place is always whole. Both files are gone after finish(), and after anything else but
// keep() or the end of the program. Knows nothing of models.
#pragma once

#include "engine/format/claimed_file.h"

#include <string>

namespace steelyard {

class PartialFile {
public:
    // A file of `bytes` that begins with `head`, made of what `identity` (one line or more) says. A link is followed.
    static Result<PartialFile> open(const std::filesystem::path& place, const std::string& identity, const std::string& head, uint64_t bytes);
    PartialFile(PartialFile&& other) noexcept;
    PartialFile& operator=(PartialFile&&) = delete;
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile();

    // How much from the beginning on is there already; at least the head.
    uint64_t doneBytes() const { return m_doneBytes; }
    // Behind the head; any thread, different places.
    Result<void> write(uint64_t offset, std::span<const uint8_t> bytes) const { return m_file.write(offset, bytes); }
    // Everything before `doneBytes` was written: a later run need not do it again. Waits for the disk.
    Result<void> remember(uint64_t doneBytes);
    Result<void> finish();
    // Leaves both files for a later run.
    void keep() { m_kept = true; }

    // The name of the file in the making.
    static std::filesystem::path partialOf(const std::filesystem::path& place);

private:
    PartialFile(ClaimedFile file, std::filesystem::path place, std::string identity)
        : m_file(std::move(file)), m_place(std::move(place)), m_identity(std::move(identity)) {}
    std::filesystem::path statePath() const;
    bool goesOn(const std::string& head, uint64_t bytes); // takes what an earlier run left, if it is what is wanted

    ClaimedFile m_file;
    std::filesystem::path m_place;
    std::string m_identity;
    uint64_t m_doneBytes = 0;
    bool m_kept = false, m_mine = true; // m_mine: false when moved from
};

} // namespace steelyard
