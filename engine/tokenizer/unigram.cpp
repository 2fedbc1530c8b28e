#include "engine/tokenizer/unigram.h"

#include "engine/format/gguf_value_type.h"
#include "engine/tokenizer/characters.h"
#include "engine/tokenizer/visible_blank.h"

#include <limits>

namespace steelyard {

namespace {

constexpr double kUnknownPenalty = 10; // below the worst piece; SentencePiece's kUnkPenalty
constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

// The bytes of a key that holds an array of bytes; empty when absent.
Result<std::string> byteArray(const GgufFile& file, const char* name) {
    const GgufKey* key = file.find(name);
    if (!key) return std::string();
    const auto type = static_cast<GgufValueType>(key->fileType);
    if (!key->isArray || (type != GgufValueType::U8 && type != GgufValueType::I8))
        return Error{"\"" + key->name + "\" must be an array of u8, but its element type is " +
                     std::string(ggufValueTypeName(key->fileType)) + "."};
    const auto values = file.integerArray(name);
    if (!values) return values.error();
    std::string bytes;
    bytes.reserve(values->size());
    for (const int64_t value : *values)
        bytes += static_cast<char>(value);
    return bytes;
}

} // namespace

UnigramTokenizer::UnigramTokenizer(Vocabulary vocabulary)
    : FragmentTokenizer(std::move(vocabulary)), m_blankPrefix(m_vocabulary.addSpacePrefix.value_or(true)) {
    m_special.addBos = m_vocabulary.addBos.value_or(false) && m_special.bos.has_value();
    double worst = 0;
    for (size_t id = 0; id < m_vocabulary.texts.size(); ++id) {
        const TokenKind kind = m_vocabulary.kinds[id];
        if (kind == TokenKind::Normal) worst = std::min(worst, m_vocabulary.scores[id]);
        if (kind == TokenKind::Normal || kind == TokenKind::UserDefined)
            m_pieces.add(m_vocabulary.texts[id], static_cast<TokenId>(id));
    }
    m_pieces.finish();
    m_unknownScore = worst - kUnknownPenalty;
    const auto& bytes = m_vocabulary.byteTokens;
    m_hasBytes = std::find(bytes.begin(), bytes.end(), -1) == bytes.end();
}

Result<void> UnigramTokenizer::readOptions(const GgufFile& file) {
    const std::pair<const char*, bool*> rows[] = {
        {"tokenizer.ggml.remove_extra_whitespaces", &m_reducesBlanks},
        {"tokenizer.ggml.treat_whitespace_as_suffix", &m_blankSuffix},
    };
    for (const auto& row : rows) {
        const auto value = file.boolValue(row.first);
        if (!value) return value.error();
        *row.second = value->value_or(*row.second);
    }
    const auto blob = byteArray(file, "tokenizer.ggml.precompiled_charsmap");
    if (!blob) return blob.error();
    if (!file.find("tokenizer.ggml.precompiled_charsmap")) return {};
    auto map = PrecompiledMap::parse(*blob);
    if (!map) return map.error();
    m_map = std::move(*map);
    return {};
}

Result<std::shared_ptr<const Tokenizer>> UnigramTokenizer::fromFile(const GgufFile& file) {
    auto vocabulary = Vocabulary::fromFile(file);
    if (!vocabulary) return vocabulary.error();
    if (vocabulary->scores.empty()) return Error{"The vocabulary has no scores: \"tokenizer.ggml.scores\" is missing."};
    std::shared_ptr<UnigramTokenizer> tokenizer(new UnigramTokenizer(std::move(vocabulary).value()));
    if (auto done = tokenizer->readOptions(file); !done) return done.error();
    if (auto done = tokenizer->checkEveryTextHasTokens(); !done) return done.error();
    return std::shared_ptr<const Tokenizer>(std::move(tokenizer));
}

PrecompiledMap::Replacement UnigramTokenizer::normalizedPrefix(std::string_view text) const {
    if (const auto replacement = m_map.longestAt(text)) return *replacement;
    const size_t length = utf8Length(text);
    if (length == 0) return {1, kReplacementCharacter};
    return {length, text.substr(0, length)};
}

// As SentencePiece's Normalizer does it.
std::string UnigramTokenizer::normalized(std::string_view text) const {
    std::string result;
    bool afterBlank = m_reducesBlanks; // blanks here are dropped
    for (size_t at = 0; at < text.size();) {
        const auto prefix = normalizedPrefix(text.substr(at));
        at += prefix.length;
        for (const char c : prefix.text) {
            if (c == ' ' && afterBlank) continue;
            if (result.empty() && m_blankPrefix && !m_blankSuffix) result = kVisibleBlank;
            if (c == ' ')
                result += kVisibleBlank;
            else
                result += c;
            afterBlank = c == ' ' && m_reducesBlanks;
        }
    }
    if (afterBlank && result.size() > kVisibleBlank.size()) result.resize(result.size() - kVisibleBlank.size());
    if (m_blankSuffix && m_blankPrefix && !result.empty()) result += kVisibleBlank;
    return result;
}

std::vector<UnigramTokenizer::Step> UnigramTokenizer::bestSteps(std::string_view text) const {
    std::vector<Step> steps(text.size() + 1, {-std::numeric_limits<double>::infinity(), 0, -1});
    steps[0].score = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t character = std::max<size_t>(utf8Length(text.substr(at)), 1);
        const double score = steps[at].score;
        const auto offer = [&](size_t length, double pieceScore, TokenId id) {
            Step& step = steps[at + length];
            if (score + pieceScore > step.score) step = {score + pieceScore, at, id};
        };
        bool known = false;
        m_pieces.forEachAt(text.substr(at), [&](size_t length, TokenId id) {
            const auto index = static_cast<size_t>(id);
            const bool isFree = m_vocabulary.kinds[index] == TokenKind::UserDefined;
            offer(length, isFree ? 0 : m_vocabulary.scores[index], id);
            known = known || length == character;
        });
        if (!known) offer(character, m_unknownScore, -1);
        at += character;
    }
    return steps;
}

void UnigramTokenizer::encode(std::string_view text, bool, std::vector<TokenId>& ids) const {
    const std::string whole = normalized(text);
    const auto steps = bestSteps(whole);
    std::vector<std::pair<size_t, size_t>> pieces; // from, to; last first
    for (size_t to = whole.size(); to > 0; to = steps[to].from)
        pieces.push_back({steps[to].from, to});
    bool afterUnknown = false; // neighbours without a token are one unknown
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
        const TokenId id = steps[piece->second].id;
        if (id >= 0)
            ids.push_back(id);
        else if (m_hasBytes || !m_special.unknown)
            encodeBytes(std::string_view(whole).substr(piece->first, piece->second - piece->first), ids);
        else if (!afterUnknown)
            ids.push_back(*m_special.unknown);
        afterUnknown = id < 0;
    }
}

std::string UnigramTokenizer::decode(TokenId id) const {
    return withPlainBlanks(m_vocabulary.texts[static_cast<size_t>(id)]);
}

} // namespace steelyard
