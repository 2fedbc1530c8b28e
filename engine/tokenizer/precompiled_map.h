// SentencePiece's precompiled character map: a trie of texts with what each is replaced by, as it stands in model files
// ("tokenizer.ggml.precompiled_charsmap"): the trie's size in four bytes, its units (Darts-clone's double array, four
// bytes each), then the replacements, each closed by a zero. Every index is checked. Knows nothing of vocabularies.
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

class PrecompiledMap {
public:
    PrecompiledMap() = default; // an empty map
    static Result<PrecompiledMap> parse(std::string_view blob);

    struct Replacement {
        size_t length; // of what is replaced, in bytes
        std::string_view text;
    };
    // The longest text of the map at the start of `input`; nothing when there is none.
    std::optional<Replacement> longestAt(std::string_view input) const;

private:
    std::vector<uint32_t> m_units;
    std::string m_texts;
};

} // namespace steelyard
