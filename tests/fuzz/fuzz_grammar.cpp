// A grammar or a JSON schema is a stranger's text: it becomes an automaton within its budgets or ends with a sentence, and following it
// with any bytes ends. The first byte says which of the two it is; what stands behind the first zero byte is followed.

#include "engine/grammar/grammar.h"
#include "engine/grammar/walker.h"

#include <cstdlib>
#include <string>

using namespace steelyard;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
    const size_t zero = input.find('\0');
    const auto text = input.substr(0, zero);
    const auto given = data[0] % 2 ? grammar::fromGbnf(text) : grammar::fromJsonSchema(text);
    if (!given) {
        require(!given.sentence().empty());
        return 0;
    }
    grammar::Walker walker(*given);
    auto place = walker.start();
    for (const char c : zero == std::string_view::npos ? std::string_view() : input.substr(zero + 1)) {
        place = walker.step(place, static_cast<uint8_t>(c));
        if (place == grammar::Walker::kNowhere) break;
        // Whatever was followed can be finished: something may come, or it is over.
        require(walker.canEnd(place) || !walker.isOver(place));
        if (walker.isLarge()) place = walker.forget(place);
    }
    return 0;
}
