// Vocabularies for tests: those of well-known models in the conformance folder or the model cache, and small ones made
// on the spot.
#pragma once

#include "engine/format/gguf_writer.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/engine/conformance_files.h"

namespace steelyard {

using TokenizerPtr = std::shared_ptr<const Tokenizer>;

// The file of a vocabulary by its short name; it may be absent.
inline QString vocabularyFile(const QString& vocabulary) {
    if (vocabulary == "smollm2") return cachedModel("SmolLM2-135M-Instruct.Q4_1.gguf");
    if (vocabulary == "gemma-3") return cachedModel("gemma-3-270m-Q4_K_M.gguf");
    return conformanceFolder() + "/tokenizers/" + vocabulary + ".gguf";
}

inline Result<TokenizerPtr> tokenizerOf(const std::string& bytes) {
    const auto file = GgufFile::parse({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, bytes.size());
    if (!file) return file.error();
    return Tokenizer::fromFile(*file);
}

inline Result<TokenizerPtr> tokenizerOfFile(const QString& path) {
    const auto file = GgufFile::open(path.toStdString());
    if (!file) return file.error();
    return Tokenizer::fromFile(*file);
}

// The start of a file with a vocabulary of a kind.
inline GgufWriter vocabularyWriter(const char* model, const std::vector<std::string>& tokens,
                                   const std::vector<int32_t>& kinds) {
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", model);
    writer.add("tokenizer.ggml.tokens", tokens);
    writer.add("tokenizer.ggml.token_type", kinds);
    return writer;
}

} // namespace steelyard
