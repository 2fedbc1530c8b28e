#include "engine/cli/terminal.h"

#include <csignal>
#include <cstdio>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace steelyard::cli {

namespace {

// A signal handler can reach nothing but this.
std::atomic<bool> interrupted{false};

void onInterrupt(int number) {
    std::signal(number, interrupted.exchange(true) ? SIG_DFL : onInterrupt);
    // Without a taker the second one must end the program.
}

} // namespace

bool stdinIsTerminal() {
#if defined(_WIN32)
    return _isatty(_fileno(stdin)) != 0;
#else
    return isatty(STDIN_FILENO) != 0;
#endif
}

InterruptFlag::InterruptFlag() {
    interrupted = false;
    std::signal(SIGINT, onInterrupt);
}

InterruptFlag::~InterruptFlag() {
    std::signal(SIGINT, SIG_DFL);
}

const std::atomic<bool>& InterruptFlag::flag() const {
    return interrupted;
}

void InterruptFlag::clear() {
    interrupted = false;
    std::signal(SIGINT, onInterrupt);
}

} // namespace steelyard::cli
