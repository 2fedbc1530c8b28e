#include "engine/tokenizer/longest_match.h"

namespace steelyard {

namespace {

int digitOf(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 32);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Nothing for an escape that is none.
std::optional<std::string> unescaped(std::string_view text) {
    std::string bytes;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            bytes += text[i];
            continue;
        }
        if (++i == text.size()) return std::nullopt;
        if (text[i] == 'x') {
            if (i + 2 >= text.size() || digitOf(text[i + 1]) < 0 || digitOf(text[i + 2]) < 0) return std::nullopt;
            bytes += static_cast<char>(digitOf(text[i + 1]) * 16 + digitOf(text[i + 2]));
            i += 2;
        } else {
            bytes += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i] == 'r' ? '\r' : text[i];
        }
    }
    return bytes;
}

} // namespace

LongestMatchTokenizer::LongestMatchTokenizer(Vocabulary vocabulary, std::vector<std::string> bytes)
    : FragmentTokenizer(std::move(vocabulary)), m_bytes(std::move(bytes)) {
    m_special.addBos = m_vocabulary.addBos.value_or(false) && m_special.bos.has_value();
    for (size_t id = 0; id < m_bytes.size(); ++id)
        if (m_vocabulary.kinds[id] == TokenKind::Normal) m_tokens.add(m_bytes[id], static_cast<TokenId>(id));
    m_tokens.finish();
}

Result<std::shared_ptr<const Tokenizer>> LongestMatchTokenizer::fromFile(const GgufFile& file) {
    auto vocabulary = Vocabulary::fromFile(file);
    if (!vocabulary) return vocabulary.error();
    std::vector<std::string> bytes;
    for (const std::string& text : vocabulary->texts) {
        auto plain = unescaped(text);
        if (!plain)
            return Error{"Token " + std::to_string(bytes.size()) +
                         " of \"tokenizer.ggml.tokens\" has a malformed escape."};
        bytes.push_back(std::move(*plain));
    }
    return std::shared_ptr<const Tokenizer>(new LongestMatchTokenizer(std::move(vocabulary).value(), std::move(bytes)));
}

void LongestMatchTokenizer::encode(std::string_view text, bool, std::vector<TokenId>& ids) const {
    for (size_t at = 0; at < text.size();) {
        size_t longest = 0;
        TokenId token = -1;
        m_tokens.forEachAt(text.substr(at), [&](size_t length, TokenId id) {
            longest = length;
            token = id;
        });
        if (longest > 0)
            ids.push_back(token);
        else
            encodeBytes(text.substr(at, 1), ids);
        at += std::max<size_t>(longest, 1);
    }
}

std::string LongestMatchTokenizer::decode(TokenId id) const {
    return m_bytes[static_cast<size_t>(id)];
}

} // namespace steelyard
