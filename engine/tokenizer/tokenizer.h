// Text to token ids and back, exactly as the model's own vocabulary says. Immutable after construction, so any thread
// may use it. Knows nothing of models, devices or chats.
#pragma once

#include "engine/core/result.h"
#include "engine/format/gguf_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

using TokenId = int32_t;

// A piece of a prompt: control tokens are recognised only where the text is trusted (written by the template or the
// program), never inside what people or models wrote.
struct TextPiece {
    std::string text;
    bool trusted = false;
};

struct SpecialTokens {
    std::optional<TokenId> bos, eos, eot, unknown, padding;
    bool addBos = false;             // the file asks for a BOS before every prompt
    std::vector<TokenId> endOfReply; // every id that ends a reply (eos, eot, eom and the like)
};

struct Reading; // where added tokens are read

class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    // Builds the tokenizer that a file describes; an error names what is missing or unknown. A file that declares that
    // it brings no vocabulary ("no_vocab") gives one whose texts are all empty.
    static Result<std::shared_ptr<const Tokenizer>> fromFile(const GgufFile& file);

    // Ids of a text, as the makers of the vocabulary have it. `special` reads control tokens written in it. No BOS is
    // added.
    std::vector<TokenId> tokenize(std::string_view text, bool special) const;

    // Ids of a prompt of pieces, as if their texts stood in one string, with control tokens read in trusted pieces
    // only, whatever the makers have: the way for everything that people or models wrote.
    std::vector<TokenId> tokenize(const std::vector<TextPiece>& pieces) const;

    // The bytes of one id; control tokens give their text when `showControl`, else nothing.
    virtual std::string bytes(TokenId id, bool showControl) const = 0;

    // The bytes of a sequence, which need not be whole characters. Undoes the marker that a vocabulary puts before the
    // first word of a text.
    std::string detokenize(const std::vector<TokenId>& ids, bool showControl) const;

    // True when a vocabulary puts a blank before the first word of a text, which decoding takes away again.
    virtual bool hasBlankPrefix() const = 0;

    virtual size_t vocabularySize() const = 0;
    virtual bool isControl(TokenId id) const = 0;
    const SpecialTokens& special() const { return m_special; }

protected:
    virtual std::vector<TokenId> tokenizeReading(std::string_view text, const Reading& reading) const = 0;

    SpecialTokens m_special;
};

} // namespace steelyard
