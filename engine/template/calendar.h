// Dates by strftime's codes, in English whatever the machine's language. Knows nothing of time zones: the seconds are
// those of the local clock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace steelyard::jinja {

// The text of a time, seconds since 1970 of the local clock. Unknown codes stay as they are.
std::string formatTime(std::string_view format, int64_t seconds);

} // namespace steelyard::jinja
