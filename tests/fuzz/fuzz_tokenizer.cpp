// A vocabulary may say anything: building a tokenizer gives one that survives every text and every id, or a sentence.

#include "engine/tokenizer/incremental_decoder.h"
#include "engine/tokenizer/tokenizer.h"

#include <cstdlib>

using namespace steelyard;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void useTokenizer(const Tokenizer& tokenizer, std::string_view text) {
    const auto size = static_cast<TokenId>(tokenizer.vocabularySize());
    for (const bool special : {false, true}) {
        const std::vector<TokenId> ids = tokenizer.tokenize(text, special);
        for (const TokenId id : ids) require(id >= 0 && id < size);
        (void)tokenizer.detokenize(ids, special);
    }
    for (const TokenId id : tokenizer.special().endOfReply) require(id >= 0 && id < size);
    // Ids that no vocabulary has reach the tokenizer by the command line.
    for (const TokenId id : {TokenId(-1), TokenId(0), size - 1, size, TokenId(2147483647)}) {
        (void)tokenizer.bytes(id, true);
        (void)tokenizer.isControl(id);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const Result<GgufFile> file = GgufFile::parse({data, size}, size, false);
    if (!file) return 0;
    const auto tokenizer = Tokenizer::fromFile(*file);
    if (!tokenizer) {
        require(!tokenizer.sentence().empty());
        return 0;
    }
    useTokenizer(**tokenizer, "Hello  world, don't stop: 1234 \xD0\xBF\xD1\x80\xD0\xB8 <s>\n\n\t \xF0\x9F\x98\x80 e\xCC\x81 \xFF\xC0");
    const size_t tail = size < 256 ? size : 256;
    useTokenizer(**tokenizer, {reinterpret_cast<const char*>(data) + size - tail, tail});
    return 0;
}
