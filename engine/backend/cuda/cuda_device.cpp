// The devices "cuda:0" and so on.
#include "engine/backend/cuda/cuda_device.h"

#include "engine/backend/cuda/cuda_list.h"
#include "engine/backend/cuda/cuda_runtime.h"
#include "engine/backend/cuda/nvidia_card.h"
#include "engine/backend/cuda/runtime_device.h"

namespace steelyard {

std::vector<DeviceInfo> listCuda() { return cudaDevicesOf(*makeCudaRuntime(), cudaLibraryVersion(), hasNvidiaCard()); }

Result<std::unique_ptr<Device>> openCuda(uint32_t index, const LogSink&) {
    auto runtime = makeCudaRuntime();
    const auto rows = cudaDevicesOf(*runtime, cudaLibraryVersion(), hasNvidiaCard());
    if (index >= rows.size()) return Error{"There is no device cuda:" + std::to_string(index) + "."};
    if (!rows[index].usable) return Error{rows[index].reason};
    return openOverRuntime(std::move(runtime), static_cast<int>(index), rows[index]);
}

} // namespace steelyard
