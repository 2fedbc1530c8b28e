// How many tokens are worth guessing ahead for one reply: follows what was accepted and what a step costs.
//
// A guess of k tokens yields 1 + a + a^2 + ... + a^k tokens where a is the chance that a guess is right (Leviathan et al.,
// "Fast Inference from Transformers via Speculative Decoding"), and costs a step of k more rows and k guesses. The length with the
// most tokens per millisecond is taken. Where guessing does not pay it pauses, and tries again after ever more tokens, so that
// what the trials cost stays small; where it could not pay even if all guesses were right, it tries nothing. Tensor-free.
#pragma once

#include <cstdint>
#include <functional>

namespace steelyard {

struct GuessCosts {
    std::function<double(uint32_t rows)> stepMs; // of a step with so many decoding rows; 0 = not known
    uint32_t otherRows = 0;                      // of other replies in the same step
    double fixedMs = 0, tokenMs = 0;             // of guessing at all, and of each guess
};

class DraftLength {
public:
    // How many to guess now, at most `most`; 0 = none.
    uint32_t next(uint32_t most, const GuessCosts& costs);
    // A step checked so many guesses and so many of them, from the first on, were right.
    void checked(uint32_t guessed, uint32_t accepted);
    // The chance that a guess is right, as far as it is known.
    double acceptance() const { return m_right / m_tried; }

private:
    double m_right = 3.0, m_tried = 4.0; // hopeful at first
    uint32_t m_pause = 0, m_nextPause = 16; // steps
};

} // namespace steelyard
