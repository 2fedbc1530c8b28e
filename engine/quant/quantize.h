// Makes a model file of another type from a model file, without loading it.
//
// The file is read, turned and written in pieces, so that memory does not grow with the model. What the new file is and how
// large is settled before anything is written, and it stands under its name only when it is whole. A run whose program was
// ended is gone on with when the same is asked for again. Keys are taken over; the parts of a split model become one file.
// Knows nothing of architectures or devices.
#pragma once

#include "engine/core/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace steelyard {

struct QuantizeRequest {
    std::filesystem::path input, output; // `output` may stand already, and is replaced; never the input itself
    std::string type;                    // one of quantizedSizes(), in letters of any case
    uint32_t threads = 0;                // 0 = as many as the machine has processors
    std::filesystem::path importance{};  // a file that says how much each column counts (importance.h), or empty
    // What a cancelled or failed run has done stays beside `output` ("<output>.partial"), for the same request to go on with;
    // else nothing is left.
    bool keepPartial = false;
};

struct QuantizeResult {
    uint64_t inputBytes = 0, outputBytes = 0; // of the files
    double bitsPerWeight = 0;                 // of the new one's tensors
    uint64_t resumedBytes = 0;                // of the new file, which an earlier run had made already
    std::map<std::string, uint64_t> tensorsByType;
    std::vector<std::string> notices; // sentences that a person should read
};

// What a file of one type would be.
struct QuantizedSize {
    std::string type;         // as the field names such files: "Q4_K_M"
    uint64_t fileBytes = 0;   // exact, but for what keys about importance add
    double bitsPerWeight = 0; // of the tensors
    bool needsImportance = false; // without it such a file is poor
};

// Every type that can be made of a model, the largest quality first, with its size; nothing is written. Reads the head only.
Result<std::vector<QuantizedSize>> quantizedSizes(const std::filesystem::path& input);

// `progress` gets fractions in [0, 1]; `cancelled` is read between pieces and ends the work with an error. Any thread.
Result<QuantizeResult> quantizeFile(const QuantizeRequest& request, const std::function<void(float)>& progress,
                                    const std::atomic<bool>& cancelled);

} // namespace steelyard
