#include "tests/ops/compare.h"

#include "kernels/device/half.h"
#include "kernels/ops/quantize_rows.h"

#include <cmath>
#include <cstring>

namespace steelyard::tests {

namespace {

template <class T>
std::vector<double> valuesOf(const std::vector<uint8_t>& bytes) {
    std::vector<double> values(bytes.size() / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        if constexpr (std::is_same_v<T, uint16_t>) values[i] = kernels::halfToFloat(value);
        else values[i] = value;
    }
    return values;
}

std::string said(const char* what, size_t index, double value, double right) {
    return std::string(what) + " at " + std::to_string(index) + ": " + std::to_string(value) + " instead of " +
           std::to_string(right);
}

std::string compareCodes(const std::vector<double>& values, const std::vector<double>& right) {
    size_t off = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const double difference = std::fabs(values[i] - right[i]);
        if (difference > 1.0) return said("a code is wrong", i, values[i], right[i]);
        if (difference > 0.0) ++off;
    }
    return off * 200 > values.size() ? std::to_string(off) + " codes are off by one" : std::string();
}

std::string comparePlanes(const std::vector<double>& values, const std::vector<double>& right, size_t columns) {
    for (size_t i = 0; i < values.size(); ++i) {
        if (i / columns % 2 != 0) continue;
        const auto number = [&](const std::vector<double>& v) { return v[i] * kernels::kPlaneSteps + v[i + columns]; };
        if (std::fabs(number(values) - number(right)) > 1.0) return said("a code with its rest is wrong", i, number(values), number(right));
    }
    return {};
}

std::string compareValues(const std::vector<double>& values, const std::vector<double>& right, const Tolerance& tolerance) {
    double squares = 0.0, errors = 0.0;
    for (double value : right) squares += value * value;
    const double root = std::sqrt(squares / static_cast<double>(right.empty() ? 1 : right.size()));
    for (size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i]) || std::isinf(values[i])) return said("not a finite number", i, values[i], right[i]);
        const double error = std::fabs(values[i] - right[i]);
        if (error > tolerance.largest * root + 1e-30) return said("too far off", i, values[i], right[i]);
        errors += error * error;
    }
    if (errors > tolerance.nmse * squares) return "the error is " + std::to_string(errors / squares * 1e9) + "e-9 of the square";
    return {};
}

bool isFloat(TensorType type) { return type == TensorType::F32 || type == TensorType::F16 || type == TensorType::BF16; }

// Offsets of the half-precision numbers inside a block of an integer format.
std::vector<uint32_t> scaleOffsets(TensorType type) {
    switch (type) {
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K: return {0, 2};
    case TensorType::Q2_K: return {80, 82};
    case TensorType::Q3_K: return {108};
    case TensorType::Q6_K: return {208};
    case TensorType::TQ1_0: return {52};
    case TensorType::TQ2_0: return {64};
    case TensorType::IQ1_M:
    case TensorType::MXFP4:
    case TensorType::NVFP4: return {}; // scales of another kind
    default: return {0};
    }
}

// Gives a block of random bytes scales of ordinary size.
void putScales(TensorType type, uint8_t* block, Random& random) {
    const uint16_t half = kernels::floatToHalf(random.uniform(-0.02f, 0.05f));
    for (uint32_t offset : scaleOffsets(type)) {
        const uint16_t other = kernels::floatToHalf(random.uniform(-0.02f, 0.05f));
        std::memcpy(block + offset, &other, 2);
    }
    if (type == TensorType::MXFP4) block[0] = static_cast<uint8_t>(118 + random.below(6));
    if (type == TensorType::IQ1_M) // four bits in each of four places
        for (uint32_t i = 0; i < 4; ++i) {
            uint8_t& byte = block[49 + 2 * i];
            byte = static_cast<uint8_t>((byte & 15u) | ((half >> 4 * i & 15u) << 4));
        }
}

} // namespace

std::string compareBytes(const std::vector<uint8_t>& values, const std::vector<uint8_t>& right, const Tolerance& tolerance) {
    if (values.size() != right.size()) return "the sizes differ";
    switch (tolerance.kind) {
    case Tolerance::Kind::Exact:
        for (size_t i = 0; i < values.size(); ++i)
            if (values[i] != right[i]) return said("a byte was changed", i, values[i], right[i]);
        return {};
    case Tolerance::Kind::Any: return {};
    case Tolerance::Kind::Codes: return compareCodes(valuesOf<int8_t>(values), valuesOf<int8_t>(right));
    case Tolerance::Kind::Planes: return comparePlanes(valuesOf<int8_t>(values), valuesOf<int8_t>(right), static_cast<size_t>(tolerance.largest));
    case Tolerance::Kind::Half: return compareValues(valuesOf<uint16_t>(values), valuesOf<uint16_t>(right), tolerance);
    case Tolerance::Kind::Float: return compareValues(valuesOf<float>(values), valuesOf<float>(right), tolerance);
    }
    return {};
}

uint64_t Random::next() {
    uint64_t z = (m_state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

float Random::uniform(float low, float high) {
    return low + (high - low) * static_cast<float>(next() >> 40) * 0x1p-24f;
}

float Random::normal() {
    float sum = 0.0f;
    for (int i = 0; i < 6; ++i) sum += uniform(-1.0f, 1.0f);
    return sum * 0.70710678f;
}

std::vector<float> Random::normals(size_t count, float deviation) {
    std::vector<float> values(count);
    for (float& value : values) value = deviation * normal();
    return values;
}

std::vector<uint8_t> randomWeight(TensorType type, uint64_t rows, uint64_t columns, Random& random) {
    const auto& format = info(type);
    const uint64_t blocks = rows * columns / format.blockValues;
    std::vector<uint8_t> bytes(blocks * format.blockBytes);
    if (isFloat(type)) {
        for (uint64_t i = 0; i < blocks; ++i) {
            const float value = random.normal();
            const uint16_t half = type == TensorType::F16 ? kernels::floatToHalf(value) : kernels::floatToBfloat16(value);
            if (type == TensorType::F32) std::memcpy(bytes.data() + i * 4, &value, 4);
            else std::memcpy(bytes.data() + i * 2, &half, 2);
        }
        return bytes;
    }
    for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
        const uint64_t value = random.next();
        std::memcpy(bytes.data() + i, &value, 8);
    }
    for (uint64_t block = 0; block < blocks; ++block) putScales(type, bytes.data() + block * format.blockBytes, random);
    return bytes;
}

} // namespace steelyard::tests
