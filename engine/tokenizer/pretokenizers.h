// The table of pre-tokenizers: how each named vocabulary cuts a text into words before its merges. A new one is one
// row.
#pragma once

#include "engine/tokenizer/pretokenizer_stages.h"

#include <functional>
#include <string_view>

namespace steelyard {

// What a vocabulary's texts are made of.
enum class Alphabet : uint8_t {
    Bytes,         // GPT-2's way to write bytes
    VisibleBlanks, // characters, the blank as U+2581
    NoBlanks,      // characters; blanks only part words
};

struct Pretokenizer {
    std::string_view name; // of the way of cutting; names of files are in the table of names
    std::span<const PretokenizerStage> stages;
    bool composes = false;        // text is brought to canonical composition first
    bool wholeWordsFirst = false; // a word that is in the vocabulary is one token, whatever the merges say
    bool addsBos = false;         // when the file does not say
    Alphabet alphabet = Alphabet::Bytes;
    bool mergesByIds = false; // where the file has no merges: the smaller an id, the sooner its token is merged
};

// The row of a `tokenizer.ggml.pre` name; null when unknown.
const Pretokenizer* findPretokenizer(std::string_view name);

// Calls `piece` for each word of the text in order: [from, to) in bytes. The pieces cover the text.
void forEachPiece(const Pretokenizer& pretokenizer, std::string_view text,
                  const std::function<void(size_t from, size_t to)>& piece);

} // namespace steelyard
