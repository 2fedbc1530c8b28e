#include "engine/backend/cuda/cuda_error.h"

#include <cstdio>

namespace steelyard {

std::string cudaSentence(const CudaRuntime& runtime, CudaRuntime::Status status, const std::string& device,
                         const std::string& doing) {
    const std::string place = device + ", while " + doing + ": ";
    const std::string number = " (" + runtime.words(status) + ", CUDA error " + std::to_string(status) + ")";
    switch (status) {
    case CudaRuntime::kOutOfMemory: return place + "the memory of the card is full. Close other programs, or take a smaller model or context.";
    case 3: return place + "the NVIDIA driver could not be started" + number + ". Restarting the computer may help.";
    case 35: return place + "the NVIDIA driver is older than this build needs; please update it.";
    case 46: return place + "the card is in use by another program that does not share it.";
    case 100: return place + "the driver sees no card any more.";
    case 200:
    case 209:
    case 222: return place + "this build has no code for this card" + number + ".";
    case 214: return place + "the card reports a memory fault that could not be corrected" + number + ".";
    case 700:
    case 716:
    case 719: return place + "a computation failed on the card" + number + ". Loading the model again starts afresh.";
    case 702: return place + "a computation took longer than the system allows" + number + ".";
    case 721:
    case 999: return place + "the card was lost, as happens after sleep or when it is pulled" + number + ". Loading the model again starts afresh.";
    default: return place + runtime.words(status) + " (CUDA error " + std::to_string(status) + ").";
    }
}

std::string byteText(uint64_t bytes) {
    static const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    for (; value >= 1024.0 && unit < 4; ++unit) value /= 1024.0;
    char text[48];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

std::string cudaVersionText(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

} // namespace steelyard
