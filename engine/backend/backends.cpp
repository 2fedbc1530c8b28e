#include "engine/backend/backends.h"

#include "engine/backend/cpu/cpu_device.h"
#include "engine/backend/cuda/cuda_device.h"
#include "engine/backend/vulkan/vulkan_device.h"

#include <algorithm>

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
    if (id == "auto") {
        std::vector<std::string> notices;
        return openFastest(options, [](Device&) { return std::string(); }, notices);
    }
    std::string refusals;
    bool known = false;
    for (const auto& row : listDevices()) {
        if (row.id != id && row.id.rfind(id + ":", 0) != 0) continue;
        known = true;
        if (!row.usable) {
            refusals += (refusals.empty() ? "" : " ") + row.reason;
            continue;
        }
        auto device = open(row, options);
        const std::string problem = !device ? device.sentence() : row.kind == DeviceKind::Cpu ? std::string() : selfTest(**device);
        if (problem.empty()) return device;
        say(options.log, LogLevel::Warning, row.name + " is not used: " + problem);
        refusals += (refusals.empty() ? "" : " ") + row.name + ": " + problem;
    }
    if (!known) return Error{"There is no device named \"" + id + "\". The command `devices` lists them."};
    return Error{"The device \"" + id + "\" cannot be used. " + refusals};
}

Result<std::unique_ptr<Device>> openFastest(const DeviceOptions& options, const std::function<std::string(Device&)>& refusal,
                                            std::vector<std::string>& notices) {
    std::vector<std::unique_ptr<Device>> candidates;
    for (const auto& row : listDevices()) {
        if (!row.usable || row.software || row.kind == DeviceKind::Emulated) continue;
        auto device = open(row, options);
        std::string problem = device.sentence();
        if (problem.empty() && row.kind != DeviceKind::Cpu) problem = selfTest(**device);
        if (problem.empty()) problem = refusal(**device);
        if (problem.empty()) candidates.push_back(std::move(*device));
        else notices.push_back(row.name + " is not used: " + problem);
    }
    if (candidates.empty()) return Error{notices.empty() ? "No device can be used." : notices.back()};
    if (candidates.size() == 1) return std::move(candidates.front());
    std::vector<double> times;
    for (auto& device : candidates) times.push_back(selfTestMilliseconds(*device).value_or(1e9));
    const auto best = static_cast<size_t>(std::min_element(times.begin(), times.end()) - times.begin());
    for (size_t i = 0; i < candidates.size(); ++i)
        if (i != best)
            notices.push_back(candidates[i]->info().name + " was passed over: its self-test took " + std::to_string(times[i]) + " ms, that of " +
                              candidates[best]->info().name + " " + std::to_string(times[best]) + " ms.");
    for (const auto& notice : notices) say(options.log, LogLevel::Info, notice);
    return std::move(candidates[best]);
}

} // namespace steelyard
