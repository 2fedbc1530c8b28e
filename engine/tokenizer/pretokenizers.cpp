#include "engine/tokenizer/pretokenizers.h"

#include <algorithm>

namespace steelyard {

namespace {

using Contractions = WordRules::Contractions;
using Words = WordRules::Words;
using Tail = WordRules::Tail;
using Newlines = WordRules::Newlines;

constexpr WordRules kGpt2Words = {.contractions = Contractions::LowerCase};
constexpr WordRules kLlama3Words = {.contractions = Contractions::AnyCase,
                                    .words = Words::Prefixed,
                                    .digits = 3,
                                    .punctuationTail = Tail::Newlines,
                                    .newlines = Newlines::Runs};
constexpr WordRules kQwen2Words = {.contractions = Contractions::AnyCase,
                                   .words = Words::Prefixed,
                                   .digits = 1,
                                   .punctuationTail = Tail::Newlines,
                                   .newlines = Newlines::Runs};
constexpr WordRules kQwen35Words = {.contractions = Contractions::AnyCase,
                                    .words = Words::Prefixed,
                                    .marksInWords = true,
                                    .digits = 1,
                                    .punctuationTail = Tail::Newlines,
                                    .newlines = Newlines::Runs};
constexpr WordRules kSeedWords = {
    .contractions = Contractions::AnyCase, .words = Words::Prefixed, .digits = 1, .newlines = Newlines::Runs};
constexpr WordRules kUfakzekaWords = {
    .words = Words::Prefixed, .digits = 1, .punctuationTail = Tail::Newlines, .newlines = Newlines::Runs};
constexpr WordRules kMiniCpmWords = {.contractions = Contractions::AnyCase,
                                     .words = Words::Prefixed,
                                     .punctuationTail = Tail::Newlines,
                                     .newlines = Newlines::Runs};
constexpr WordRules kTekkenWords = {
    .words = Words::Cased, .digits = 1, .punctuationTail = Tail::NewlinesAndSlashes, .newlines = Newlines::Runs};
constexpr WordRules kGpt4oWords = {.words = Words::Cased,
                                   .contractionSuffix = true,
                                   .digits = 3,
                                   .punctuationTail = Tail::NewlinesAndSlashes,
                                   .newlines = Newlines::Runs};

constexpr WordRules kJais2Words = {.contractions = Contractions::AnyCase,
                                   .words = Words::Prefixed,
                                   .digits = 3,
                                   .punctuationTail = Tail::Newlines,
                                   .newlines = Newlines::Runs,
                                   .blanksByPowers = true};
constexpr WordRules kYoutuWords = {.words = Words::Cased,
                                   .contractionSuffix = true,
                                   .digits = 1,
                                   .punctuationTail = Tail::NewlinesAndSlashes,
                                   .newlines = Newlines::Runs};
constexpr WordRules kExaoneMoeWords = {.contractions = Contractions::AnyCase,
                                       .words = Words::Phrases,
                                       .digits = 1,
                                       .punctuationTail = Tail::OneNewlineOrSlash,
                                       .newlines = Newlines::Runs};
constexpr WordRules kDeepSeekWords = {.punctuationTail = Tail::Newlines, .newlines = Newlines::Runs};

constexpr PretokenizerStage kGpt2[] = {{matchWords, kGpt2Words}};
constexpr PretokenizerStage kDigitsThenGpt2[] = {{matchNumbers, {.digits = 1}}, {matchWords, kGpt2Words}};
constexpr PretokenizerStage kDefault[] = {
    {matchPunctuationRun, {}}, {matchWords, kGpt2Words}, {matchNumbers, {}}, {matchThreeDigits, {}}};
constexpr PretokenizerStage kFalcon[] = {
    {matchFalconPunctuation, {}}, {matchWords, kGpt2Words}, {matchThreeDigits, {}}};
constexpr PretokenizerStage kLlama3[] = {{matchWords, kLlama3Words}};
constexpr PretokenizerStage kQwen2[] = {{matchWords, kQwen2Words}};
constexpr PretokenizerStage kQwen35[] = {{matchWords, kQwen35Words}};
constexpr PretokenizerStage kLaguna[] = {{matchLines, {}}, {matchWords, kQwen2Words}};
constexpr PretokenizerStage kSeed[] = {{matchWords, kSeedWords}};
constexpr PretokenizerStage kUfakzeka[] = {{matchWords, kUfakzekaWords}};
constexpr PretokenizerStage kMiniCpm[] = {{matchNumbers, {.digits = 3}}, {matchWords, kMiniCpmWords}};
constexpr PretokenizerStage kTekken[] = {{matchWords, kTekkenWords}};
constexpr PretokenizerStage kGpt4o[] = {{matchWords, kGpt4oWords}};
constexpr PretokenizerStage kDeepSeek3[] = {
    {matchNumbers, {.digits = 3}}, {matchCjk, {}}, {matchDeepSeekWords, kDeepSeekWords}};
constexpr PretokenizerStage kDeepSeekCoder[] = {{matchNewline, {}},
                                                {matchSpacedLetters, {}},
                                                {matchSpacedPunctuation, {}},
                                                {matchWideCjk, {}},
                                                {matchNumbers, {.digits = 1}}};
constexpr PretokenizerStage kKimi[] = {{matchKimiWords, {}}};
constexpr PretokenizerStage kSuperBpe[] = {{matchNumbers, {}}, {nullptr, {}, cutDigitGroups}};
constexpr PretokenizerStage kBloom[] = {{matchBloomWords, {}}};
constexpr PretokenizerStage kViking[] = {{matchBloomWords, {}}, {matchNumbers, {.digits = 1}}};
constexpr PretokenizerStage kLines[] = {{matchLines, {}}};
constexpr PretokenizerStage kJais2[] = {{matchWords, kJais2Words}};
constexpr PretokenizerStage kDeepSeekLlm[] = {{matchNewline, {}},
                                              {matchSpacedCasedLetters, {}},
                                              {matchSpacedWidePunctuation, {}},
                                              {matchLastBlanks, {}},
                                              {matchWideCjk, {}},
                                              {matchNumbers, {}}};
constexpr PretokenizerStage kSpark[] = {{matchNumbers, {.digits = 3}},
                                        {matchCjk, {}},
                                        {matchDeepSeekWords, {.newlines = Newlines::Single}},
                                        {matchNumbers, {.digits = 1}}};
constexpr PretokenizerStage kYoutu[] = {{matchEastAsianRuns, {}}, {matchWords, kYoutuWords}};
constexpr PretokenizerStage kChameleon[] = {{matchImageTokens, {}},
                                            {matchShortBlanks, {}},
                                            {matchNumbers, {.digits = 1}},
                                            {matchOnePunctuation, {}},
                                            {matchWords, kGpt2Words}};
constexpr PretokenizerStage kTinyAya[] = {{matchWholeDigits, {}}, {matchDigitGroups, {}}, {matchWords, kGpt4oWords}};
constexpr PretokenizerStage kAfMoe[] = {
    {matchNumbers, {}}, {matchDigitGroups, {}}, {matchAsianScripts, {}}, {matchDeepSeekWords, kDeepSeekWords}};
constexpr PretokenizerStage kExaoneMoe[] = {{matchWords, kExaoneMoeWords}};
constexpr PretokenizerStage kNoBlanks[] = {{matchNoBlanks, {}}};

// One row per way of cutting.
constexpr Pretokenizer kPretokenizers[] = {
    {.name = "gpt-2", .stages = kGpt2},
    {.name = "olmo", .stages = kGpt2, .composes = true},
    {.name = "smollm", .stages = kDigitsThenGpt2},
    {.name = "command-r", .stages = kDigitsThenGpt2, .composes = true},
    {.name = "default", .stages = kDefault},
    {.name = "falcon", .stages = kFalcon},
    {.name = "llama-bpe", .stages = kLlama3, .wholeWordsFirst = true, .addsBos = true},
    {.name = "dbrx", .stages = kLlama3},
    {.name = "glm4", .stages = kLlama3, .wholeWordsFirst = true},
    {.name = "qwen2", .stages = kQwen2, .composes = true},
    {.name = "stablelm2", .stages = kQwen2, .composes = true},
    {.name = "bailingmoe", .stages = kQwen2},
    {.name = "qwen35", .stages = kQwen35, .composes = true},
    {.name = "laguna", .stages = kLaguna},
    {.name = "seed-coder", .stages = kSeed},
    {.name = "ufakzeka", .stages = kUfakzeka},
    {.name = "minicpm5", .stages = kMiniCpm, .wholeWordsFirst = true},
    {.name = "tekken", .stages = kTekken, .wholeWordsFirst = true, .addsBos = true},
    {.name = "gpt-4o", .stages = kGpt4o},
    {.name = "granite-embed-multi-97m", .stages = kGpt4o, .wholeWordsFirst = true},
    {.name = "tiny_aya", .stages = kTinyAya},
    {.name = "deepseek-v3", .stages = kDeepSeek3},
    {.name = "deepseek-coder", .stages = kDeepSeekCoder},
    {.name = "deepseek-llm", .stages = kDeepSeekLlm},
    {.name = "spark2_5", .stages = kSpark},
    {.name = "youtu", .stages = kYoutu, .wholeWordsFirst = true},
    {.name = "afmoe", .stages = kAfMoe},
    {.name = "exaone-moe", .stages = kExaoneMoe},
    {.name = "jais-2", .stages = kJais2},
    {.name = "chameleon", .stages = kChameleon, .addsBos = true},
    {.name = "kimi-k2", .stages = kKimi, .mergesByIds = true},
    {.name = "superbpe", .stages = kSuperBpe},
    {.name = "bloom", .stages = kBloom},
    {.name = "viking", .stages = kViking},
    {.name = "gemma4", .stages = kLines, .alphabet = Alphabet::VisibleBlanks},
    {.name = "whitespace", .stages = kNoBlanks, .alphabet = Alphabet::NoBlanks},
};

// Names that files use for the way of another row.
struct Alias {
    std::string_view name, row;
};
constexpr Alias kAliases[] = {
    {"llama3", "llama-bpe"},
    {"llama-v3", "llama-bpe"},
    {"falcon3", "llama-bpe"},
    {"falcon-h1", "llama-bpe"},
    {"pixtral", "llama-bpe"},
    {"midm-2.0", "llama-bpe"},
    {"lfm2", "llama-bpe"},
    {"jina-v5-nano", "llama-bpe"},
    {"smaug-bpe", "dbrx"},
    {"chatglm-bpe", "dbrx"},
    {"glm5", "glm4"},
    {"deepseek-r1-qwen", "qwen2"},
    {"megrez", "qwen2"},
    {"kormo", "qwen2"},
    {"f2llmv2", "qwen2"},
    {"hunyuan", "stablelm2"},
    {"solar-open", "bailingmoe"},
    {"grok-2", "bailingmoe"},
    {"bailingmoe2", "bailingmoe"},
    {"llada-moe", "bailingmoe"},
    {"hunyuan-dense", "deepseek-v3"},
    {"joyai-llm", "deepseek-v3"},
    {"hy_v4", "deepseek-v3"},
    {"starcoder", "smollm"},
    {"refact", "smollm"},
    {"codeshell", "smollm"},
    {"exaone", "smollm"},
    {"minerva-7b", "smollm"},
    {"mellum2", "smollm"},
    {"mpt", "olmo"},
    {"jais", "gpt-2"},
    {"trillion", "gpt-2"},
    {"granite-docling", "gpt-2"},
    {"phi-2", "gpt-2"},
    {"gigachat", "gpt-2"},
    {"a.x-4.0", "gpt-2"},
    {"mellum", "gpt-2"},
    {"modern-bert", "gpt-2"},
    {"exaone4", "gpt-2"},
    {"jina-es", "gpt-2"},
    {"jina-de", "gpt-2"},
    {"jina-v1-en", "gpt-2"},
    {"jina-v2-es", "gpt-2"},
    {"jina-v2-de", "gpt-2"},
    {"jina-v2-code", "gpt-2"},
    {"roberta-bpe", "gpt-2"},
    {"llama4", "gpt-4o"},
    {"kanana2", "gpt-4o"},
    {"talkie", "gpt-4o"},
    {"cohere2moe", "tiny_aya"},
    {"minimax-m2", "gpt-4o"},
    {"poro-chat", "bloom"},
    {"gpt3-finnish", "bloom"},
    {"sarvam-moe", "gemma4"},
    {"granite-embed-multi-311m", "gemma4"},
};

} // namespace

const Pretokenizer* findPretokenizer(std::string_view name) {
    const auto alias =
        std::find_if(std::begin(kAliases), std::end(kAliases), [&](const Alias& a) { return a.name == name; });
    if (alias != std::end(kAliases)) name = alias->row;
    const auto row = std::find_if(std::begin(kPretokenizers), std::end(kPretokenizers),
                                  [&](const Pretokenizer& p) { return p.name == name; });
    return row == std::end(kPretokenizers) ? nullptr : row;
}

void forEachPiece(const Pretokenizer& pretokenizer, std::string_view text,
                  const std::function<void(size_t from, size_t to)>& piece) {
    const auto characters = charactersOf(text);
    const Characters all = Characters(characters).first(characters.size() - 1);
    std::vector<size_t> ends{all.size()}, next; // of the pieces so far, in characters
    for (const auto& stage : pretokenizer.stages) {
        next.clear();
        size_t start = 0;
        for (const size_t end : ends) {
            const Characters part = all.subspan(start, end - start);
            if (stage.cut) {
                stage.cut(part, [&](size_t place) { next.push_back(start + place); });
                next.push_back(end);
                start = end;
                continue;
            }
            size_t gap = 0;
            for (size_t at = 0; at < part.size();) {
                const size_t matchEnd = stage.match(part, at, stage.rules);
                if (matchEnd == at) {
                    ++at;
                    continue;
                }
                if (gap < at) next.push_back(start + at);
                next.push_back(start + matchEnd);
                gap = at = matchEnd;
            }
            if (gap < part.size()) next.push_back(end);
            start = end;
        }
        ends.swap(next);
    }
    size_t start = 0;
    for (const size_t end : ends) {
        if (end > start) piece(characters[start].offset, characters[end].offset);
        start = end;
    }
}

} // namespace steelyard
