// The devices of the op tests by row name: "cpu" and the name of each of its code paths that runs here ("cpu avx2",
// "cpu scalar"), "cuda", "vulkan" (any, software too), "vulkan as card" (the same with a
// graphics card's launches), "emulated".
//
// STEELYARD_TEST_DEVICES (comma separated) picks some of them. With STEELYARD_REQUIRE_DEVICES=1 a missing vulkan or
// emulated device fails, so that a skip cannot hide; cuda is used where there is one.
#pragma once

#include "engine/backend/backend.h"

#include <QString>
#include <QStringList>

#include <map>

namespace steelyard::tests {

// Names of the rows to test.
QStringList testDeviceNames();

// The name of the software Vulkan device when it is treated as a graphics card.
inline const QString kVulkanAsCard = QStringLiteral("vulkan as card");

// True when a missing device or op is a failure instead of a skip.
bool devicesAreRequired(const QString& name);

// Opens devices once and keeps them.
class TestDevices {
public:
    // The device, or null; then `reason` says why.
    Device* open(const QString& name, QString& reason);

private:
    std::map<QString, std::unique_ptr<Device>> m_devices;
    std::map<QString, QString> m_reasons;
};

} // namespace steelyard::tests
