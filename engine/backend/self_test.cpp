#include "engine/backend/backends.h"

#include <cmath>
#include <vector>

namespace steelyard {

namespace {

// One product, one norm and one activation with known numbers, through the device's own memory.
struct Probe {
    Device& device;
    std::string problem;

    Buffer upload(const std::vector<float>& values) {
        auto buffer = device.allocate(values.size() * sizeof(float));
        if (!buffer) {
            problem = buffer.sentence();
            return {};
        }
        device.write(*buffer, 0, {reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)});
        return std::move(*buffer);
    }

    void expect(const char* op, const Buffer& buffer, const std::vector<float>& right) {
        if (!problem.empty()) return;
        std::vector<float> values(right.size());
        const auto read = device.read(buffer, 0, {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float)});
        if (!read) {
            problem = read.sentence();
            return;
        }
        for (size_t i = 0; i < right.size(); ++i)
            if (!(std::fabs(values[i] - right[i]) <= 1e-4f * (1.0f + std::fabs(right[i])))) {
                problem = std::string("the self-test of ") + op + " gave " + std::to_string(values[i]) + " instead of " +
                          std::to_string(right[i]);
                return;
            }
    }
};

template <class Op>
std::vector<float> defined(Op op, std::vector<float>& out, uint64_t Op::*output) {
    op.*output = reinterpret_cast<uint64_t>(out.data());
    for (uint32_t item = 0; item < items(op); ++item) compute(op, item);
    return out;
}

} // namespace

std::string selfTest(Device& device) {
    Probe probe{device, {}};
    constexpr uint32_t kRows = 3, kDepth = 64, kOutputs = 5;
    std::vector<float> x(kRows * kDepth), weight(kOutputs * kDepth);
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.37f * static_cast<float>(i));
    for (size_t i = 0; i < weight.size(); ++i) weight[i] = std::cos(0.11f * static_cast<float>(i));
    const Buffer deviceX = probe.upload(x), deviceWeight = probe.upload(weight);
    const Buffer y = probe.upload(std::vector<float>(kRows * kDepth));
    if (!probe.problem.empty()) return probe.problem;

    ops::MatMul product{};
    product.rows = kRows;
    product.outputs = kOutputs;
    product.depth = kDepth;
    product.type = static_cast<uint32_t>(TensorType::F32);
    ops::MatMul host = product;
    product.weight = deviceWeight.address();
    product.x = deviceX.address();
    product.y = y.address();
    device.run(product);
    host.weight = reinterpret_cast<uint64_t>(weight.data());
    host.x = reinterpret_cast<uint64_t>(x.data());
    std::vector<float> out(kRows * kOutputs);
    probe.expect("mat_mul", y, defined(host, out, &ops::MatMul::y));

    ops::RmsNorm norm = ops::rmsNormOf(deviceX.address(), 0, y.address(), kRows, kDepth, 1e-5f);
    device.run(norm);
    norm.x = reinterpret_cast<uint64_t>(x.data());
    out.assign(kRows * kDepth, 0.0f);
    probe.expect("rms_norm", y, defined(norm, out, &ops::RmsNorm::y));

    ops::GatedActivation gate =
        ops::gatedActivationOf(deviceX.address(), deviceX.address(), y.address(), kRows, kDepth, ops::GateFunction::Silu);
    device.run(gate);
    gate.gate = gate.up = reinterpret_cast<uint64_t>(x.data());
    probe.expect("gated_activation", y, defined(gate, out, &ops::GatedActivation::y));
    return probe.problem;
}

} // namespace steelyard
