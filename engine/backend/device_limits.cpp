#include "engine/backend/device_limits.h"

#include "engine/backend/backends.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace steelyard {

namespace {

constexpr uint32_t kSide = 4096;
constexpr uint64_t kPiece = 1 << 20;

// Products with square matrices of zeros, one after the other.
class ProductProbe {
public:
    static std::optional<ProductProbe> make(Device& device, TensorType type, uint32_t matrices, uint32_t mostRows) {
        ProductProbe probe(device, type);
        const uint64_t values = uint64_t(mostRows) * kSide;
        const auto layout = device.weightLayout(type, kSide, kSide);
        probe.m_product.layout = layout.layout;
        probe.m_matrixBytes = layout.bytes;
        for (uint32_t i = 0; i < matrices; ++i)
            if (!probe.add(layout.bytes)) return std::nullopt;
        const bool integers = probe.m_product.activation != ops::Activation::Float;
        const auto x = probe.add(integers ? values * ops::planesOf(probe.m_product.activation) : values * sizeof(float));
        const auto y = probe.add(values * sizeof(float));
        if (!x || !y) return std::nullopt;
        probe.m_product.x = *x;
        probe.m_product.y = *y;
        if (!integers) return probe;
        const auto scales = probe.add(values / 32 * sizeof(float)), sums = probe.add(values / 32 * sizeof(float));
        if (!scales || !sums) return std::nullopt;
        probe.m_product.xScales = *scales;
        probe.m_product.xSums = *sums;
        return probe;
    }

    uint64_t matrixBytes() const { return m_matrixBytes; }

    // Of one product, on the average of so many; nothing where the device fails. Pipelines are made before.
    std::optional<double> milliseconds(uint32_t rows, uint32_t runs) {
        m_product.rows = rows;
        launch(1);
        if (!m_device->synchronize()) return std::nullopt;
        const auto start = std::chrono::steady_clock::now();
        launch(runs);
        if (!m_device->synchronize()) return std::nullopt;
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / runs;
    }

private:
    ProductProbe(Device& device, TensorType type) : m_device(&device) {
        m_product.outputs = m_product.depth = kSide;
        m_product.type = static_cast<uint32_t>(type);
        m_product.activation = device.activationFor(type);
    }

    std::optional<uint64_t> add(uint64_t bytes) {
        auto buffer = m_device->allocate(bytes);
        if (!buffer) return std::nullopt;
        const std::vector<uint8_t> zeros(std::min(bytes, kPiece));
        for (uint64_t at = 0; at < bytes; at += kPiece) m_device->write(*buffer, at, std::span(zeros).first(std::min(kPiece, bytes - at)));
        m_buffers.push_back(std::move(*buffer));
        return m_buffers.back().address();
    }

    void launch(uint32_t runs) {
        const size_t matrices = m_buffers.size() - (m_product.xScales ? 4 : 2); // they come first
        for (uint32_t run = 0; run < runs; ++run) {
            m_product.weight = m_buffers[run % matrices].address();
            m_device->run(m_product);
        }
    }

    Device* m_device;
    ops::MatMul m_product{};
    uint64_t m_matrixBytes = 0;
    std::vector<Buffer> m_buffers;
};

// Raises the limits to what the device reaches with this format.
bool measureWith(Device& device, TensorType type, DeviceLimits& limits) {
    constexpr uint32_t kMatrices = 4, kFewRows = 16, kMostRows = 256, kReads = 8;
    constexpr double kProductsMs = 20;
    if (!device.unsupported(ops::opId<ops::MatMul>, type).empty()) return true;
    auto probe = ProductProbe::make(device, type, kMatrices, kMostRows);
    if (!probe) return false;
    const auto reading = probe->milliseconds(1, kReads);
    const auto few = probe->milliseconds(kFewRows, 1);
    if (!reading || !few || *reading <= 0 || *few <= 0) return false;
    uint32_t rows = kFewRows; // the longest product that takes no longer than it may
    while (rows < kMostRows && *few * (2.0 * rows / kFewRows) <= kProductsMs) rows *= 2;
    const auto many = probe->milliseconds(rows, 1);
    if (!many || *many <= 0) return false;
    const auto productsPerSecond = [](uint32_t count, double milliseconds) { return double(count) * kSide * kSide * 1000 / milliseconds; };
    limits.readBytesPerSecond = std::max(limits.readBytesPerSecond, static_cast<double>(probe->matrixBytes()) * 1000 / *reading);
    limits.productsPerSecond = std::max({limits.productsPerSecond, productsPerSecond(kFewRows, *few), productsPerSecond(rows, *many)});
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
    auto probe = ProductProbe::make(device, TensorType::F16, 1, 1);
    return probe ? probe->milliseconds(1, 8) : std::nullopt;
}

} // namespace steelyard
