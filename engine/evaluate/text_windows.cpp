#include "engine/evaluate/text_windows.h"

#include "engine/format/gguf_file.h"
#include "engine/model/architectures.h"
#include "engine/tokenizer/tokenizer.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr uint32_t kSmallestContext = 4; // two tokens of context, one to predict and the last

struct Reading {
    std::vector<int32_t> ids;
    std::optional<int32_t> bos; // before every window, where the file asks for one
};

Result<Reading> readText(const std::filesystem::path& model, const std::string& text) {
    const auto file = GgufFile::open(model);
    if (!file) return file.error();
    const auto spec = readSpec(*file);
    if (!spec) return spec.error();
    if (!spec->causal)
        return Error{"This is a diffusion model: it fills in masked tokens instead of continuing a text, so that a perplexity says nothing about it."};
    const auto tokenizer = Tokenizer::fromFile(*file);
    if (!tokenizer) return tokenizer.error();
    Reading reading;
    reading.ids = (*tokenizer)->tokenize(text, false);
    const auto& special = (*tokenizer)->special();
    if (!special.addBos || !special.bos) return reading;
    reading.bos = special.bos;
    reading.ids.insert(reading.ids.begin(), *special.bos);
    return reading;
}

} // namespace

ScoreRequest TextWindows::request(size_t window, ModelId model) const {
    ScoreRequest request;
    request.model = model;
    request.ids.assign(ids[window].begin(), ids[window].end() - 1);
    request.from = firstScored();
    return request;
}

Result<TextWindows> windowsOf(const std::vector<int32_t>& ids, uint32_t context, std::optional<int32_t> bos) {
    if (context < kSmallestContext)
        return Error{"A window needs at least " + std::to_string(kSmallestContext) + " tokens, not " + std::to_string(context) + "."};
    if (ids.size() / 2 < context)
        return Error{"The text has only " + std::to_string(ids.size()) + " tokens, and a context of " + std::to_string(context) +
                     " needs at least " + std::to_string(2 * uint64_t(context)) + ". Choose a longer text or a smaller context."};
    TextWindows windows;
    for (size_t from = 0; from + context <= ids.size(); from += context) {
        const auto first = ids.begin() + static_cast<std::ptrdiff_t>(from);
        auto& window = windows.ids.emplace_back(first, first + context);
        if (bos) window.front() = *bos;
    }
    return windows;
}

Result<TextWindows> readWindows(std::string text, uint32_t context, const std::filesystem::path& model,
                                const std::optional<std::filesystem::path>& reference) {
    if (!text.empty() && text.back() == '\n') text.pop_back();
    const auto reading = readText(model, text);
    if (!reading) return reading.error();
    if (reference) {
        const auto other = readText(*reference, text);
        if (!other) return Error{"The reference cannot be used. " + other.sentence()};
        if (other->ids != reading->ids || other->bos != reading->bos)
            return Error{"The two models have different vocabularies: the reference reads this text as other tokens. Choose a file of the same model."};
    }
    return windowsOf(reading->ids, context, reading->bos);
}

} // namespace steelyard
