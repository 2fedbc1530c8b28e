#include "tests/ops/test_devices.h"

#include "engine/backend/backends.h"
#include "engine/backend/cpu/cpu_device.h"
#include "engine/backend/vulkan/vulkan_device.h"

namespace steelyard::tests {

namespace {

const QString kCpuPath = "cpu "; // followed by the name of a code path

Result<std::unique_ptr<Device>> openByName(const QString& name) {
    if (name.startsWith(kCpuPath)) return openCpuPath(2, name.mid(kCpuPath.size()).toStdString());
    if (name == kVulkanAsCard) return openVulkan(0, {}, VulkanTuning::AsCard);
    return openDevice(name.toStdString(), DeviceOptions{});
}

} // namespace

QStringList testDeviceNames() {
    const QString chosen = qEnvironmentVariable("STEELYARD_TEST_DEVICES");
    if (!chosen.isEmpty()) return chosen.split(',');
    QStringList names{"vulkan", kVulkanAsCard, "emulated"};
    for (const auto& path : cpuCodePaths()) names << kCpuPath + QString::fromStdString(path);
    for (const auto& row : listDevices())
        if (row.kind == DeviceKind::Cuda && row.usable && !names.contains("cuda")) names << "cuda";
    return names;
}

bool devicesAreRequired(const QString& name) {
    return name.startsWith("cpu") || qEnvironmentVariableIntValue("STEELYARD_REQUIRE_DEVICES") == 1;
}

Device* TestDevices::open(const QString& name, QString& reason) {
    if (m_devices.find(name) == m_devices.end()) {
        auto device = openByName(name);
        m_reasons[name] = QString::fromStdString(device.sentence());
        m_devices[name] = device ? std::move(*device) : nullptr;
    }
    reason = m_reasons[name];
    return m_devices[name].get();
}

} // namespace steelyard::tests
