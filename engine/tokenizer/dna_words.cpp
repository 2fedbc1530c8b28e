#include "engine/tokenizer/dna_words.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr std::string_view kOpen = "<dna>", kClose = "</dna>", kOther = "<oov>", kMark = "\uE000";
constexpr size_t kBases = 6; // of a word; the last is filled up
constexpr char kFiller = 'A';

bool isMarked(std::string_view text) {
    return text.size() > kMark.size() && text.substr(text.size() - kMark.size()) == kMark;
}

} // namespace

std::optional<DnaWords> DnaWords::of(const Vocabulary& vocabulary) {
    const auto find = [&](std::string_view wanted) {
        const auto found = std::find(vocabulary.texts.begin(), vocabulary.texts.end(), wanted);
        return found == vocabulary.texts.end() ? -1 : static_cast<TokenId>(found - vocabulary.texts.begin());
    };
    const TokenId open = find(kOpen), close = find(kClose), other = find(kOther);
    if (open < 0 || close < 0 || other < 0) return std::nullopt;
    DnaWords words(open, close, other, vocabulary.texts.size());
    for (size_t id = 0; id < vocabulary.texts.size(); ++id)
        if (isMarked(vocabulary.texts[id])) words.m_words.add(withoutMark(vocabulary.texts[id]), static_cast<TokenId>(id));
    return words;
}

std::string_view DnaWords::withoutMark(std::string_view text) {
    return isMarked(text) ? text.substr(0, text.size() - kMark.size()) : text;
}

void DnaWords::encode(std::string_view text, const std::function<void(std::string_view)>& plain, std::vector<TokenId>& ids) const {
    while (!text.empty()) {
        const size_t open = text.find(kOpen);
        if (const auto before = text.substr(0, open); !before.empty()) plain(before);
        if (open == std::string_view::npos) return;
        ids.push_back(m_open);
        text.remove_prefix(open + kOpen.size());
        const size_t close = text.find(kClose);
        encodeBases(text.substr(0, close), ids);
        if (close == std::string_view::npos) return;
        ids.push_back(m_close);
        text.remove_prefix(close + kClose.size());
    }
}

void DnaWords::encodeBases(std::string_view bases, std::vector<TokenId>& ids) const {
    for (size_t at = 0; at < bases.size(); at += kBases) {
        std::string word(bases.substr(at, kBases));
        for (char& c : word)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        word.resize(kBases, kFiller);
        const TokenId id = m_words(word);
        ids.push_back(id >= 0 ? id : m_other);
    }
}

} // namespace steelyard
