// The vocabulary that a file brings: texts, kinds and scores of its tokens, and the special ones, all checked against
// each other. Knows nothing of how texts are cut.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <array>

namespace steelyard {

enum class TokenKind : uint8_t { Normal, Unknown, Control, UserDefined, Unused, Byte };

// Blanks before or behind an added token that belong to it.
struct StripFlags {
    bool before = false, after = false;
};

struct Vocabulary {
    std::vector<std::string> texts; // as in the file
    std::vector<TokenKind> kinds;
    std::vector<double> scores;          // empty when the file has none
    std::array<TokenId, 256> byteTokens; // ids of <0x00> to <0xFF>; -1 where there is none
    SpecialTokens special;               // addBos as the file says, else false
    std::optional<bool> addBos, addSpacePrefix;
    bool stripsAfterTokens = false;      // Phi-3: blanks behind most added tokens belong to them
    std::optional<TokenId> stripsBefore; // the mask token of some embedding models
    std::optional<TokenId> endOfMessage; // where a reply is a chain of messages (gpt-oss): what ends one of them

    // Hidden from shown text, and read only in trusted text.
    bool isControl(TokenId id) const;
    // Read only in trusted text: control tokens, and user-defined ones that are spelled like one ("<|channel>",
    // "</s>").
    bool needsTrust(TokenId id) const;

    StripFlags stripsOf(TokenId id) const;

    static Result<Vocabulary> fromFile(const GgufFile& file);
};

} // namespace steelyard
