#include "engine/tokenizer/best_cover.h"

#include "engine/tokenizer/characters.h"

#include <cmath>
#include <limits>

namespace steelyard {

namespace {

constexpr double kSteps = 1e4;             // scores are compared in these
constexpr double kWorstScore = -2000;      // tokens of less never cover anything
constexpr int64_t kUnknownCost = 10000000; // a thousand points
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

} // namespace

BestCoverTokenizer::BestCoverTokenizer(Vocabulary vocabulary)
    : FragmentTokenizer(std::move(vocabulary)), m_costs(m_vocabulary.texts.size()) {
    m_special.addBos = m_vocabulary.addBos.value_or(false) && m_special.bos.has_value();
    for (size_t id = 0; id < m_costs.size(); ++id) {
        const double score = m_vocabulary.scores[id];
        if (m_vocabulary.kinds[id] != TokenKind::Normal || !(score > kWorstScore)) continue;
        m_costs[id] = -std::llround(std::fmin(score, -kWorstScore) * kSteps);
        m_tokens.add(m_vocabulary.texts[id], static_cast<TokenId>(id));
    }
    m_tokens.finish();
}

Result<std::shared_ptr<const Tokenizer>> BestCoverTokenizer::fromFile(const GgufFile& file) {
    auto vocabulary = Vocabulary::fromFile(file);
    if (!vocabulary) return vocabulary.error();
    if (vocabulary->scores.empty()) return Error{"The vocabulary has no scores: \"tokenizer.ggml.scores\" is missing."};
    std::shared_ptr<BestCoverTokenizer> tokenizer(new BestCoverTokenizer(std::move(vocabulary).value()));
    if (auto done = tokenizer->checkEveryTextHasTokens(); !done) return done.error();
    return std::shared_ptr<const Tokenizer>(std::move(tokenizer));
}

void BestCoverTokenizer::encode(std::string_view text, bool, std::vector<TokenId>& ids) const {
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
    struct Step {
        int64_t cost; // from here to the end
        uint32_t length;
        TokenId id; // -1: bytes
    };
    std::vector<size_t> starts; // of the characters
    for (size_t at = 0; at < text.size(); at += std::max<size_t>(utf8Length(text.substr(at)), 1)) starts.push_back(at);
    std::vector<Step> steps(text.size() + 1, {std::numeric_limits<int64_t>::max(), 0, -1});
    steps[text.size()].cost = 0;
    for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
        const size_t at = *start, character = std::max<size_t>(utf8Length(text.substr(at)), 1);
        Step& step = steps[at];
        step = {steps[at + character].cost + kUnknownCost, static_cast<uint32_t>(character), -1};
        m_tokens.forEachAt(text.substr(at), [&](size_t length, TokenId id) {
            const Step& rest = steps[at + length];
            if (rest.length == 0 && at + length < text.size()) return; // in the middle of a character
            const int64_t cost = rest.cost + m_costs[static_cast<size_t>(id)];
            if (cost <= step.cost) step = {cost, static_cast<uint32_t>(length), id};
        });
    }
    for (size_t at = 0; at < text.size(); at += steps[at].length) {
        if (steps[at].id >= 0) ids.push_back(steps[at].id);
        else encodeBytes(text.substr(at, steps[at].length), ids);
    }
}

std::string BestCoverTokenizer::decode(TokenId id) const {
    return m_vocabulary.texts[static_cast<size_t>(id)];
}

} // namespace steelyard
