#include "engine/evaluate/answer_differences.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace steelyard {

namespace {

// A word with the blanks behind it.
struct Word {
    std::string_view text, withBlanks;
    int32_t number = 0; // the same for the same text
};

bool isBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::vector<Word> wordsOf(std::string_view text, std::unordered_map<std::string_view, int32_t>& numbers) {
    std::vector<Word> words;
    for (size_t at = 0; at < text.size();) {
        const bool blank = isBlank(text[at]); // only at the very start, where blanks are a word of their own
        size_t end = at;
        while (end < text.size() && isBlank(text[end]) == blank) ++end;
        const std::string_view own = text.substr(at, end - at);
        size_t next = end;
        while (next < text.size() && isBlank(text[next])) ++next;
        const auto number = numbers.emplace(own, static_cast<int32_t>(numbers.size())).first->second;
        words.push_back({own, text.substr(at, next - at), number});
        at = next;
    }
    return words;
}

// Which words both have in the same order, by the shortest edit script; nothing found beyond `mostEdits` edits.
class CommonWords {
public:
    CommonWords(const std::vector<Word>& a, const std::vector<Word>& b, size_t mostEdits) : m_a(a), m_b(b), m_most(static_cast<int64_t>(mostEdits)) {}

    void mark(std::vector<bool>& sameA, std::vector<bool>& sameB) {
        size_t head = 0, tail = 0;
        while (head < m_a.size() && head < m_b.size() && m_a[head].number == m_b[head].number) ++head;
        while (tail < m_a.size() - head && tail < m_b.size() - head && m_a[m_a.size() - 1 - tail].number == m_b[m_b.size() - 1 - tail].number) ++tail;
        for (size_t i = 0; i < head; ++i) sameA[i] = sameB[i] = true;
        for (size_t i = 0; i < tail; ++i) sameA[m_a.size() - 1 - i] = sameB[m_b.size() - 1 - i] = true;
        m_offset = static_cast<int64_t>(head);
        m_lengthA = static_cast<int64_t>(m_a.size() - head - tail);
        m_lengthB = static_cast<int64_t>(m_b.size() - head - tail);
        if (m_lengthA > 0 && m_lengthB > 0) trace(sameA, sameB);
    }

private:
    bool equal(int64_t x, int64_t y) const { return m_a[static_cast<size_t>(m_offset + x)].number == m_b[static_cast<size_t>(m_offset + y)].number; }

    // The furthest reach on each diagonal, kept for every number of edits; then back from where the search ended.
    void trace(std::vector<bool>& sameA, std::vector<bool>& sameB) {
        std::vector<std::vector<int32_t>> reaches; // [edits][diagonal + edits]
        const int64_t most = std::min(m_most, m_lengthA + m_lengthB);
        int64_t endX = 0, endY = 0, edits = 0;
        for (edits = 0; edits <= most; ++edits) {
            std::vector<int32_t> next(static_cast<size_t>(2 * edits + 1));
            bool isDone = false;
            int64_t bestSum = -1;
            for (int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
                int64_t x = stepOf(reaches, edits, diagonal);
                while (x < m_lengthA && x - diagonal < m_lengthB && equal(x, x - diagonal)) ++x;
                next[static_cast<size_t>(diagonal + edits)] = static_cast<int32_t>(x);
                const int64_t y = x - diagonal;
                if (x <= m_lengthA && y <= m_lengthB && x + y > bestSum) bestSum = x + y, endX = x, endY = y;
                isDone = isDone || (x >= m_lengthA && y >= m_lengthB);
            }
            reaches.push_back(std::move(next));
            if (isDone) break;
        }
        edits = std::min(edits, most);
        walkBack(reaches, edits, endX, endY, sameA, sameB);
    }

    // Where a path of `edits` edits comes to its diagonal, before the run of equal words.
    static int64_t stepOf(const std::vector<std::vector<int32_t>>& reaches, int64_t edits, int64_t diagonal) {
        if (edits == 0) return 0;
        const auto& before = reaches[static_cast<size_t>(edits - 1)];
        const auto at = [&](int64_t other) { return int64_t(before[static_cast<size_t>(other + edits - 1)]); };
        const bool down = diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
        return down ? at(diagonal + 1) : at(diagonal - 1) + 1;
    }

    void walkBack(const std::vector<std::vector<int32_t>>& reaches, int64_t edits, int64_t x, int64_t y, std::vector<bool>& sameA, std::vector<bool>& sameB) const {
        for (; edits >= 0; --edits) {
            const int64_t diagonal = x - y, from = stepOf(reaches, edits, diagonal);
            for (; x > from; --x, --y) sameA[static_cast<size_t>(m_offset + x - 1)] = sameB[static_cast<size_t>(m_offset + y - 1)] = true;
            if (edits == 0) return;
            const auto& before = reaches[static_cast<size_t>(edits - 1)];
            const auto at = [&](int64_t other) { return int64_t(before[static_cast<size_t>(other + edits - 1)]); };
            const bool down = diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
            x = down ? at(diagonal + 1) : at(diagonal - 1);
            y = x - (down ? diagonal + 1 : diagonal - 1);
        }
    }

    const std::vector<Word>& m_a;
    const std::vector<Word>& m_b;
    int64_t m_most, m_offset = 0, m_lengthA = 0, m_lengthB = 0;
};

std::vector<AnswerPiece> piecesOf(const std::vector<Word>& words, const std::vector<bool>& same) {
    std::vector<AnswerPiece> pieces;
    for (size_t i = 0; i < words.size(); ++i) {
        if (pieces.empty() || pieces.back().same != same[i]) pieces.push_back({{}, same[i]});
        pieces.back().text += words[i].withBlanks;
    }
    return pieces;
}

// Runs of words that differ in either answer, between words that both have.
size_t placesOf(const std::vector<bool>& sameA, const std::vector<bool>& sameB) {
    size_t places = 0, a = 0, b = 0;
    while (a < sameA.size() || b < sameB.size()) {
        const size_t fromA = a, fromB = b;
        while (a < sameA.size() && !sameA[a]) ++a;
        while (b < sameB.size() && !sameB[b]) ++b;
        if (a > fromA || b > fromB) ++places;
        while (a < sameA.size() && b < sameB.size() && sameA[a] && sameB[b]) ++a, ++b;
    }
    return places;
}

} // namespace

AnswerDifferences answerDifferences(const std::string& reference, const std::string& other, size_t mostEdits) {
    std::unordered_map<std::string_view, int32_t> numbers;
    const auto a = wordsOf(reference, numbers), b = wordsOf(other, numbers);
    std::vector<bool> sameA(a.size()), sameB(b.size());
    CommonWords(a, b, mostEdits).mark(sameA, sameB);
    AnswerDifferences result;
    result.reference = piecesOf(a, sameA);
    result.other = piecesOf(b, sameB);
    result.referenceWords = a.size();
    result.otherWords = b.size();
    result.commonWords = static_cast<size_t>(std::count(sameA.begin(), sameA.end(), true));
    while (result.sameWords < a.size() && result.sameWords < b.size() && a[result.sameWords].number == b[result.sameWords].number) ++result.sameWords;
    result.places = placesOf(sameA, sameB);
    return result;
}

} // namespace steelyard
