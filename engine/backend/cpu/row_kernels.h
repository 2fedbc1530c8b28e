// The ops that go over rows or values, on vectors. Included after a vector header, by the translation units of one
// instruction set each; the contracts are in kernels/ops.
#pragma once

#include "engine/backend/cpu/vector_math.h"

namespace {

using namespace steelyard;

struct RowKernels {
    using Floats = Simd::Floats;
    static constexpr uint32_t kLanes = Simd::kLanes;

    template <class T>
    static T* at(uint64_t address) {
        return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
    }

    // y[i] = each(vectors of the inputs at i), with a shorter last vector.
    template <class Each>
    static void eachValue(uint64_t first, uint64_t last, float* y, Each&& each) {
        uint64_t i = first;
        for (; i + kLanes <= last; i += kLanes)
            Simd::store(y + i, each([i](const float* p) { return Simd::load(p + i); }));
        if (i == last) return;
        const uint32_t rest = static_cast<uint32_t>(last - i);
        Simd::storePartial(y + i, each([i, rest](const float* p) { return Simd::loadPartial(p + i, rest); }), rest);
    }

    static void add(const ops::Add& op, uint32_t row, uint32_t first, uint32_t last) {
        const float *a = at<const float>(op.a) + uint64_t(row) * op.aStride, *b = at<const float>(op.b) + uint64_t(row) * op.bStride;
        float* y = at<float>(op.y) + uint64_t(row) * op.yStride;
        const Floats scaleA = Simd::set1(op.scaleA), scaleB = Simd::set1(op.scaleB);
        if (!op.b) eachValue(first, last, y, [=](auto&& load) { return Simd::mul(scaleA, load(a)); });
        else if (op.scaleA == 1.0f && op.scaleB == 1.0f) eachValue(first, last, y, [=](auto&& load) { return Simd::add(load(a), load(b)); });
        else eachValue(first, last, y, [=](auto&& load) { return Simd::fma(scaleB, load(b), Simd::mul(scaleA, load(a))); });
    }

    static Floats logistic(Floats x) {
        const Floats one = Simd::set1(1.0f);
        return Simd::div(one, Simd::add(one, VectorMath::exp(Simd::sub(Simd::zero(), x))));
    }

    // Most activations are g / (1 + e^-u): SiLU with u = slope * g, GELU's tangent form with u = 2 * (its argument).
    static Floats activated(ops::GateFunction function, Floats slope, Floats g) {
        switch (function) {
        case ops::GateFunction::Silu: return Simd::mul(g, logistic(Simd::mul(slope, g)));
        case ops::GateFunction::Gelu: {
            const Floats inner = Simd::set1(2.0f * 0.79788456080286535588f), cube = Simd::set1(0.044715f);
            return Simd::mul(g, logistic(Simd::mul(Simd::mul(inner, g), Simd::fma(Simd::mul(cube, g), g, Simd::set1(1.0f)))));
        }
        case ops::GateFunction::Sigmoid: return logistic(g);
        case ops::GateFunction::ReluSquared: {
            const Floats positive = Simd::max(g, Simd::zero());
            return Simd::mul(positive, positive);
        }
        case ops::GateFunction::Identity:
        case ops::GateFunction::Softplus: return g; // Softplus is computed value by value
        }
        return g;
    }

    static void gatedActivation(const ops::GatedActivation& op, uint32_t row, uint32_t first, uint32_t last) {
        const float* gate = at<const float>(op.gate) + uint64_t(row) * op.gateStride;
        const float* up = op.up ? at<const float>(op.up) + uint64_t(row / op.upRepeat) * op.upStride : nullptr;
        float* y = at<float>(op.y) + uint64_t(row) * op.yStride;
        const ops::GateFunction function = op.function;
        const Floats slope = Simd::set1(op.slope), offset = Simd::set1(op.upOffset), limit = Simd::set1(op.limit);
        const Floats lowest = Simd::sub(Simd::zero(), limit), single = Simd::set1(gate[0]), one = Simd::set1(1.0f);
        const bool limited = op.limit > 0.0f, wide = op.gateColumns != 1;
        if (function == ops::GateFunction::Softplus) {
            const float first0 = gate[0];
            for (uint32_t i = first; i < last; ++i) y[i] = ops::gatedValue(op, wide ? gate[i] : first0, up ? up[i] : 1.0f);
            return;
        }
        eachValue(first, last, y, [=](auto&& load) {
            Floats g = wide ? load(gate) : single, u = up ? load(up) : one;
            if (limited) {
                g = Simd::min(g, limit);
                if (up) u = Simd::max(lowest, Simd::min(u, limit));
            }
            return Simd::mul(activated(function, slope, g), Simd::add(u, offset));
        });
    }

    static void softCap(const ops::SoftCap& op, uint64_t first, uint64_t last) {
        const float* x = at<const float>(op.x);
        const Floats cap = Simd::set1(op.cap);
        eachValue(first, last, at<float>(op.y),
                  [=](auto&& load) { return Simd::mul(cap, VectorMath::tanh(Simd::div(load(x), cap))); });
    }

    static void rmsNorm(const ops::RmsNorm& op, uint32_t firstRow, uint32_t lastRow) {
        for (uint64_t row = firstRow; row < lastRow; ++row) {
            const float* weight = op.weight ? at<const float>(op.weight) + row % op.weightRows * op.columns : nullptr;
            const float* x = at<const float>(op.x) + row * op.xStride;
            Floats sum[2] = {Simd::zero(), Simd::zero()};
            uint32_t i = 0;
            for (; i + 2 * kLanes <= op.columns; i += 2 * kLanes)
                for (uint32_t half = 0; half < 2; ++half) {
                    const Floats v = Simd::load(x + i + half * kLanes);
                    sum[half] = Simd::fma(v, v, sum[half]);
                }
            for (; i < op.columns; i += kLanes) {
                const uint32_t rest = op.columns - i < kLanes ? op.columns - i : kLanes;
                const Floats v = rest == kLanes ? Simd::load(x + i) : Simd::loadPartial(x + i, rest);
                sum[0] = Simd::fma(v, v, sum[0]);
            }
            const float mean = Simd::sum(Simd::add(sum[0], sum[1])) / static_cast<float>(op.columns);
            const Floats scale = Simd::set1(op.scale / std::sqrt(mean + op.epsilon));
            eachValue(0, op.columns, at<float>(op.y) + row * op.yStride, [=](auto&& load) {
                const Floats v = Simd::mul(load(x), scale);
                return weight ? Simd::mul(v, load(weight)) : v;
            });
        }
    }

    // `rests` is the second plane, or null.
    static void quantizeBlock(const float* x, int8_t* codes, int8_t* rests, float* scaleOut, float* sumOut) {
        constexpr uint32_t kVectors = 32 / kLanes;
        Floats v[kVectors], largest = Simd::zero();
        for (uint32_t i = 0; i < kVectors; ++i) {
            v[i] = Simd::load(x + i * kLanes);
            largest = Simd::max(largest, Simd::abs(v[i]));
        }
        const float scale = Simd::largest(largest) / 127.0f;
        const Floats inverse = Simd::set1(scale > 0.0f ? 1.0f / scale : 0.0f);
        Floats sum = Simd::zero(), restSum = Simd::zero();
        for (uint32_t i = 0; i < kVectors; ++i) {
            const Floats scaled = Simd::mul(v[i], inverse);
            const Simd::Ints rounded = Simd::toInt(scaled);
            Simd::storeCodes(codes + i * kLanes, rounded);
            sum = Simd::add(sum, Simd::toFloat(rounded));
            if (!rests) continue;
            const Simd::Ints rest = Simd::toInt(Simd::mul(Simd::sub(scaled, Simd::toFloat(rounded)), Simd::set1(kernels::kPlaneSteps)));
            Simd::storeCodes(rests + i * kLanes, rest);
            restSum = Simd::add(restSum, Simd::toFloat(rest));
        }
        *scaleOut = scale;
        *sumOut = scale * (Simd::sum(sum) + Simd::sum(restSum) / kernels::kPlaneSteps); // sums of whole numbers: exact in any order
    }

    static void quantizeRows(const ops::QuantizeRows& op, uint32_t firstRow, uint32_t lastRow) {
        const uint64_t blocks = op.columns / 32;
        for (uint64_t row = firstRow; row < lastRow; ++row) {
            int8_t* codes = at<int8_t>(op.codes) + row * op.planes * op.columns;
            for (uint64_t b = 0; b < blocks; ++b) {
                const uint64_t block = row * blocks + b;
                quantizeBlock(at<const float>(op.x) + block * 32, codes + b * 32, op.planes == 2 ? codes + op.columns + b * 32 : nullptr,
                              at<float>(op.scales) + block, at<float>(op.sums) + block);
            }
        }
    }

    // Floats and halves; other types are packed by their scalar definition.
    static void storeCacheRow(ops::CacheType type, const float* source, uint8_t* destination, uint32_t count) {
        uint32_t i = 0;
        if (type == ops::CacheType::F32) {
            std::memcpy(destination, source, count * sizeof(float));
            return;
        }
        for (; i + kLanes <= count; i += kLanes) Simd::storeHalf(destination + i * 2, Simd::load(source + i));
        if (i == count) return;
        uint8_t last[kLanes * 2];
        Simd::storeHalf(last, Simd::loadPartial(source + i, count - i));
        std::memcpy(destination + i * 2, last, (count - i) * 2);
    }

    static void cacheWrite(const ops::CacheWrite& op, uint32_t firstRow, uint32_t lastRow) {
        for (uint64_t row = firstRow; row < lastRow; ++row) {
            const int32_t entry = ops::cacheEntry(op, static_cast<uint32_t>(row));
            if (entry < 0) continue;
            const uint32_t position = static_cast<uint32_t>(entry);
            const uint64_t sequence = static_cast<uint32_t>(at<const int32_t>(op.sequences)[row]);
            const int32_t block = at<const int32_t>(op.blockTable)[sequence * op.tableStride + position / ops::kBlockTokens];
            const uint64_t start = static_cast<uint64_t>(block) * op.blockStride;
            const uint64_t slot = position % ops::kBlockTokens;
            const uint32_t bytesK = op.typeK == ops::CacheType::F32 ? 4 : 2, bytesV = op.typeV == ops::CacheType::F32 ? 4 : 2;
            for (uint64_t head = 0; head < op.kvHeads; ++head) {
                const uint64_t place = head * ops::kBlockTokens + slot, source = row * op.kvHeads + head;
                storeCacheRow(op.typeK, at<const float>(op.k) + source * op.headDimK,
                              at<uint8_t>(op.cacheK) + start + place * op.headDimK * bytesK, op.headDimK);
                if (!op.v) continue;
                storeCacheRow(op.typeV, at<const float>(op.v) + source * op.headDimV,
                              at<uint8_t>(op.cacheV) + start + place * op.headDimV * bytesV, op.headDimV);
            }
        }
    }

    static void rotateHead(const ops::Rotary& op, const float* cosines, const float* sines, float* x) {
        const uint32_t half = op.dimensions / 2;
        uint32_t j = 0;
        if (op.mode == ops::RotaryMode::Halves) {
            for (; j + kLanes <= half; j += kLanes) {
                const Floats c = Simd::load(cosines + j), s = Simd::load(sines + j);
                const Floats a = Simd::load(x + j), b = Simd::load(x + half + j);
                Simd::store(x + j, Simd::sub(Simd::mul(a, c), Simd::mul(b, s)));
                Simd::store(x + half + j, Simd::add(Simd::mul(a, s), Simd::mul(b, c)));
            }
        }
        const bool adjacent = op.mode == ops::RotaryMode::Adjacent;
        for (; j < half; ++j) {
            float &first = x[adjacent ? 2 * j : j], &second = x[adjacent ? 2 * j + 1 : j + half];
            const float a = first, b = second;
            first = a * cosines[j] - b * sines[j];
            second = a * sines[j] + b * cosines[j];
        }
    }

    static void rotary(const ops::Rotary& op, const float* turns, uint32_t firstRow, uint32_t lastRow) {
        const uint32_t half = op.dimensions / 2;
        for (uint64_t row = firstRow; row < lastRow; ++row)
            for (uint64_t head = 0; head < op.heads; ++head)
                rotateHead(op, turns + row * op.dimensions, turns + row * op.dimensions + half,
                           at<float>(op.x) + (row * op.heads + head) * op.headDim);
    }
};

} // namespace
