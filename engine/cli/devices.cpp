#include "engine/cli/command.h"
#include "engine/cli/files.h"
#include "engine/engine.h"

namespace steelyard::cli {

namespace {

const char* kindName(DeviceKind kind) {
    switch (kind) {
    case DeviceKind::Cuda:
        return "cuda";
    case DeviceKind::Vulkan:
        return "vulkan";
    case DeviceKind::Cpu:
        return "cpu";
    case DeviceKind::Emulated:
        return "emulated";
    }
    return "";
}

Json bytesOrNull(const std::optional<uint64_t>& bytes) {
    return bytes ? Json(*bytes) : Json(nullptr);
}

Result<Output> listAll() {
    Output output;
    auto& rows = output.json["devices"] = Json::array();
    for (const auto& device : listDevices()) {
        rows.push_back({{"id", device.id},
                        {"name", device.name},
                        {"kind", kindName(device.kind)},
                        {"memory_bytes", bytesOrNull(device.memoryBytes)},
                        {"free_bytes", bytesOrNull(device.freeBytes)},
                        {"usable", device.usable},
                        {"reason", device.reason}});
        output.text += device.id + "  " + device.name;
        if (device.memoryBytes) output.text += ", " + bytesForPeople(*device.memoryBytes);
        if (device.freeBytes) output.text += " (" + bytesForPeople(*device.freeBytes) + " free)";
        output.text += device.usable ? "" : ", not usable";
        output.text += device.reason.empty() ? "\n" : ": " + device.reason + "\n";
    }
    return output;
}

} // namespace

Work declareDevices(CLI::App&, const CommonOptions&) {
    return listAll;
}

} // namespace steelyard::cli
