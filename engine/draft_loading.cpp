// The smaller model that guesses ahead for a loaded one.
#include "engine/loaded_model.h"

#include <algorithm>

namespace steelyard {

namespace {

// Why guesses of one model mean nothing to the other, or empty.
std::string vocabularyDifference(const Tokenizer& model, const Tokenizer& draft) {
    // Vocabularies of one family are padded to different sizes behind their last token.
    const auto size = static_cast<TokenId>(std::min(model.vocabularySize(), draft.vocabularySize()));
    for (TokenId id = 0; id < size; ++id)
        if (model.bytes(id, true) != draft.bytes(id, true)) return "token " + std::to_string(id) + " is another one";
    constexpr size_t kPadding = 1024;
    const size_t larger = std::max(model.vocabularySize(), draft.vocabularySize());
    return larger - static_cast<size_t>(size) > kPadding ? "its size is another one" : "";
}

Result<std::unique_ptr<LoadedModel>> usableDraft(const LoadedModel& model, const LoadRequest& request, const LogSink& log,
                                                 const std::atomic<bool>& cancelled) {
    LoadRequest own = request;
    own.path = request.draft;
    own.draft.clear();
    own.device = model.facts.deviceId;
    own.contextLength = model.facts.contextLength;
    auto draft = loadModel(own, log, {}, cancelled);
    if (!draft) return draft.error();
    if (!(*draft)->transformer->spec().causal || (*draft)->transformer->cache().hasStates())
        return Error{"a model with recurrent layers or a diffusion model cannot take guesses back"};
    const auto difference = vocabularyDifference(*model.tokenizer, *(*draft)->tokenizer);
    if (!difference.empty()) return Error{"its vocabulary differs from the model's: " + difference};
    return draft;
}

} // namespace

void loadDraft(LoadedModel& model, const LoadRequest& request, const LogSink& log, const std::atomic<bool>& cancelled) {
    auto draft = usableDraft(model, request, log, cancelled);
    if (draft) {
        model.facts.draftName = (*draft)->facts.name;
        model.draft = std::move(*draft);
    } else {
        model.facts.notices.push_back("The draft model is not used: " + draft.sentence() + (draft.sentence().back() == '.' ? "" : "."));
    }
}

} // namespace steelyard
