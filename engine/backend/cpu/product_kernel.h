// Products with weights in panels (panel_layout.h): one function template per kind, instantiated per format.
//
// Integer formats: per group of 32 an exact integer sum per output and plane, then sum += (whole * steps + rest) *
// (scale * row scale / steps), in order of depth; minima have a chain of their own. Codes are unpacked once for kRowTile rows. Float formats: float_tile.h.
// Included after a vector header, by the translation units of one instruction set each.
#pragma once

#include "engine/backend/cpu/float_tile.h"
#include "engine/backend/cpu/panel_layout.h"

namespace {

using namespace steelyard;
using cpu::kPanelOutputs;
using cpu::PanelScales;
using cpu::PanelShape;

struct ProductEnd {
    // sum + bias + residual of `count` outputs from `output` on.
    static void store(const ops::MatMul& op, uint64_t row, uint32_t output, Simd::Floats sum) {
        const uint32_t left = op.outputs - output, count = left < Simd::kLanes ? left : Simd::kLanes;
        const uint64_t index = row * op.outputs + output;
        const auto load = [&](const float* p) { return count == Simd::kLanes ? Simd::load(p) : Simd::loadPartial(p, count); };
        if (op.bias) sum = Simd::add(sum, load(RowKernels::at<const float>(op.bias) + output));
        if (op.residual) sum = Simd::add(sum, load(RowKernels::at<const float>(op.residual) + index));
        float* y = RowKernels::at<float>(op.y) + index;
        if (count == Simd::kLanes) Simd::store(y, sum);
        else Simd::storePartial(y, sum, count);
    }
};

template <class Format>
struct FloatProduct {
    static constexpr uint32_t kBytes = Format::blockBytes;
    static constexpr uint32_t kVectorsPerPanel = kPanelOutputs / Simd::kLanes;

    static Simd::Floats loadValues(const uint8_t* p) {
        if constexpr (Format::typeId == kernels::F32::typeId) return Simd::load(reinterpret_cast<const float*>(p));
        else if constexpr (Format::typeId == kernels::F16::typeId) return Simd::loadHalf(p);
        else return Simd::loadBfloat(p);
    }

    template <int Vectors>
    static void panels(const ops::MatMul& op, const uint8_t* panel, uint64_t panelBytes, uint32_t output) {
        const auto load = [=](uint32_t v, uint32_t k) {
            return loadValues(panel + (v / kVectorsPerPanel) * panelBytes +
                              (uint64_t(k) * kPanelOutputs + (v % kVectorsPerPanel) * Simd::kLanes) * kBytes);
        };
        const auto done = [&](uint32_t row, uint32_t v, Simd::Floats sum) {
            if (output + v * Simd::kLanes < op.outputs) ProductEnd::store(op, row, output + v * Simd::kLanes, sum);
        };
        FloatTile::allRows<Vectors>(RowKernels::at<const float>(op.x), op.depth, op.rows, op.depth, load, done);
    }

    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t*, uint32_t first, uint32_t last) {
        constexpr uint32_t kWide = Simd::kTileVectors / kVectorsPerPanel;
        const uint64_t bytes = uint64_t(op.depth) * kBytes * kPanelOutputs;
        uint32_t panel = first;
        if constexpr (kWide > 1)
            for (; panel + kWide <= last; panel += kWide)
                panels<Simd::kTileVectors>(op, weight + (panel - first) * bytes, bytes, panel * kPanelOutputs);
        for (; panel < last; ++panel) panels<kVectorsPerPanel>(op, weight + (panel - first) * bytes, bytes, panel * kPanelOutputs);
    }
};

template <class Format>
struct IntegerProduct {
    static constexpr PanelShape kShape = cpu::panelShapeOf<Format>();
    static constexpr bool kHasMinimum = kShape.scales == PanelScales::HalfMinimum || kShape.scales == PanelScales::Bytes;
    static constexpr bool kHalves = kShape.scales == PanelScales::BytesPer16; // two sums of 16 per group
    static constexpr int32_t kOffset = kShape.codeBits == 8 ? Simd::kEightOffset : kShape.offset;
    static constexpr uint32_t kHeaderStride = kShape.headerBytes() + kShape.headerGroups() * kShape.groupScaleBytes();

    struct Codes {
        Simd::Codes chunk[8];
    };
    struct Factors {
        Simd::Floats scale, minimum;
        Simd::Ints first, second; // kHalves
    };

    [[gnu::always_inline]] static void unpack(const uint8_t* lines, Codes& out) {
        if constexpr (kShape.codeBits == 8) {
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::prepareEight(Simd::loadCodes(lines + c * 64)); });
            return;
        }
        unrolled<4>([&](auto c) {
            const Simd::Codes both = Simd::loadCodes(lines + c * 64);
            out.chunk[c] = Simd::lowNibbles(both);
            out.chunk[c + 4] = Simd::highNibbles(both);
        });
        if constexpr (kShape.codeBits == 5) {
            const Simd::Codes fifth = Simd::loadCodes(lines + 256);
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::template insertBits<int(c), 1>(out.chunk[c], fifth); });
        }
        if constexpr (kShape.codeBits == 6) {
            const Simd::Codes upper[2] = {Simd::loadCodes(lines + 256), Simd::loadCodes(lines + 320)};
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::template insertBits<2 * (int(c) % 4), 3>(out.chunk[c], upper[c / 4]); });
        }
    }

    // Scale and minimum of outputs `lane` and up of group `g`.
    [[gnu::always_inline]] static Factors factors(const uint8_t* area, uint32_t g, uint32_t lane) {
        const uint8_t* header = area + (g / kShape.headerGroups()) * uint64_t(kHeaderStride);
        const uint8_t* group = header + kShape.headerBytes() + (g % kShape.headerGroups()) * kShape.groupScaleBytes();
        Factors f;
        if constexpr (kShape.scales == PanelScales::Half || kShape.scales == PanelScales::HalfMinimum)
            f.scale = Simd::loadHalf(group + lane * 2);
        if constexpr (kShape.scales == PanelScales::HalfMinimum) f.minimum = Simd::loadHalf(group + 32 + lane * 2);
        if constexpr (kShape.scales == PanelScales::Bytes) {
            f.scale = Simd::mul(Simd::loadHalf(header + lane * 2), Simd::toFloat(Simd::loadUnsigned(group + lane)));
            f.minimum = Simd::mul(Simd::loadHalf(header + 32 + lane * 2), Simd::toFloat(Simd::loadUnsigned(group + 16 + lane)));
            f.minimum = Simd::sub(Simd::zero(), f.minimum);
        }
        if constexpr (kHalves) {
            f.scale = Simd::loadHalf(header + lane * 2);
            f.first = Simd::loadSigned(group + lane);
            f.second = Simd::loadSigned(group + 16 + lane);
        }
        return f;
    }

    // The exact integer sum of one group and one row; `start` is the row's correction for the offset, if there is one.
    [[gnu::always_inline]] static Simd::Ints groupSum(const Codes& codes, const int8_t* x, const int32_t* start, const Factors& f) {
        const auto begin = [&](uint32_t i) { return Simd::setInt(kOffset != 0 ? start[i] : 0); };
        const auto dot = [&](Simd::Ints sum, auto c) {
            if constexpr (kShape.codeBits == 8) return Simd::dotEight(sum, codes.chunk[c], x + c * 4);
            else return Simd::dot(sum, codes.chunk[c], x + c * 4);
        };
        Simd::Ints sum = begin(0);
        if constexpr (!kHalves) {
            unrolled<8>([&](auto c) { sum = dot(sum, c); });
            return sum;
        }
        Simd::Ints second = begin(1);
        unrolled<4>([&](auto c) { sum = dot(sum, c); });
        unrolled<4>([&](auto c) { second = dot(second, std::integral_constant<int, c + 4>{}); });
        return Simd::addInt(Simd::mulInt(sum, f.first), Simd::mulInt(second, f.second));
    }

    // The sum so far and one group: its integer sums of both planes times the weight's and the row's scale.
    [[gnu::always_inline]] static Simd::Floats accumulate(Simd::Floats sum, Simd::Ints whole, Simd::Ints rest, const Factors& f, float scale) {
        const Simd::Floats steps = Simd::fma(Simd::toFloat(whole), Simd::set1(kernels::kPlaneSteps), Simd::toFloat(rest));
        return Simd::fma(steps, Simd::mul(f.scale, Simd::set1(scale * (1.0f / kernels::kPlaneSteps))), sum);
    }

    // `Rows` rows from `row` on, outputs `lane` .. `lane` + kLanes of one panel.
    template <int Rows>
    static void tile(const ops::MatMul& op, const uint8_t* panel, const int32_t* starts, uint32_t output, uint32_t lane, uint64_t row) {
        const uint32_t groups = op.depth / 32, startStride = groups * (kHalves ? 2 : 1);
        const uint8_t* area = panel + uint64_t(groups) * kShape.codeBytes();
        const uint64_t rowStride = uint64_t(op.depth) * 2; // codes, then rests
        const int8_t* x = RowKernels::at<const int8_t>(op.x) + row * rowStride;
        const float* scales = RowKernels::at<const float>(op.xScales) + row * groups;
        const float* xSums = RowKernels::at<const float>(op.xSums) + row * groups;
        const int32_t* start = kOffset != 0 ? starts + row * 2 * startStride : nullptr;
        Simd::Floats sums[Rows], minima[Rows];
        unrolled<Rows>([&](auto r) { sums[r] = minima[r] = Simd::zero(); });
        Codes codes;
        for (uint32_t g = 0; g < groups; ++g) {
            unpack(panel + uint64_t(g) * kShape.codeBytes() + lane * 4, codes);
            const Factors f = factors(area, g, lane);
            unrolled<Rows>([&](auto r) {
                const int32_t* own = kOffset != 0 ? start + r * 2 * startStride + g * (kHalves ? 2 : 1) : nullptr;
                const int8_t* rowCodes = x + r * rowStride + g * 32;
                const Simd::Ints whole = groupSum(codes, rowCodes, own, f);
                const Simd::Ints rest = groupSum(codes, rowCodes + op.depth, kOffset != 0 ? own + startStride : nullptr, f);
                sums[r] = accumulate(sums[r], whole, rest, f, scales[uint64_t(r) * groups + g]);
                if constexpr (kHasMinimum)
                    minima[r] = Simd::fma(f.minimum, Simd::set1(xSums[uint64_t(r) * groups + g]), minima[r]);
            });
        }
        unrolled<Rows>([&](auto r) {
            if (output + lane < op.outputs) ProductEnd::store(op, row + r, output + lane, Simd::add(sums[r], minima[r]));
        });
    }

    template <int Rows>
    static void rows(const ops::MatMul& op, const uint8_t* panel, const int32_t* starts, uint32_t output, uint64_t& row) {
        for (; row + Rows <= op.rows; row += Rows)
            for (uint32_t lane = 0; lane < kPanelOutputs; lane += Simd::kLanes) tile<Rows>(op, panel, starts, output, lane, row);
        if constexpr (Rows > 1) rows<Rows / 2>(op, panel, starts, output, row);
    }

    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last) {
        const uint64_t bytes = kShape.panelBytes(op.depth);
        for (uint32_t panel = first; panel < last; ++panel) {
            uint64_t row = 0;
            rows<Simd::kRowTile>(op, weight + (panel - first) * bytes, starts, panel * kPanelOutputs, row);
        }
    }

    static void makeStarts(const ops::MatMul& op, int32_t* out, uint32_t first, uint32_t last) {
        constexpr uint32_t kValues = kHalves ? 16 : 32;
        const uint64_t perRow = op.depth / kValues;
        const int8_t* x = RowKernels::at<const int8_t>(op.x);
        for (uint64_t i = first * perRow; i < last * perRow; ++i) {
            int32_t sum = 0;
            for (uint32_t j = 0; j < kValues; ++j) sum += x[i * kValues + j];
            out[i] = -kOffset * sum;
        }
    }
};

struct Products {
    template <class Each>
    static void visit(uint32_t type, Each&& each) {
        kernels::AllFormats::visit(type, each);
    }

    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last) {
        visit(op.type, [&]<class Format>() {
            if constexpr (Format::productClass == kernels::ProductClass::Float) FloatProduct<Format>::run(op, weight, starts, first, last);
            else IntegerProduct<Format>::run(op, weight, starts, first, last);
        });
    }
    static uint32_t startsPerRow(uint32_t type, uint32_t depth) {
        uint32_t count = 0;
        visit(type, [&]<class Format>() {
            if constexpr (Format::productClass != kernels::ProductClass::Float) {
                using Product = IntegerProduct<Format>;
                if (Product::kOffset != 0) count = depth / (Product::kHalves ? 16 : 32);
            }
        });
        return count;
    }
    static void starts(const ops::MatMul& op, int32_t* out, uint32_t first, uint32_t last) {
        visit(op.type, [&]<class Format>() {
            if constexpr (Format::productClass != kernels::ProductClass::Float) IntegerProduct<Format>::makeStarts(op, out, first, last);
        });
    }
};

} // namespace
