// Decides which rows the next step has (README.md). Tensor-free; used by the engine thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace steelyard {

// What one running sequence wants next.
struct StepWish {
    uint32_t rows = 0;        // at most so many; while it decodes 1, and one for each guess
    bool decodes = false;     // else it reads its prompt
    uint64_t rowsGiven = 0;   // that it has been given while reading
    bool longFactors = false; // steps have one kind of rotation
    int priority = 2;         // as in engine/request.h; 0 is read only in steps that nobody else has rows in
};

// Rows of one step for each wish; 0: not this time.
using StepPlan = std::vector<uint32_t>;

struct StepLimits {
    uint32_t rows = 0;      // of a step
    uint32_t sequences = 0; // of a step
    uint32_t outputs = UINT32_MAX; // rows with logits: all that decode, and one of each prompt
};

class Scheduler {
public:
    // A plan for `wishes`, of which at least one gets rows. Decoding wishes are served first, in their order; guesses get what is left.
    StepPlan plan(const std::vector<StepWish>& wishes, StepLimits limits) const;

    // What a step took that had so many decoding rows and so many rows of prompts.
    void measured(uint32_t decodeRows, uint32_t promptRows, double ms);

    // Rows of prompts that may be added to a step with so many decoding rows.
    uint32_t promptBudget(uint32_t decodeRows, uint32_t most) const;

    // What a step of so many decoding rows takes: measured, or between the neighbours that were; 0 = nothing is known.
    double decodeMs(uint32_t rows) const;
    // What a row of a prompt takes; 0 = not measured.
    double promptRowMs() const { return m_promptRowMs; }

private:

    static constexpr uint32_t kKept = 16;
    std::array<double, kKept + 1> m_decodeMs{}; // by number of decoding rows; 0 = not measured
    double m_promptRowMs = 0;                   // of one more row; 0 = not measured
};

} // namespace steelyard
