// Stands in where CUDA is not built in.
#include "engine/backend/cuda/cuda_device.h"

namespace steelyard {

std::vector<DeviceInfo> listCuda() {
    DeviceInfo row;
    row.id = "cuda";
    row.name = "CUDA";
    row.kind = DeviceKind::Cuda;
    row.usable = false;
    row.reason = "This build has no CUDA part; installer/run.sh --with-cuda builds it.";
    return {row};
}

Result<std::unique_ptr<Device>> openCuda(uint32_t, const LogSink&) { return Error{"This build has no CUDA part."}; }

DeviceInfo emulatedInfo() {
    DeviceInfo row;
    row.id = "emulated";
    row.name = "CUDA kernels on the processor";
    row.kind = DeviceKind::Emulated;
    row.usable = false;
    row.reason = "This build has no emulator; it is part of builds with tests.";
    return row;
}

Result<std::unique_ptr<Device>> openEmulated(const LogSink&) { return Error{emulatedInfo().reason}; }

} // namespace steelyard
