// Finds which texts of a set stand at a place, shortest first: the texts lie sorted, and each byte of the input narrows
// the range of those that still match. Texts beyond kLongest bytes are never found, which bounds the work per place.
// Keeps views; the texts must outlive it.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
#include <array>

namespace steelyard {

class TextTrie {
public:
    static constexpr size_t kLongest = 256;

    // Of equal texts the first stays. finish() must follow the last add().
    void add(std::string_view text, TokenId id) {
        if (!text.empty() && text.size() <= kLongest) m_entries.push_back({text, id});
    }
    void finish() {
        std::stable_sort(m_entries.begin(), m_entries.end(),
                         [](const Entry& a, const Entry& b) { return a.text < b.text; });
        const auto same = [](const Entry& a, const Entry& b) { return a.text == b.text; };
        m_entries.erase(std::unique(m_entries.begin(), m_entries.end(), same), m_entries.end());
        for (size_t byte = 0, at = 0; byte < 256; ++byte) {
            m_starts[byte] = at;
            while (at < m_entries.size() && static_cast<unsigned char>(m_entries[at].text[0]) == byte)
                ++at;
            m_starts[byte + 1] = at;
        }
    }

    // Calls `found(length, id)` for each text that stands at the start of `input`, which is not empty.
    template <class Found>
    void forEachAt(std::string_view input, const Found& found) const {
        const auto first = static_cast<unsigned char>(input[0]);
        size_t low = m_starts[first], high = m_starts[first + 1u];
        for (size_t length = 1; low < high; ++length) {
            if (m_entries[low].text.size() == length) found(length, m_entries[low++].id);
            if (length == input.size()) return;
            narrow(low, high, length, static_cast<unsigned char>(input[length]));
        }
    }

private:
    struct Entry {
        std::string_view text;
        TokenId id;
    };

    // Keeps the entries whose byte at `place` is `wanted`; all of [low, high) are longer than `place`.
    void narrow(size_t& low, size_t& high, size_t place, unsigned char wanted) const {
        const auto byteOf = [&](const Entry& entry) { return static_cast<unsigned char>(entry.text[place]); };
        const auto begin = m_entries.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(high);
        const auto from = std::partition_point(begin + static_cast<std::ptrdiff_t>(low), end,
                                               [&](const Entry& entry) { return byteOf(entry) < wanted; });
        const auto to = std::partition_point(from, end, [&](const Entry& entry) { return byteOf(entry) == wanted; });
        low = static_cast<size_t>(from - begin);
        high = static_cast<size_t>(to - begin);
    }

    std::vector<Entry> m_entries;
    std::array<size_t, 257> m_starts{};
};

} // namespace steelyard
