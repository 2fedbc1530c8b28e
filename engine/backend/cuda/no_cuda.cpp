// Stands in where CUDA is not built in.
#include "engine/backend/cuda/cuda_device.h"
#include "engine/backend/cuda/nvidia_card.h"

namespace steelyard {

std::vector<DeviceInfo> listCuda() {
    DeviceInfo row;
    row.id = "cuda";
    row.name = "CUDA";
    row.kind = DeviceKind::Cuda;
    row.usable = false;
    row.reason = hasNvidiaCard() ? "This computer has an NVIDIA card, but this build has no CUDA part; \"installer/run.sh --with-cuda\" "
                                   "builds it."
                                 : "This build has no CUDA part, and no NVIDIA card was found.";
    return {row};
}

Result<std::unique_ptr<Device>> openCuda(uint32_t, const LogSink&) { return Error{listCuda().front().reason}; }

} // namespace steelyard
