#include "engine/quant/partial_file.h"

#include "engine/format/output_file.h"

#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace steelyard {

namespace {

constexpr const char* kFirstLine = "A file in the making; the one beside it can be finished by asking for the same again.\n";
constexpr const char* kDone = "done ";

std::filesystem::path with(std::filesystem::path path, const char* ending) {
    path += ending;
    return path;
}

std::span<const uint8_t> bytesOf(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

} // namespace

std::filesystem::path PartialFile::partialOf(const std::filesystem::path& place) { return with(place, ".partial"); }

std::filesystem::path PartialFile::statePath() const { return with(m_place, ".partial-state"); }

Result<PartialFile> PartialFile::open(const std::filesystem::path& place, const std::string& identity, const std::string& head, uint64_t bytes) {
    auto target = OutputFile::placeOf(place);
    if (!target) return target.error();
    auto file = ClaimedFile::open(partialOf(*target));
    if (!file) return file.error();
    PartialFile partial(std::move(*file), *target, identity);
    if (partial.goesOn(head, bytes)) return partial;
    std::error_code ignored;
    std::filesystem::remove(partial.statePath(), ignored);
    if (auto done = partial.m_file.resize(0); !done) return done.error();
    if (auto done = partial.m_file.resize(bytes); !done) return done.error();
    if (auto done = partial.m_file.write(0, bytesOf(head)); !done) return done.error();
    partial.m_doneBytes = head.size();
    return partial;
}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : m_file(std::move(other.m_file)), m_place(std::move(other.m_place)), m_identity(std::move(other.m_identity)), m_doneBytes(other.m_doneBytes),
      m_kept(other.m_kept) {
    other.m_mine = false;
}

PartialFile::~PartialFile() {
    if (!m_mine || m_kept) return;
    std::error_code ignored;
    std::filesystem::remove(statePath(), ignored);
    m_file.close();
    std::filesystem::remove(m_file.path(), ignored);
}

bool PartialFile::goesOn(const std::string& head, uint64_t bytes) {
    std::ifstream state(statePath(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(state), std::istreambuf_iterator<char>()};
    const std::string before = kFirstLine + m_identity + "\n" + kDone;
    if (text.size() > before.size() + 24 || text.compare(0, before.size(), before) != 0 || m_file.size() != bytes) return false;
    uint64_t done = 0;
    for (size_t i = before.size(); i + 1 < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) done = done * 10 + static_cast<uint64_t>(text[i] - '0');
    std::string found(head.size(), '\0');
    if (done < head.size() || done > bytes || !m_file.read(0, {reinterpret_cast<uint8_t*>(found.data()), found.size()}) || found != head) return false;
    m_doneBytes = done;
    return true;
}

Result<void> PartialFile::remember(uint64_t doneBytes) {
    if (auto done = m_file.sync(); !done) return done;
    auto state = OutputFile::create(statePath());
    if (!state) return state.error();
    if (auto done = state->write(bytesOf(kFirstLine + m_identity + "\n" + kDone + std::to_string(doneBytes) + "\n")); !done) return done;
    m_doneBytes = doneBytes;
    return state->finish();
}

Result<void> PartialFile::finish() {
    auto moved = m_file.moveTo(m_place);
    if (!moved) return moved;
    std::error_code ignored;
    std::filesystem::remove(statePath(), ignored);
    m_mine = false;
    return {};
}

} // namespace steelyard
