#include "engine/backend/observing_device.h"

#include <cstring>

namespace steelyard {

void ObservingDevice::launch(uint32_t op, const void* bytes, size_t size) {
    if (m_recording) {
        const auto* first = static_cast<const uint8_t*>(bytes);
        m_recording->launches.push_back({op, {first, first + size}});
        return;
    }
    look(op, bytes);
    m_device->launch(op, bytes, size);
}

std::unique_ptr<Recording> ObservingDevice::record(const std::function<void()>& body) {
    auto list = std::make_unique<List>();
    m_recording = list.get();
    body();
    m_recording = nullptr;
    return list;
}

void ObservingDevice::replay(const Recording& recording) {
    for (const Launch& each : static_cast<const List&>(recording).launches) launch(each.op, each.bytes.data(), each.bytes.size());
}

void ObservingDevice::look(uint32_t op, const void* bytes) {
    const auto as = [&](auto value) {
        std::memcpy(&value, bytes, sizeof value);
        return value;
    };
    if (op == ops::opId<ops::QuantizeRows>) return keep(as(ops::QuantizeRows{}));
    SeenProduct seen;
    ops::Activation activation{};
    uint64_t x = 0;
    if (op == ops::opId<ops::MatMul>) {
        const auto product = as(ops::MatMul{});
        seen = {product.weight, nullptr, product.rows, product.depth, 1, 1, 1, nullptr};
        activation = product.activation;
        x = product.x;
    } else if (op == ops::opId<ops::ExpertMatMul>) {
        const auto product = as(ops::ExpertMatMul{});
        seen = {product.weight, nullptr,          product.rows, product.depth, product.slots, product.inputSlots,
                product.experts, ops::at<const int32_t>(product.ids)};
        activation = product.activation;
        x = product.x;
    } else {
        return;
    }
    // What comes before must have run, to be looked at.
    if (!m_device->synchronize()) return;
    seen.x = floatsOf(activation, x);
    if (seen.x) m_observer(seen);
}

void ObservingDevice::keep(const ops::QuantizeRows& op) {
    if (!m_device->synchronize()) return;
    const auto* x = ops::at<const float>(op.x);
    m_kept[op.codes].assign(x, x + uint64_t(op.rows) * op.columns);
}

// Null where the codes come from elsewhere.
const float* ObservingDevice::floatsOf(ops::Activation activation, uint64_t x) const {
    if (activation == ops::Activation::Float) return ops::at<const float>(x);
    const auto kept = m_kept.find(x);
    return kept == m_kept.end() ? nullptr : kept->second.data();
}

} // namespace steelyard
