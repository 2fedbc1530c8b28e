// Stands in where the emulator is not built in.
#include "engine/backend/cuda/cuda_device.h"

namespace steelyard {

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
