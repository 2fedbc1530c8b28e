#include "engine/tokenizer/incremental_decoder.h"

#include "engine/tokenizer/characters.h"

#include <algorithm>

namespace steelyard {

namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

// The text with each byte that is not valid UTF-8 replaced.
std::string repaired(std::string_view bytes) {
    std::string text;
    for (size_t i = 0; i < bytes.size();) {
        const size_t length = utf8Length(bytes.substr(i));
        if (length == 0)
            text += kReplacement;
        else
            text += bytes.substr(i, length);
        i += std::max<size_t>(length, 1);
    }
    return text;
}

} // namespace

IncrementalDecoder::IncrementalDecoder(std::shared_ptr<const Tokenizer> tokenizer, bool atStart)
    : m_tokenizer(std::move(tokenizer)), m_atStart(atStart) {}

std::string IncrementalDecoder::push(TokenId id) {
    std::string bytes = m_tokenizer->bytes(id, false);
    const bool control = m_tokenizer->isControl(id);
    if (m_atStart && !control && m_tokenizer->hasBlankPrefix() && !bytes.empty() && bytes[0] == ' ') bytes.erase(0, 1);
    m_atStart = control;
    m_pending += bytes;
    const size_t held = incompleteTail(m_pending);
    std::string complete = repaired(std::string_view(m_pending).substr(0, m_pending.size() - held));
    m_pending.erase(0, m_pending.size() - held);
    return complete;
}

std::string IncrementalDecoder::finish() {
    // Bytes of one unfinished character stand for one broken character.
    const std::string rest = m_pending.empty() ? std::string() : std::string(kReplacement);
    m_pending.clear();
    return rest;
}

} // namespace steelyard
