#include "engine/tokenizer/word_piece.h"

#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/visible_blank.h"

namespace steelyard {

namespace {

constexpr size_t kLongestWord = 100; // in characters; longer words are unknown, as in the reference

size_t charactersIn(std::string_view word) {
    size_t count = 0;
    for (const char c : word)
        count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return count;
}

} // namespace

WordPieceTokenizer::WordPieceTokenizer(Vocabulary vocabulary, bool lowerCases, bool stripsAccents)
    : FragmentTokenizer(std::move(vocabulary)), m_lowerCases(lowerCases), m_stripsAccents(stripsAccents) {
    m_special.addBos = m_vocabulary.addBos.value_or(true) && m_special.bos.has_value();
    for (size_t id = 0; id < m_vocabulary.texts.size(); ++id)
        if (m_vocabulary.kinds[id] == TokenKind::Normal || m_vocabulary.kinds[id] == TokenKind::UserDefined)
            m_pieces.add(m_vocabulary.texts[id], static_cast<TokenId>(id));
    m_pieces.finish();
}

Result<std::shared_ptr<const Tokenizer>> WordPieceTokenizer::fromFile(const GgufFile& file) {
    auto vocabulary = Vocabulary::fromFile(file);
    if (!vocabulary) return vocabulary.error();
    const auto lowerCases = file.boolValue("tokenizer.ggml.normalizer.lowercase");
    if (!lowerCases) return lowerCases.error();
    const auto stripsAccents = file.boolValue("tokenizer.ggml.normalizer.strip_accents");
    if (!stripsAccents) return stripsAccents.error();
    const bool lower = lowerCases->value_or(true);
    std::shared_ptr<WordPieceTokenizer> tokenizer(
        new WordPieceTokenizer(std::move(vocabulary).value(), lower, stripsAccents->value_or(lower)));
    if (auto done = tokenizer->checkEveryTextHasTokens(); !done) return done.error();
    return std::shared_ptr<const Tokenizer>(std::move(tokenizer));
}

void WordPieceTokenizer::encode(std::string_view text, bool, std::vector<TokenId>& ids) const {
    for (const std::string& word : basicWords(text, m_lowerCases, m_stripsAccents))
        encodeWord(word, ids);
}

void WordPieceTokenizer::encodeWord(const std::string& word, std::vector<TokenId>& ids) const {
    const size_t before = ids.size();
    const std::string marked = std::string(kVisibleBlank) + word;
    bool known = charactersIn(word) <= kLongestWord;
    for (size_t at = 0; known && at < marked.size();) {
        size_t longest = 0;
        TokenId piece = -1;
        m_pieces.forEachAt(std::string_view(marked).substr(at), [&](size_t length, TokenId id) {
            longest = length;
            piece = id;
        });
        known = longest > 0;
        if (known) ids.push_back(piece);
        at += longest;
    }
    if (known) return;
    ids.resize(before);
    if (m_special.unknown)
        ids.push_back(*m_special.unknown);
    else
        encodeBytes(word, ids);
}

std::string WordPieceTokenizer::decode(TokenId id) const {
    return withPlainBlanks(m_vocabulary.texts[static_cast<size_t>(id)]);
}

} // namespace steelyard
