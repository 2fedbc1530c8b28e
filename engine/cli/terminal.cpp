#include "engine/cli/terminal.h"

#include <csignal>
#include <cstdio>
#include <iostream>

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

bool isTerminal(std::FILE* stream) {
#if defined(_WIN32)
    return _isatty(_fileno(stream)) != 0;
#else
    return isatty(fileno(stream)) != 0;
#endif
}

} // namespace

bool stdinIsTerminal() {
    return isTerminal(stdin);
}

ProgressLine::ProgressLine() : m_visible(isTerminal(stderr)) {}

ProgressLine::~ProgressLine() {
    show({});
    if (m_visible) std::cerr << '\r' << std::flush;
}

void ProgressLine::show(const std::string& text) {
    if (!m_visible || text == m_shown) return;
    const size_t gap = m_shown.size() > text.size() ? m_shown.size() - text.size() : 0;
    std::cerr << '\r' << text << std::string(gap, ' ') << std::flush;
    m_shown = text;
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
