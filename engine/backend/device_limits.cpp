#include "engine/backend/device_limits.h"

#include "engine/backend/backends.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace steelyard {

namespace {

constexpr uint32_t kDepth = 4096, kOutputs = 4096;
constexpr uint64_t kPiece = 1 << 20;

// Products with a matrix of zeros, of whose outputs as many as wanted take part.
class ProductProbe {
public:
    static std::optional<ProductProbe> make(Device& device, TensorType type, uint32_t mostOutputs, uint32_t mostRows) {
        ProductProbe probe(device, type);
        const auto layout = device.weightLayout(type, mostOutputs, kDepth);
        const ops::Activation activation = probe.m_product.activation;
        const uint64_t values = uint64_t(mostRows) * kDepth, scaleBytes = values / 32 * sizeof(float);
        probe.m_product.layout = layout.layout;
        const bool integers = activation != ops::Activation::Float;
        const bool done = probe.add(layout.bytes, probe.m_product.weight) &&
                          probe.add(integers ? values * ops::planesOf(activation) : values * sizeof(float), probe.m_product.x) &&
                          probe.add(std::max<uint64_t>(mostOutputs, uint64_t(mostRows) * kOutputs) * sizeof(float), probe.m_product.y) &&
                          (!integers || (probe.add(scaleBytes, probe.m_product.xScales) && probe.add(scaleBytes, probe.m_product.xSums)));
        return done ? std::optional(std::move(probe)) : std::nullopt;
    }

    // Of one product, on the average of so many; nothing where the device fails. Pipelines are made before.
    std::optional<double> milliseconds(uint32_t rows, uint32_t outputs, uint32_t runs) {
        m_product.rows = rows;
        m_product.outputs = outputs;
        m_device->run(m_product);
        if (!m_device->synchronize()) return std::nullopt;
        const auto start = std::chrono::steady_clock::now();
        for (uint32_t run = 0; run < runs; ++run) m_device->run(m_product);
        if (!m_device->synchronize()) return std::nullopt;
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / runs;
    }

    // The best of a few such times: other programs only make it longer, and a fast device is not measured by its launches alone.
    std::optional<double> bestMilliseconds(uint32_t rows, uint32_t outputs) {
        constexpr double kGroupMs = 3, kMostRuns = 16;
        constexpr int kGroups = 3;
        auto best = milliseconds(rows, outputs, 1);
        if (!best || *best <= 0 || *best > kGroupMs * kGroups) return best;
        const auto runs = static_cast<uint32_t>(std::clamp(kGroupMs / *best, 1.0, kMostRuns));
        for (int group = 0; group < kGroups; ++group) {
            const auto time = milliseconds(rows, outputs, runs);
            if (!time || *time <= 0) return std::nullopt;
            best = std::min(*best, *time);
        }
        return best;
    }

private:
    ProductProbe(Device& device, TensorType type) : m_device(&device) {
        m_product.depth = kDepth;
        m_product.type = static_cast<uint32_t>(type);
        m_product.activation = device.activationFor(type);
    }

    bool add(uint64_t bytes, uint64_t& address) {
        auto buffer = m_device->allocate(bytes);
        if (!buffer) return false;
        const std::vector<uint8_t> zeros(std::min(bytes, kPiece));
        for (uint64_t at = 0; at < bytes; at += kPiece) m_device->write(*buffer, at, std::span(zeros).first(std::min(kPiece, bytes - at)));
        address = buffer->address();
        m_buffers.push_back(std::move(*buffer));
        return true;
    }

    Device* m_device;
    ops::MatMul m_product{};
    std::vector<Buffer> m_buffers;
};

// Raises the limits to what the device reaches with this format.
bool measureWith(Device& device, TensorType type, DeviceLimits& limits) {
    constexpr uint32_t kReadOutputs = 4 * kOutputs, kFewRows = 16, kMostRows = 256;
    constexpr double kProductsMs = 20;
    if (!device.unsupported(ops::opId<ops::MatMul>, type).empty()) return true;
    auto probe = ProductProbe::make(device, type, kReadOutputs, kMostRows);
    if (!probe) return false;
    const auto reading = probe->bestMilliseconds(1, kReadOutputs), few = probe->milliseconds(kFewRows, kOutputs, 1);
    if (!reading || !few || *reading <= 0 || *few <= 0) return false;
    uint32_t rows = kFewRows; // as many as take no longer than they may
    while (rows < kMostRows && *few * (2.0 * rows / kFewRows) <= kProductsMs) rows *= 2;
    const auto many = probe->bestMilliseconds(rows, kOutputs);
    if (!many || *many <= 0) return false;
    const double bytes = static_cast<double>(device.weightLayout(type, kReadOutputs, kDepth).bytes);
    limits.readBytesPerSecond = std::max(limits.readBytesPerSecond, bytes * 1000 / *reading);
    limits.productsPerSecond = std::max(limits.productsPerSecond, double(rows) * kOutputs * kDepth * 1000 / *many);
    return true;
}

} // namespace

std::optional<DeviceLimits> measureLimits(Device& device) {
    if (device.info().kind == DeviceKind::Emulated) return std::nullopt;
    DeviceLimits limits;
    for (const TensorType type : {TensorType::F16, TensorType::Q8_0})
        if (!measureWith(device, type, limits)) return std::nullopt;
    if (limits.readBytesPerSecond <= 0) return std::nullopt;
    return limits;
}

std::optional<double> selfTestMilliseconds(Device& device) {
    auto probe = ProductProbe::make(device, TensorType::F16, kOutputs, 1);
    return probe ? probe->milliseconds(1, kOutputs, 8) : std::nullopt;
}

} // namespace steelyard
