// What the terminal conversation needs of the system: whether a person sits there, and Ctrl+C as a flag.
#pragma once

#include <atomic>

namespace steelyard::cli {

// True when stdin is a terminal rather than a file or pipe.
bool stdinIsTerminal();

// While it lives, Ctrl+C sets the flag; a second Ctrl+C before it was cleared ends the program as usual.
class InterruptFlag {
public:
    InterruptFlag();
    ~InterruptFlag();
    InterruptFlag(const InterruptFlag&) = delete;
    InterruptFlag& operator=(const InterruptFlag&) = delete;

    const std::atomic<bool>& flag() const;
    void clear();
};

} // namespace steelyard::cli
