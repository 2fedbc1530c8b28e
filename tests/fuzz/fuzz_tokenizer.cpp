// A vocabulary may say anything: building a tokenizer gives one that survives every text and every id, or a sentence.

#include "engine/format/readable.h"
#include "engine/tokenizer/incremental_decoder.h"
#include "engine/tokenizer/tokenizer.h"

#include <cstdlib>

using namespace steelyard;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

// What a reply streams is whole characters, whatever the ids are.
void streamIds(const std::shared_ptr<const Tokenizer>& tokenizer, const std::vector<TokenId>& ids, std::string_view bytes) {
    IncrementalDecoder decoder(tokenizer, false);
    for (const TokenId id : ids) require(isUtf8(decoder.push(id)));
    const auto size = static_cast<TokenId>(tokenizer->vocabularySize());
    for (const char byte : bytes) require(isUtf8(decoder.push(static_cast<uint8_t>(byte) % size)));
    require(isUtf8(decoder.finish()));
}

void useTokenizer(const std::shared_ptr<const Tokenizer>& shared, std::string_view text) {
    const Tokenizer& tokenizer = *shared;
    const auto size = static_cast<TokenId>(tokenizer.vocabularySize());
    for (const bool special : {false, true}) {
        const std::vector<TokenId> ids = tokenizer.tokenize(text, special);
        for (const TokenId id : ids) require(id >= 0 && id < size);
        (void)tokenizer.detokenize(ids, special);
        if (size > 0) streamIds(shared, ids, text);
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
    useTokenizer(*tokenizer, "Hello  world, don't stop: 1234 \xD0\xBF\xD1\x80\xD0\xB8 <s>\n\n\t \xF0\x9F\x98\x80 e\xCC\x81 \xFF\xC0");
    const size_t tail = size < 256 ? size : 256;
    useTokenizer(*tokenizer, {reinterpret_cast<const char*>(data) + size - tail, tail});
    return 0;
}
