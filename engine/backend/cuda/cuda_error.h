// The one place where CUDA's error numbers become sentences.
#pragma once

#include "engine/backend/cuda/cuda_runtime_table.h"

#include <string>

namespace steelyard {

// What happened and what to do; `device` is the card's name, `doing` completes "while ...".
std::string cudaSentence(const CudaRuntime& runtime, CudaRuntime::Status status, const std::string& device,
                         const std::string& doing);

// "512 bytes", "1.5 GiB".
std::string byteText(uint64_t bytes);

// "13.0" of 13000.
std::string cudaVersionText(int version);

} // namespace steelyard
