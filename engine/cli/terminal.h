// What commands need of the terminal: whether a person sits there, Ctrl+C as a flag, and a line that tells how far a long
// work is.
#pragma once

#include <atomic>
#include <string>

namespace steelyard::cli {

// True when stdin is a terminal rather than a file or pipe.
bool stdinIsTerminal();

// One line on stderr that is written over again and again; nothing where stderr is no terminal. Gone when destroyed.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const std::string& text);

private:
    bool m_visible;
    std::string m_shown;
};

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
