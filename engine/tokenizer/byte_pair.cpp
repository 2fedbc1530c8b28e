#include "engine/tokenizer/byte_pair.h"

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/visible_blank.h"

#include <algorithm>

namespace steelyard {

BytePairTokenizer::BytePairTokenizer(Vocabulary vocabulary, const Pretokenizer& pretokenizer, bool lowerCases)
    : FragmentTokenizer(std::move(vocabulary)), m_pretokenizer(pretokenizer), m_lowerCases(lowerCases) {
    const size_t size = m_vocabulary.texts.size();
    m_bytes.resize(size);
    m_ids = TextTable(size);
    for (size_t id = 0; id < size; ++id) {
        // Control tokens never come out of plain text.
        if (m_vocabulary.kinds[id] != TokenKind::Normal && m_vocabulary.kinds[id] != TokenKind::UserDefined) continue;
        const std::string& text = m_vocabulary.texts[id];
        auto bytes = pretokenizer.alphabet != Alphabet::Bytes || m_vocabulary.kinds[id] == TokenKind::UserDefined
                         ? std::optional(text)
                         : bytesFromAlphabet(text);
        m_bytes[id] = bytes.value_or(text);
        m_longestText = std::max(m_longestText, m_bytes[id].size());
        // Of equal texts the first wins. What is not written in the alphabet comes out of no text.
        if (bytes && !bytes->empty()) m_ids.add(m_bytes[id], static_cast<TokenId>(id));
    }
    for (size_t byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        m_byteIds[byte] = m_ids({&c, 1});
    }
    m_special.addBos = m_vocabulary.addBos.value_or(pretokenizer.addsBos) && m_special.bos.has_value();
}

Result<void> BytePairTokenizer::readMerges(const std::vector<std::string>& merges) {
    m_hasMerges = true;
    m_merges = PairTable(merges.size());
    std::string left, right;
    for (size_t i = 0; i < merges.size(); ++i) {
        const std::string_view merge = merges[i];
        const auto malformed = [&] {
            return Error{"Merge " + std::to_string(i) +
                         " of \"tokenizer.ggml.merges\" is malformed or has unknown parts."};
        };
        // In an alphabet of characters the first part may itself be a blank.
        const size_t blank = merge.find(' ', 1);
        if (blank == std::string_view::npos || blank + 1 >= merge.size()) return malformed();
        left = merge.substr(0, blank);
        right = merge.substr(blank + 1);
        if (m_pretokenizer.alphabet == Alphabet::Bytes) {
            left = bytesFromAlphabet(left).value_or(std::string());
            right = bytesFromAlphabet(right).value_or(std::string());
        }
        const TokenId leftId = m_ids(left), rightId = m_ids(right);
        const TokenId mergedId = m_ids(left += right);
        if (leftId < 0 || rightId < 0 || mergedId < 0) return malformed();
        m_merges.add(leftId, rightId, static_cast<uint32_t>(i), mergedId);
    }
    return {};
}

Result<std::shared_ptr<const Tokenizer>> BytePairTokenizer::fromFile(const GgufFile& file,
                                                                     const Pretokenizer& pretokenizer, bool readsDna) {
    auto vocabulary = Vocabulary::fromFile(file);
    if (!vocabulary) return vocabulary.error();
    const auto merges = file.stringArray("tokenizer.ggml.merges");
    if (!merges) return merges.error();
    if (!*merges && !pretokenizer.mergesByIds)
        return Error{"The vocabulary has no merges: \"tokenizer.ggml.merges\" is missing."};
    const auto lowerCases = file.boolValue("tokenizer.ggml.normalizer.lowercase");
    if (!lowerCases) return lowerCases.error();
    std::shared_ptr<BytePairTokenizer> tokenizer(
        new BytePairTokenizer(std::move(vocabulary).value(), pretokenizer, lowerCases->value_or(false)));
    if (*merges)
        if (auto done = tokenizer->readMerges(**merges); !done) return done.error();
    if (readsDna) tokenizer->readDna();
    return std::shared_ptr<const Tokenizer>(std::move(tokenizer));
}

void BytePairTokenizer::readDna() {
    m_dna = DnaWords::of(m_vocabulary);
    for (size_t id = 0; m_dna && id < m_bytes.size(); ++id)
        m_bytes[id].resize(DnaWords::withoutMark(m_bytes[id]).size());
}

void BytePairTokenizer::encode(std::string_view text, bool, std::vector<TokenId>& ids) const {
    if (!m_dna) return encodePlain(text, ids);
    m_dna->encode(text, [&](std::string_view part) { encodePlain(part, ids); }, ids);
}

void BytePairTokenizer::encodePlain(std::string_view text, std::vector<TokenId>& ids) const {
    std::string changed;
    if (m_pretokenizer.composes) text = changed = composed(text);
    if (m_lowerCases) text = changed = lowerCased(text);
    if (m_pretokenizer.alphabet == Alphabet::VisibleBlanks) text = changed = withVisibleBlanks(text);
    const bool dropsBlanks = m_pretokenizer.alphabet == Alphabet::NoBlanks;
    forEachPiece(m_pretokenizer, text, [&](size_t from, size_t to) {
        const std::string_view word = text.substr(from, to - from);
        if (!dropsBlanks || !beginsWithBlank(word)) encodeWord(word, ids);
    });
}

void BytePairTokenizer::encodeWord(std::string_view word, std::vector<TokenId>& ids) const {
    if (m_pretokenizer.wholeWordsFirst) {
        if (const TokenId id = m_ids(word); id >= 0) return ids.push_back(id);
    }
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (size_t i = 0; i < word.size();) {
        if (m_pretokenizer.alphabet == Alphabet::Bytes) {
            symbols.push_back({i, i + 1, m_byteIds[static_cast<unsigned char>(word[i])]});
            ++i;
            continue;
        }
        const size_t length = std::max<size_t>(utf8Length(word.substr(i)), 1);
        symbols.push_back({i, i + length, m_ids(word.substr(i, length))});
        i += length;
    }
    if (m_hasMerges)
        mergeSymbols(symbols, m_merges);
    else
        mergeById(word, symbols);
    for (const Symbol& symbol : symbols) {
        if (symbol.id >= 0)
            ids.push_back(symbol.id);
        else
            encodeBytes(word.substr(symbol.from, symbol.to - symbol.from), ids);
    }
}

void BytePairTokenizer::mergeById(std::string_view word, std::vector<Symbol>& symbols) const {
    mergeSymbols(symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<PairMerge> {
        if (right.to - left.from > m_longestText) return std::nullopt;
        const TokenId id = m_ids(word.substr(left.from, right.to - left.from));
        if (id < 0) return std::nullopt;
        return PairMerge{static_cast<double>(id), id};
    });
}

std::string BytePairTokenizer::decode(TokenId id) const {
    const std::string& bytes = m_bytes[static_cast<size_t>(id)];
    return m_pretokenizer.alphabet == Alphabet::VisibleBlanks ? withPlainBlanks(bytes) : bytes;
}

} // namespace steelyard
