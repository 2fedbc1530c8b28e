// A text cut into the windows that the field measures quality on: whole windows of `context` tokens, one after the other,
// whose first token is the BOS where the model wants one. What is left at the end does not count. Knows nothing of logits.
#pragma once

#include "engine/core/result.h"
#include "engine/request.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

struct TextWindows {
    std::vector<std::vector<int32_t>> ids; // of each window, all of one length

    // The first row of a window whose prediction is scored; the last one has nothing to predict.
    uint32_t firstScored() const { return static_cast<uint32_t>(ids.front().size() / 2); }
    uint32_t scoredRows() const { return static_cast<uint32_t>(ids.front().size()) - 1 - firstScored(); }
    // Asks a model for the rows of a window that are scored.
    ScoreRequest request(size_t window, ModelId model) const;
};

// The windows of a text in ids, which begin with the BOS if there is one; at least two.
Result<TextWindows> windowsOf(const std::vector<int32_t>& ids, uint32_t context, std::optional<int32_t> bos);

// Reads the text with the model's vocabulary; with a reference, whose vocabulary must read it alike. A line break at the
// very end does not count. The error says why a model cannot be measured by this.
Result<TextWindows> readWindows(std::string text, uint32_t context, const std::filesystem::path& model,
                                const std::optional<std::filesystem::path>& reference);

} // namespace steelyard
