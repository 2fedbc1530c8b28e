#include "engine/backend/backends.h"

#include "engine/backend/cpu/cpu_device.h"
#include "engine/backend/cuda/cuda_device.h"
#include "engine/backend/vulkan/vulkan_device.h"

namespace steelyard {

namespace {

Result<std::unique_ptr<Device>> open(const DeviceInfo& row, const DeviceOptions& options) {
    const auto colon = row.id.find(':');
    const uint32_t index = colon == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(row.id.substr(colon + 1)));
    switch (row.kind) {
    case DeviceKind::Cuda: return openCuda(index, options.log);
    case DeviceKind::Vulkan: return openVulkan(index, options.log);
    case DeviceKind::Emulated: return openEmulated(options.log);
    case DeviceKind::Cpu: return openCpu(options.threads);
    }
    return Error{"There is no such kind of device."};
}

void say(const LogSink& log, LogLevel level, const std::string& text) {
    if (log) log(level, text);
}

} // namespace

std::vector<DeviceInfo> listDevices() {
    std::vector<DeviceInfo> rows = listCuda();
    const auto vulkan = listVulkan();
    for (const auto& row : vulkan)
        if (!row.software) rows.push_back(row);
    rows.push_back(cpuInfo());
    for (const auto& row : vulkan)
        if (row.software) rows.push_back(row);
    rows.push_back(emulatedInfo());
    return rows;
}

Result<std::unique_ptr<Device>> openDevice(const std::string& id, const DeviceOptions& options) {
    std::string refusals;
    bool known = false;
    for (const auto& row : listDevices()) {
        const bool named = row.id == id || row.id.rfind(id + ":", 0) == 0;
        const bool automatic = id == "auto" && !row.software && row.kind != DeviceKind::Emulated;
        if (!named && !automatic) continue;
        known = true;
        if (!row.usable) {
            refusals += (refusals.empty() ? "" : " ") + row.reason;
            continue;
        }
        auto device = open(row, options);
        std::string problem = device ? std::string() : device.sentence();
        if (device && row.kind != DeviceKind::Cpu) problem = selfTest(**device);
        if (problem.empty()) return device;
        say(options.log, LogLevel::Warning, row.name + " is not used: " + problem);
        refusals += (refusals.empty() ? "" : " ") + row.name + ": " + problem;
    }
    if (!known) return Error{"There is no device named \"" + id + "\". The command `devices` lists them."};
    return Error{"The device \"" + id + "\" cannot be used. " + refusals};
}

} // namespace steelyard
