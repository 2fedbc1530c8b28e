// How two arrays of an op are compared, and random numbers that are the same on every machine. Knows nothing of devices.
#pragma once

#include "engine/core/tensor_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace steelyard::tests {

// How far an output may be from the scalar definition.
//   Exact    bytes equal (also: an array that is only read)
//   Float    float32: mean squared error over mean square at most `nmse`, and no value off by more than `largest` times
//            the root of the mean square
//   Half     16-bit values, likewise
//   Any      scratch: not compared
//   Codes    int8: off by one at most, and that in at most one of 200 (a product at the middle between two codes)
//   Planes   int8 [rows, 2, largest]: codes and their rests, compared as the numbers that both together stand for
struct Tolerance {
    enum class Kind { Exact, Float, Half, Codes, Planes, Any } kind = Kind::Exact;
    double nmse = 0.0, largest = 0.0;
};

std::string compareBytes(const std::vector<uint8_t>& values, const std::vector<uint8_t>& right, const Tolerance& tolerance);

// SplitMix64: a counter-based sequence with equal results everywhere.
class Random {
public:
    explicit Random(uint64_t seed) : m_state(seed * 0x9E3779B97F4A7C15ull + 1) {}
    uint64_t next();
    uint32_t below(uint32_t limit) { return static_cast<uint32_t>(next() % limit); }
    float uniform(float low, float high);
    // Roughly normal, mean 0, deviation 1.
    float normal();
    std::vector<float> normals(size_t count, float deviation = 1.0f);

private:
    uint64_t m_state;
};

// Rows of a weight of any format, with codes of every value and finite scales.
std::vector<uint8_t> randomWeight(TensorType type, uint64_t rows, uint64_t columns, Random& random);

} // namespace steelyard::tests
