#include "engine/tokenizer/vocabulary.h"

#include "engine/format/gguf_value_type.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

namespace steelyard {

namespace {

constexpr size_t kLargestVocabulary = size_t(1) << 24;

// Texts that end a reply in the vocabularies of well-known models, whatever the file's own keys say.
constexpr std::string_view kEndTexts[] = {
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<end_of_turn>",
    "<turn|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|return|>",
    "<|call|>",
    "<|endofturn|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|eos|>",
    "<EOT>",
    "[e~[",
    "<|observation|>",
    "<\uFF5Cend\u2581of\u2581sentence\uFF5C>",
};

TokenKind kindOf(int64_t fileKind) {
    switch (fileKind) {
    case 2:
        return TokenKind::Unknown;
    case 3:
        return TokenKind::Control;
    case 4:
        return TokenKind::UserDefined;
    case 5:
        return TokenKind::Unused;
    case 6:
        return TokenKind::Byte;
    default:
        return TokenKind::Normal;
    }
}

bool startsWith(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}
bool endsWith(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The byte of "<0xNN>", or -1.
int byteOf(std::string_view text) {
    if (text.size() != 6 || !startsWith(text, "<0x") || text[5] != '>') return -1;
    int value = 0;
    for (const char c : text.substr(3, 2)) {
        if (!std::isxdigit(static_cast<unsigned char>(c))) return -1;
        value = value * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return value;
}

Result<void> readKinds(const GgufFile& file, Vocabulary& vocabulary) {
    vocabulary.kinds.assign(vocabulary.texts.size(), TokenKind::Normal);
    const GgufKey* key = file.find("tokenizer.ggml.token_type");
    if (!key) return {};
    const auto type = static_cast<GgufValueType>(key->fileType);
    if (!key->isArray || (type != GgufValueType::I32 && type != GgufValueType::U32))
        return Error{"\"tokenizer.ggml.token_type\" must be an array of i32, but its element type is " +
                     std::string(ggufValueTypeName(key->fileType)) + "."};
    const auto kinds = file.integerArray(key->name);
    if (!kinds) return kinds.error();
    if (kinds->size() != vocabulary.texts.size())
        return Error{"\"tokenizer.ggml.token_type\" has " + std::to_string(kinds->size()) + " entries for " +
                     std::to_string(vocabulary.texts.size()) + " tokens."};
    std::transform(kinds->begin(), kinds->end(), vocabulary.kinds.begin(), kindOf);
    return {};
}

Result<void> readScores(const GgufFile& file, Vocabulary& vocabulary) {
    const GgufKey* key = file.find("tokenizer.ggml.scores");
    if (!key) return {};
    if (!key->isArray || static_cast<GgufValueType>(key->fileType) != GgufValueType::F32)
        return Error{"\"tokenizer.ggml.scores\" must be an array of f32, but its element type is " +
                     std::string(ggufValueTypeName(key->fileType)) + "."};
    auto scores = file.realArray(key->name);
    if (!scores) return scores.error();
    if (scores->size() != vocabulary.texts.size())
        return Error{"\"tokenizer.ggml.scores\" has " + std::to_string(scores->size()) + " scores for " +
                     std::to_string(vocabulary.texts.size()) + " tokens."};
    vocabulary.scores = std::move(scores).value();
    return {};
}

Result<void> readByteTokens(Vocabulary& vocabulary) {
    vocabulary.byteTokens.fill(-1);
    for (size_t id = 0; id < vocabulary.texts.size(); ++id) {
        if (vocabulary.kinds[id] != TokenKind::Byte) continue;
        const int byte = byteOf(vocabulary.texts[id]);
        if (byte < 0)
            return Error{"Byte token " + std::to_string(id) + " is malformed: it must be spelled <0x00> to <0xFF>."};
        vocabulary.byteTokens[static_cast<size_t>(byte)] = static_cast<TokenId>(id);
    }
    return {};
}

Result<std::optional<TokenId>> readId(const GgufFile& file, const char* what, size_t vocabularySize) {
    const std::string name = std::string("tokenizer.ggml.") + what + "_token_id";
    const auto value = file.unsignedValue(name);
    if (!value) return value.error();
    if (!*value) return std::optional<TokenId>();
    if (**value >= vocabularySize)
        return Error{"\"" + name + "\" is " + std::to_string(**value) + ", outside the vocabulary of " +
                     std::to_string(vocabularySize) + " tokens."};
    return std::optional<TokenId>(static_cast<TokenId>(**value));
}

void collectEndTokens(Vocabulary& vocabulary) {
    auto& ends = vocabulary.special.endOfReply;
    const auto add = [&](TokenId id) {
        if (std::find(ends.begin(), ends.end(), id) == ends.end()) ends.push_back(id);
    };
    if (vocabulary.special.eos) add(*vocabulary.special.eos);
    if (vocabulary.special.eot) add(*vocabulary.special.eot);
    std::optional<TokenId> returns, calls, end;
    for (size_t i = 0; i < vocabulary.texts.size(); ++i) {
        if (vocabulary.kinds[i] != TokenKind::Control && vocabulary.kinds[i] != TokenKind::UserDefined) continue;
        const std::string& text = vocabulary.texts[i];
        if (std::find(std::begin(kEndTexts), std::end(kEndTexts), text) == std::end(kEndTexts)) continue;
        const auto id = static_cast<TokenId>(i);
        add(id);
        if (text == "<|return|>") returns = id;
        if (text == "<|call|>") calls = id;
        if (text == "<|end|>") end = id;
    }
    // Where a reply is a chain of messages (gpt-oss), <|end|> ends a message, not the reply.
    if (!returns || !calls || !end) return;
    ends.erase(std::remove(ends.begin(), ends.end(), *end), ends.end());
    vocabulary.endOfMessage = end;
}

Result<void> readSpecialTokens(const GgufFile& file, Vocabulary& vocabulary) {
    const size_t size = vocabulary.texts.size();
    SpecialTokens& special = vocabulary.special;
    std::optional<TokenId> eom;
    const std::pair<const char*, std::optional<TokenId>*> rows[] = {
        {"bos", &special.bos}, {"eos", &special.eos},         {"eot", &special.eot},
        {"eom", &eom},         {"unknown", &special.unknown}, {"padding", &special.padding}};
    for (const auto& row : rows) {
        auto id = readId(file, row.first, size);
        if (!id) return id.error();
        *row.second = *id;
    }
    if (eom) special.endOfReply.push_back(*eom);
    const auto addBos = file.boolValue("tokenizer.ggml.add_bos_token");
    if (!addBos) return addBos.error();
    vocabulary.addBos = *addBos;
    const auto addSpace = file.boolValue("tokenizer.ggml.add_space_prefix");
    if (!addSpace) return addSpace.error();
    vocabulary.addSpacePrefix = *addSpace;
    collectEndTokens(vocabulary);
    return {};
}

bool containsAny(const Result<std::optional<std::string>>& text, std::initializer_list<std::string_view> words) {
    if (!text || !*text) return false;
    std::string lower = **text;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// GGUF does not carry the strip flags of added tokens; the vocabularies that have some are known by names.
void setStripFlags(const GgufFile& file, Vocabulary& vocabulary) {
    const auto name = file.stringValue("general.name");
    const auto pre = file.stringValue("tokenizer.ggml.pre"), architecture = file.stringValue("general.architecture");
    vocabulary.stripsAfterTokens = containsAny(name, {"phi-3", "phi3"});
    const bool modernBert = containsAny(name, {"modern-bert", "modernbert"});
    if (!modernBert && !containsAny(pre, {"jina-v2-de", "jina-v2-es", "jina-v2-code"}) &&
        !containsAny(architecture, {"nomic-bert-moe", "jina-bert-v3"}))
        return;
    const auto mask = std::find(vocabulary.texts.begin(), vocabulary.texts.end(), modernBert ? "[MASK]" : "<mask>");
    if (mask != vocabulary.texts.end()) vocabulary.stripsBefore = static_cast<TokenId>(mask - vocabulary.texts.begin());
}

// Vocabulary files of the Qwen family made before its later tokens have placeholders where these stand in all of its
// models.
void nameLaterTokens(Vocabulary& vocabulary) {
    struct LaterToken {
        size_t id;
        std::string_view placeholder, text;
    };
    constexpr LaterToken kLaterTokens[] = {{151667, "[PAD151667]", "<think>"}, {151668, "[PAD151668]", "</think>"}};
    for (const auto& later : kLaterTokens) {
        if (later.id >= vocabulary.texts.size() || vocabulary.texts[later.id] != later.placeholder) continue;
        vocabulary.texts[later.id] = later.text;
        vocabulary.kinds[later.id] = TokenKind::Control;
    }
}

} // namespace

bool Vocabulary::isControl(TokenId id) const {
    const TokenKind kind = kinds[static_cast<size_t>(id)];
    return kind == TokenKind::Control || kind == TokenKind::Unknown;
}

bool Vocabulary::needsTrust(TokenId id) const {
    const size_t i = static_cast<size_t>(id);
    if (kinds[i] != TokenKind::UserDefined) return isControl(id);
    return texts[i] == "</s>" || startsWith(texts[i], "<|") || endsWith(texts[i], "|>") ||
           startsWith(texts[i], "<\xEF\xBD\x9C");
}

StripFlags Vocabulary::stripsOf(TokenId id) const {
    const std::string& text = texts[static_cast<size_t>(id)];
    const bool after = stripsAfterTokens && text != "<unk>" && text != "<s>" && text != "<|endoftext|>";
    return {stripsBefore == id, after};
}

Result<Vocabulary> Vocabulary::fromFile(const GgufFile& file) {
    const auto tokens = file.stringArray("tokenizer.ggml.tokens");
    if (!tokens) return tokens.error();
    if (!*tokens || (*tokens)->empty())
        return Error{"The file has no vocabulary: \"tokenizer.ggml.tokens\" is missing or empty."};
    if ((*tokens)->size() > kLargestVocabulary)
        return Error{"\"tokenizer.ggml.tokens\" has " + std::to_string((*tokens)->size()) +
                     " tokens, beyond the limit of " + std::to_string(kLargestVocabulary) + "."};
    Vocabulary vocabulary;
    vocabulary.texts = **tokens;
    for (const auto& step : {readKinds, readScores})
        if (auto done = step(file, vocabulary); !done) return done.error();
    if (auto done = readByteTokens(vocabulary); !done) return done.error();
    if (auto done = readSpecialTokens(file, vocabulary); !done) return done.error();
    setStripFlags(file, vocabulary);
    nameLaterTokens(vocabulary);
    return vocabulary;
}

} // namespace steelyard
