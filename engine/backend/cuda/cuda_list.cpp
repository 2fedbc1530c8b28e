#include "engine/backend/cuda/cuda_list.h"

#include "engine/backend/cuda/cuda_error.h"

namespace steelyard {

namespace {

// The oldest generation that the kernels are compiled for (kernels/CMakeLists.txt).
constexpr int kOldestMajor = 7, kOldestMinor = 5;
constexpr CudaRuntime::Status kDriverTooOld = 35, kNoDevice = 100;

DeviceInfo refused(const std::string& reason) {
    DeviceInfo row;
    row.id = "cuda";
    row.name = "CUDA";
    row.kind = DeviceKind::Cuda;
    row.usable = false;
    row.reason = reason;
    return row;
}

std::string whyNone(CudaRuntime& runtime, CudaRuntime::Status status, int libraryVersion, bool cardPresent) {
    int driver = 0;
    const bool hasDriver = runtime.driverVersion(driver) == CudaRuntime::kSuccess && driver > 0;
    if (!hasDriver)
        return cardPresent ? "This computer has an NVIDIA card, but its driver is not installed or not running."
                           : "No NVIDIA driver is installed, and no NVIDIA card was found.";
    if (status == kDriverTooOld)
        return "The NVIDIA driver is too old: it knows CUDA " + cudaVersionText(driver) + ", this build needs " +
               cudaVersionText(libraryVersion / 1000 * 1000) + ". Please update the driver.";
    if (status == kNoDevice || status == CudaRuntime::kSuccess) return "The NVIDIA driver sees no card.";
    return cudaSentence(runtime, status, "CUDA", "cards were looked for");
}

DeviceInfo rowOf(CudaRuntime& runtime, int index) {
    DeviceInfo row;
    row.id = "cuda:" + std::to_string(index);
    row.name = row.id;
    row.kind = DeviceKind::Cuda;
    CudaRuntime::Properties properties;
    if (const auto status = runtime.properties(index, properties)) {
        row.usable = false;
        row.reason = cudaSentence(runtime, status, row.id, "it was looked at");
        return row;
    }
    row.name = properties.name;
    if (properties.memoryBytes > 0) row.memoryBytes = properties.memoryBytes;
    row.sharesSystemMemory = properties.sharesSystemMemory;
    if (properties.major < kOldestMajor || (properties.major == kOldestMajor && properties.minor < kOldestMinor)) {
        row.usable = false;
        row.reason = row.name + " has compute capability " + std::to_string(properties.major) + "." +
                     std::to_string(properties.minor) + "; " + std::to_string(kOldestMajor) + "." +
                     std::to_string(kOldestMinor) + " is the least that this program can use.";
    }
    return row;
}

} // namespace

std::vector<DeviceInfo> cudaDevicesOf(CudaRuntime& runtime, int libraryVersion, bool cardPresent) {
    int count = 0;
    const auto status = runtime.deviceCount(count);
    if (status != CudaRuntime::kSuccess || count <= 0) return {refused(whyNone(runtime, status, libraryVersion, cardPresent))};
    std::vector<DeviceInfo> rows;
    for (int index = 0; index < count; ++index) rows.push_back(rowOf(runtime, index));
    return rows;
}

} // namespace steelyard
