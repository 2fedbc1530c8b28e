#include "engine/evaluate/same_text.h"

#include "engine/evaluate/column_prompt.h"
#include "engine/evaluate/model_identity.h"
#include "engine/evaluate/statistics.h"
#include "engine/tokenizer/incremental_decoder.h"
#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
#include <numeric>

namespace steelyard {

namespace {

// In memory: nearly all of each distribution, for an answer is short.
constexpr CompactOptions kReferenceOptions{0.0005, 8192};

CacheKey wordsOf(const std::filesystem::path& path) {
    const auto file = GgufFile::open(path, false);
    return file ? vocabularyOf(*file) : CacheKey();
}

Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const std::filesystem::path& path) {
    const auto file = GgufFile::open(path, false);
    if (!file) return file.error();
    return Tokenizer::fromFile(*file);
}

std::vector<int32_t> highest(std::span<const float> logits, size_t count) {
    std::vector<int32_t> ids(logits.size());
    std::iota(ids.begin(), ids.end(), 0);
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
    std::partial_sort(ids.begin(), end, ids.end(), [&](int32_t a, int32_t b) {
        const float left = logits[static_cast<size_t>(a)], right = logits[static_cast<size_t>(b)];
        return left != right ? left > right : a < b;
    });
    ids.erase(end, ids.end());
    return ids;
}

// The texts of a column's tokens, which were left out while its rows came.
void addTexts(ForcedColumn& column, const std::shared_ptr<const Tokenizer>& tokenizer) {
    IncrementalDecoder decoder(tokenizer, false);
    for (auto& token : column.tokens) {
        token.text = decoder.push(token.id);
        for (auto& alternative : token.alternatives) alternative.bytes = tokenizer->bytes(alternative.id, false);
    }
    if (!column.tokens.empty()) column.tokens.back().text += decoder.finish();
}

} // namespace

SameTextReader::SameTextReader(const std::vector<ComparisonColumn>& columns, const SameTextRequest& request) : m_columns(columns), m_request(request) {
    m_result.columns.resize(columns.size());
    m_result.reference = request.reference;
    m_referenceWords = wordsOf(columns[request.reference].load.path);
    if (!request.answerIds.empty() && request.idsColumn < columns.size()) m_idsWords = wordsOf(columns[request.idsColumn].load.path);
}

void SameTextReader::read(size_t column, WaitingEngine& engine, const std::atomic<bool>& cancelled) {
    ForcedColumn& own = m_result.columns[column];
    if (const auto done = readRows(column, engine, cancelled); !done) {
        own = {};
        own.problem = done.sentence();
        return;
    }
    const auto tokenizer = tokenizerOf(m_columns[column].load.path);
    if (tokenizer) addTexts(own, *tokenizer);
    sumUp(own);
}

Result<SameTextReader::Text> SameTextReader::textOf(size_t column, WaitingEngine& engine) const {
    auto prompt = columnPrompt(m_request.prompts, m_columns[column], column, engine);
    if (!prompt) return prompt.error();
    GenerateRequest request;
    request.model = engine.model();
    request.prompt = *prompt;
    const auto read = engine.engine().promptTokens(request);
    if (!read) return read.error();
    Text text{read->ids, read->ids.size()};
    const auto words = wordsOf(m_columns[column].load.path);
    if (!m_request.answerIds.empty() && words != CacheKey() && words == m_idsWords) {
        text.ids.insert(text.ids.end(), m_request.answerIds.begin(), m_request.answerIds.end());
        return text;
    }
    if (m_request.answer.empty()) return Error{"There is no answer to read."};
    if (prompt->kind == Prompt::Kind::Text) { // as one text, for words may be one across the border
        request.prompt.text += m_request.answer;
        const auto whole = engine.engine().promptTokens(request);
        if (!whole) return whole.error();
        const auto end = std::mismatch(read->ids.begin(), read->ids.end(), whole->ids.begin(), whole->ids.end());
        return Text{whole->ids, static_cast<size_t>(end.second - whole->ids.begin())};
    }
    if (prompt->kind == Prompt::Kind::Messages) {
        request.prompt.messages.push_back({"assistant", m_request.answer, {}});
        request.prompt.continuesReply = true;
        const auto whole = engine.engine().promptTokens(request);
        if (!whole) return whole.error();
        if (whole->replyTokens > 0) return Text{whole->ids, whole->ids.size() - whole->replyTokens};
    }
    const auto answer = Engine::tokenize(m_columns[column].load.path, m_request.answer, false, false);
    if (!answer) return answer.error();
    text.ids.insert(text.ids.end(), answer->begin(), answer->end());
    return text;
}

ForcedToken SameTextReader::tokenOf(const RowDistribution& row, int32_t next) const {
    const auto logits = row.logits();
    const float own = logits[static_cast<size_t>(next)];
    ForcedToken token;
    token.id = next;
    token.logProbability = static_cast<float>(row.logProbability(next));
    token.rank = static_cast<uint32_t>(1 + std::count_if(logits.begin(), logits.end(), [&](float logit) { return logit > own; }));
    for (const int32_t id : highest(logits, std::min<size_t>(m_request.alternatives, kMostLogprobs)))
        token.alternatives.push_back({id, static_cast<float>(row.logProbability(id)), {}});
    return token;
}

Result<void> SameTextReader::readRows(size_t column, WaitingEngine& engine, const std::atomic<bool>& cancelled) {
    const auto text = textOf(column, engine);
    if (!text) return text.error();
    if (text->answerFrom == 0 || text->answerFrom >= text->ids.size()) return Error{"There is no answer to read."};
    const std::vector<int32_t> answer(text->ids.begin() + static_cast<std::ptrdiff_t>(text->answerFrom), text->ids.end());
    const bool isReference = column == m_request.reference;
    const bool sameWords = wordsOf(m_columns[column].load.path) == m_referenceWords && m_referenceWords != CacheKey();
    if (isReference) m_referenceIds = answer;
    const bool comparable = sameWords && answer == m_referenceIds;
    if (!isReference && answer != m_referenceIds) m_result.sameTokens = false;
    ScoreRequest request;
    request.model = engine.model();
    request.ids.assign(text->ids.begin(), text->ids.end() - 1);
    request.from = static_cast<uint32_t>(text->answerFrom - 1);
    auto& tokens = m_result.columns[column].tokens;
    Result<void> problem;
    const auto each = [&](uint32_t, std::span<const float> logits) {
        if (!problem) return;
        const size_t at = tokens.size();
        const RowDistribution row(logits);
        tokens.push_back(tokenOf(row, answer[at]));
        if (!std::isfinite(tokens.back().logProbability)) {
            problem = noNumbers();
            return;
        }
        if (isReference) {
            tokens.back().kl = 0.0f;
            m_reference.push_back(compactOf(row, answer[at], kReferenceOptions));
        } else if (comparable && at < m_reference.size()) {
            tokens.back().kl = static_cast<float>(m_reference[at].divergenceTo(row));
        }
    };
    const auto done = engine.engine().score(request, each, &cancelled);
    return done ? problem : done;
}

void SameTextReader::sumUp(ForcedColumn& column) {
    double logs = 0, divergences = 0;
    size_t tops = 0, divergent = 0;
    for (const auto& token : column.tokens) {
        logs += token.logProbability;
        if (token.rank == 1) ++tops;
        if (!token.kl) continue;
        divergences += *token.kl;
        ++divergent;
    }
    const auto count = static_cast<double>(column.tokens.size());
    column.perplexity = std::exp(-logs / count);
    column.topShare = static_cast<double>(tops) / count;
    if (divergent == column.tokens.size()) column.meanKl = divergences / count;
}

} // namespace steelyard
