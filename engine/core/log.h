// Messages for the log. The engine never prints: whoever builds it passes a sink, and the sink decides (the window
// writes a file, the command-line client writes to stderr). A sink may be called from any thread.
#pragma once

#include <functional>
#include <string_view>

namespace steelyard {

enum class LogLevel { Debug, Info, Warning, Error };

using LogSink = std::function<void(LogLevel, std::string_view)>;

} // namespace steelyard
