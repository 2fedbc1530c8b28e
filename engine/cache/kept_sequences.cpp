#include "engine/cache/kept_sequences.h"

#include <algorithm>

namespace steelyard {

std::optional<KeptSequence> KeptSequences::take(uint64_t chat) {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto& entry) { return entry.chat == chat; });
    if (found == m_entries.end()) return std::nullopt;
    KeptSequence entry = std::move(*found);
    m_entries.erase(found);
    return entry;
}

const KeptSequence* KeptSequences::find(uint64_t chat) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto& entry) { return entry.chat == chat; });
    return found == m_entries.end() ? nullptr : &*found;
}

void KeptSequences::keep(KvCache& cache, KeptSequence entry) {
    forget(cache, entry.chat);
    m_entries.push_back(std::move(entry));
}

bool KeptSequences::dropOldest(KvCache& cache) {
    if (m_entries.empty()) return false;
    cache.release(m_entries.front().sequence);
    m_entries.pop_front();
    return true;
}

bool KeptSequences::forget(KvCache& cache, uint64_t chat) {
    auto entry = take(chat);
    if (!entry) return false;
    cache.release(entry->sequence);
    return true;
}

uint64_t KeptSequences::bytes(const KvCache& cache) const {
    uint64_t bytes = 0;
    for (const auto& entry : m_entries) bytes += cache.bytesOf(entry.sequence);
    return bytes;
}

uint32_t commonPrefix(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
    const auto end = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin()).first;
    return static_cast<uint32_t>(end - a.begin());
}

} // namespace steelyard
