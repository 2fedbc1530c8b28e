#include "engine/quant/tensor_conversion.h"

#include "engine/format/readable.h"
#include "engine/quant/encoders.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace steelyard {

Result<void> TensorConversion::convert(size_t index, uint64_t first, uint64_t count) {
    const GgufTensor& tensor = m_plan.file().tensors()[index];
    const TensorType type = m_plan.type(index);
    const MappedFile& part = *m_plan.file().parts()[tensor.part];
    const uint64_t offset = tensor.offset + tensorBytes(tensor.type, first).value_or(0);
    const uint64_t sourceBytes = tensorBytes(tensor.type, count).value_or(0);
    if (type == tensor.type) {
        m_bytes.resize(sourceBytes);
        return part.read(offset, m_bytes);
    }
    m_values.resize(count);
    if (tensor.type == TensorType::F32) { // as they stand in the file
        static_assert(std::endian::native == std::endian::little);
        if (auto done = part.read(offset, {reinterpret_cast<uint8_t*>(m_values.data()), sourceBytes}); !done) return done;
    } else {
        m_source.resize(sourceBytes);
        if (auto done = part.read(offset, m_source); !done) return done;
        decodeValues(tensor.type, m_source.data(), count, m_values.data());
    }
    if (auto done = check(tensor, type, encoderOf(type)->largest); !done) return done;
    m_bytes.resize(tensorBytes(type, count).value_or(0));
    encode(tensor, type, first);
    return {};
}

// Values of which the first is the tensor's value `first`, row by row where columns differ, else at once.
void TensorConversion::encode(const GgufTensor& tensor, TensorType type, uint64_t first) {
    const Encoder& encoder = *encoderOf(type);
    if (!m_plan.importance()) {
        encoder.encode(m_values.data(), nullptr, m_values.size(), m_bytes.data());
        return;
    }
    const uint64_t columns = tensor.columns();
    for (uint64_t from = 0; from < m_values.size();) {
        const uint64_t column = (first + from) % columns, count = std::min<uint64_t>(columns - column, m_values.size() - from);
        const float* importance = m_plan.importance()->columnsOf(tensor, (first + from) / columns);
        encoder.encode(&m_values[from], importance ? importance + column : nullptr, count, m_bytes.data() + tensorBytes(type, from).value_or(0));
        from += count;
    }
}

Result<void> TensorConversion::check(const GgufTensor& tensor, TensorType type, float largest) const {
    int32_t most = 0; // magnitudes have the order of their bits, and what is no number is above all numbers
    for (const float value : m_values) most = std::max(most, std::bit_cast<int32_t>(value) & 0x7FFFFFFF);
    if (most <= std::bit_cast<int32_t>(largest)) return {};
    if (std::isfinite(std::bit_cast<float>(most)))
        return Error{"The tensor " + quotedText(tensor.name) + " holds values that are too large for " + std::string(info(type).name) +
                     "; choose BF16 or F32."};
    return Error{"The tensor " + quotedText(tensor.name) + " holds values that are no numbers (infinite or undefined): the file is damaged."};
}

} // namespace steelyard
