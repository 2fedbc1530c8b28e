#include "engine/tokenizer/tokenizer.h"

#include "engine/format/readable.h"
#include "engine/tokenizer/added_tokens.h"
#include "engine/tokenizer/best_cover.h"
#include "engine/tokenizer/byte_pair.h"
#include "engine/tokenizer/longest_match.h"
#include "engine/tokenizer/sentence_piece.h"
#include "engine/tokenizer/unigram.h"
#include "engine/tokenizer/word_piece.h"

namespace steelyard {

namespace {

// For files that say that they bring no vocabulary: ids go in and out by number only.
class NoVocabularyTokenizer final : public Tokenizer {
public:
    explicit NoVocabularyTokenizer(size_t size) : m_size(size) {}
    std::string bytes(TokenId, bool) const override { return {}; }
    bool hasBlankPrefix() const override { return false; }
    size_t vocabularySize() const override { return m_size; }
    bool isControl(TokenId) const override { return false; }

private:
    std::vector<TokenId> tokenizeReading(std::string_view, const Reading&) const override { return {}; }
    size_t m_size;
};

Result<std::shared_ptr<const Tokenizer>> bytePairFromFile(const GgufFile& file, bool readsDna = false) {
    const auto pre = file.stringValue("tokenizer.ggml.pre");
    if (!pre) return pre.error();
    if (!*pre)
        return Error{"The file does not say how its vocabulary cuts words (\"tokenizer.ggml.pre\" is missing); get a "
                     "newer GGUF of this model."};
    const Pretokenizer* pretokenizer = findPretokenizer(**pre);
    if (!pretokenizer)
        return Error{"The vocabulary cuts words in the unknown way " + quotedText(**pre) +
                     " (\"tokenizer.ggml.pre\")."};
    return BytePairTokenizer::fromFile(file, *pretokenizer, readsDna);
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> Tokenizer::fromFile(const GgufFile& file) {
    const auto model = file.stringValue("tokenizer.ggml.model");
    if (!model) return model.error();
    if (!*model) return Error{"The file has no tokenizer: \"tokenizer.ggml.model\" is missing."};
    const std::string& name = **model;
    if (name == "gpt2" || name == "whitespace") return bytePairFromFile(file);
    if (name == "hybriddna") return bytePairFromFile(file, true);
    if (name == "plamo2") return BestCoverTokenizer::fromFile(file);
    if (name == "llama") return SentencePieceTokenizer::fromFile(file);
    if (name == "gemma4") return BytePairTokenizer::fromFile(file, *findPretokenizer("gemma4"));
    if (name == "t5") return UnigramTokenizer::fromFile(file);
    if (name == "bert") return WordPieceTokenizer::fromFile(file);
    if (name == "rwkv") return LongestMatchTokenizer::fromFile(file);
    if (name == "no_vocab" || name == "none") {
        const auto tokens = file.stringArray("tokenizer.ggml.tokens");
        return std::shared_ptr<const Tokenizer>(
            std::make_shared<NoVocabularyTokenizer>(tokens && *tokens ? (*tokens)->size() : 0));
    }
    return Error{"The file uses the unknown tokenizer " + quotedText(name) + " (\"tokenizer.ggml.model\")."};
}

std::vector<TokenId> Tokenizer::tokenize(std::string_view text, bool special) const {
    const TrustedRange all{0, text.size()};
    return tokenizeReading(text, {std::span<const TrustedRange>(&all, special ? 1 : 0), true});
}

std::vector<TokenId> Tokenizer::tokenize(const std::vector<TextPiece>& pieces) const {
    std::string text;
    std::vector<TrustedRange> trusted;
    for (const auto& piece : pieces) {
        const size_t from = text.size();
        text += piece.text;
        if (!piece.trusted || piece.text.empty()) continue;
        if (!trusted.empty() && trusted.back().to == from)
            trusted.back().to = text.size();
        else
            trusted.push_back({from, text.size()});
    }
    return tokenizeReading(text, {trusted, false});
}

std::string Tokenizer::detokenize(const std::vector<TokenId>& ids, bool showControl) const {
    std::string text;
    bool begins = hasBlankPrefix();
    for (const TokenId id : ids) {
        const std::string piece = bytes(id, showControl);
        const bool drops = begins && !isControl(id) && !piece.empty() && piece[0] == ' ';
        text.append(piece, drops ? 1 : 0, std::string::npos);
        begins = hasBlankPrefix() && isControl(id);
    }
    return text;
}

} // namespace steelyard
