// Files with every mistake that a model file can have, each with the words that its sentence must hold. The names are
// those of the list of malformations. Knows nothing of who reads them.
#pragma once

#include "tests/engine/malformed_gguf.h"

#include <vector>

namespace steelyard {

struct MalformedFile {
    std::string name;
    std::string bytes;
    std::string says; // part of the sentence; empty for an oddity that must be read
};

std::vector<MalformedFile> malformedHeads();        // header, keys, alignment, tensor records
std::vector<MalformedFile> malformedModels();       // keys and tensors of an architecture, files of other kinds
std::vector<MalformedFile> malformedVocabularies(); // keys of the tokenizer
std::vector<MalformedFile> malformedTemplates();    // `bytes` is the template

} // namespace steelyard
