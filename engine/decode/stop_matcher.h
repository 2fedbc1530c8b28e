// Ends a reply at the first stop string, on text and across tokens.
//
// Only a tail that is a true beginning of a stop string is held back; all other text flows at once. Nothing of a stop
// string, and nothing after it, is ever given out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

class StopMatcher {
public:
    // Empty stop strings are ignored.
    explicit StopMatcher(std::vector<std::string> stops);

    // The text that may be shown now. After a match: what stood before the stop string, and matched() is true.
    std::string push(std::string_view text);
    // What was held back, at the end of a reply without a match.
    std::string finish();
    bool matched() const { return m_matched; }

private:
    std::vector<std::string> m_stops;
    std::string m_held;
    bool m_matched = false;
};

} // namespace steelyard
