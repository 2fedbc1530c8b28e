// The device "emulated": the same host code and kernels as "cuda", over the emulator.
#include "engine/backend/cuda/cuda_device.h"
#include "engine/backend/cuda/emulated_runtime.h"
#include "engine/backend/cuda/runtime_device.h"

namespace steelyard {

DeviceInfo emulatedInfo() {
    DeviceInfo row;
    row.id = "emulated";
    row.name = "CUDA kernels on the processor";
    row.kind = DeviceKind::Emulated;
    row.sharesSystemMemory = true;
    row.reason = "It is for tests and only used when asked for.";
    return row;
}

Result<std::unique_ptr<Device>> openEmulated(const LogSink&) {
    return openOverRuntime(makeEmulatedRuntime({}), 0, emulatedInfo());
}

} // namespace steelyard
