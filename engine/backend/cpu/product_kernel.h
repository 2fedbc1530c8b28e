// Products with weights in panels (panel_layout.h): one function template per kind, instantiated per format.
//
// Integer formats: per group of 32 an exact integer sum per output and plane, then sum += (whole * steps + rest) *
// (scale * row scale / steps), in order of depth; minima have a chain of their own. Codes are unpacked once for kRowTile rows, whose sums advance side by
// side: one alone would wait for itself. Float formats: float_tile.h.
// Included after a vector header, by the translation units of one instruction set each.
#pragma once

#include "engine/backend/cpu/float_tile.h"
#include "engine/backend/cpu/panel_layout.h"

namespace {

using namespace steelyard;
using cpu::kPanelOutputs;
using cpu::PanelCodes;
using cpu::PanelFactors;
using cpu::PanelHeader;
using cpu::PanelShape;

// How far ahead of need weights are asked for: they come from a slow memory, once.
constexpr uint64_t kPrefetchBytes = 4096;

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
            const uint8_t* values = panel + (v / kVectorsPerPanel) * panelBytes + (uint64_t(k) * kPanelOutputs + (v % kVectorsPerPanel) * Simd::kLanes) * kBytes;
            Simd::prefetch(values + kPrefetchBytes);
            return loadValues(values);
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
    static constexpr PanelFactors kFactors = kShape.factors;
    static constexpr bool kHalves = kFactors == PanelFactors::Bytes16 || kFactors == PanelFactors::Nibbles16 ||
                                    kFactors == PanelFactors::NibblesMinimum16 || kFactors == PanelFactors::Float8; // two sums of 16 per group
    static constexpr bool kMinimum16 = kFactors == PanelFactors::NibblesMinimum16;
    static constexpr bool kMinimum32 = kShape.header == PanelHeader::Halves && !kMinimum16;
    static constexpr bool kHasMinimum = kMinimum16 || kMinimum32;
    static constexpr int32_t kOffset = kShape.isSigned() ? Simd::kEightOffset : kShape.offset;
    // What is kept per row, plane and sum: this times the row's codes.
    static constexpr int32_t kStart = kOffset != 0 ? -kOffset : kMinimum16 ? 1 : 0;
    static_assert(!kMinimum16 || kOffset == 0, "the sums of a row serve one of the two");

    struct Codes {
        Simd::Codes chunk[8];
    };
    struct Factors {
        Simd::Floats scale, minimum, secondScale; // the last: Float8
        Simd::Ints first, second;                 // other halves
        Simd::Ints firstMinimum, secondMinimum;   // kMinimum16
    };
    struct Sums {
        Simd::Ints first, second; // the second: halves
    };

    // The codes of a group of outputs `lane` and up: unsigned where they are plain, else signed.
    [[gnu::always_inline]] static void unpack(const uint8_t* area, uint32_t lane, Codes& out) {
        if constexpr (kShape.codes == PanelCodes::Grid) {
            unpackGrid(area, lane, out);
        } else {
            unpackPlanes(area + lane * 4, out);
            if constexpr (kShape.codes == PanelCodes::Book)
                unrolled<8>([&](auto c) { out.chunk[c] = Simd::lookUp(out.chunk[c], Format::Book::values); });
        }
    }

    [[gnu::always_inline]] static void unpackPlanes(const uint8_t* lines, Codes& out) {
        constexpr uint32_t kLow = kShape.lowBits(), kUpper = kShape.upperBits();
        if constexpr (kShape.codeBits == 8) {
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::loadCodes(lines + c * 64); });
            return;
        } else if constexpr (kLow == 4) {
            unrolled<4>([&](auto c) {
                const Simd::Codes both = Simd::loadCodes(lines + c * 64);
                out.chunk[c] = Simd::lowNibbles(both);
                out.chunk[c + 4] = Simd::highNibbles(both);
            });
        } else if constexpr (kLow == 2) {
            const Simd::Codes two[2] = {Simd::loadCodes(lines), Simd::loadCodes(lines + 64)};
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::template moveBits<2 * (int(c) % 4), 3, 0>(two[c / 4]); });
        } else {
            const Simd::Codes one = Simd::loadCodes(lines);
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::template moveBits<int(c), 1, 1>(one); });
        }
        if constexpr (kUpper == 1 && kShape.codeBits != 8) {
            const Simd::Codes upper = Simd::loadCodes(lines + kLow * 64);
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::template insertBits<int(c), 1, int(kLow)>(out.chunk[c], upper); });
        }
        if constexpr (kUpper == 2 && kShape.codeBits != 8) {
            const Simd::Codes upper[2] = {Simd::loadCodes(lines + kLow * 64), Simd::loadCodes(lines + kLow * 64 + 64)};
            unrolled<8>([&](auto c) {
                out.chunk[c] = Simd::template insertBits<2 * (int(c) % 4), 3, int(kLow)>(out.chunk[c], upper[c / 4]);
            });
        }
    }

    // Out of line: loads from a table take longer than a call.
    [[gnu::noinline]] static void unpackGrid(const uint8_t* area, uint32_t lane, Codes& out) {
        constexpr int kRun = int(kShape.gridRun), kUpper = int(kShape.gridBits) - 8;
        const uint32_t* words = cpu::gridWords(Format::typeId);
        unrolled<32 / kRun>([&](auto i) {
            Simd::Ints entry = Simd::loadUnsigned(area + i * kPanelOutputs + lane);
            if constexpr (kUpper > 0) {
                constexpr int kBit = int(i) * kUpper, kMask = (1 << kUpper) - 1;
                const Simd::Ints upper = Simd::loadUnsigned(area + kShape.gridUpperStart() + kBit / 8 * kPanelOutputs + lane);
                entry = Simd::addInt(entry, Simd::template moveInts<kBit % 8, kMask, 8>(upper));
            }
            if constexpr (kRun == 8) {
                const Simd::Ints twice = Simd::addInt(entry, entry);
                out.chunk[2 * i] = Simd::gather(words, twice);
                out.chunk[2 * i + 1] = Simd::gather(words + 1, twice);
            } else {
                out.chunk[i] = Simd::gather(words, entry);
            }
        });
        if constexpr (kShape.gridSigns) {
            const uint8_t* signs = area + kShape.gridSignStart() + lane / 2;
            unrolled<8>([&](auto c) { out.chunk[c] = Simd::negate(out.chunk[c], signs + c * 8); });
        }
    }

    // Asks for the part of the panels which lies as far ahead as the memory is slow; one call for each group covers them all.
    [[gnu::always_inline]] static void prefetch(const uint8_t* panel, uint32_t g) {
        constexpr uint64_t kBytes = kShape.panelBytes(256) / 8, kLine = 64;
        for (uint64_t byte = 0; byte < kBytes; byte += kLine) Simd::prefetch(panel + g * kBytes + kPrefetchBytes + byte);
    }

    // Scale and minimum of outputs `lane` and up of group `g`.
    [[gnu::always_inline]] static Factors factors(const uint8_t* area, uint32_t g, uint32_t lane) {
        const uint8_t *header = area + kShape.headerStart(g), *group = area + kShape.factorStart(g);
        constexpr float kStep = cpu::panelStep<Format>();
        Factors f;
        if constexpr (kShape.header == PanelHeader::Half || kShape.header == PanelHeader::Halves) f.scale = Simd::loadHalf(header + lane * 2);
        if constexpr (kShape.header == PanelHeader::Halves) f.minimum = Simd::loadHalf(header + 32 + lane * 2);
        if constexpr (kShape.header == PanelHeader::Bfloat) f.scale = Simd::loadBfloat(header + lane * 2);
        if constexpr (kStep != 1.0f) f.scale = Simd::mul(f.scale, Simd::set1(kStep));
        if constexpr (kFactors == PanelFactors::Byte) f.scale = Simd::mul(f.scale, Simd::toFloat(Simd::loadSigned(group + lane)));
        if constexpr (kFactors == PanelFactors::ByteMinimum) {
            f.scale = Simd::mul(f.scale, Simd::toFloat(Simd::loadUnsigned(group + lane)));
            f.minimum = Simd::mul(f.minimum, Simd::toFloat(Simd::loadUnsigned(group + 16 + lane)));
        }
        if constexpr (kFactors == PanelFactors::ByteMinimum || kMinimum16) f.minimum = Simd::sub(Simd::zero(), f.minimum);
        if constexpr (kFactors == PanelFactors::Bytes16) {
            f.first = Simd::loadSigned(group + lane);
            f.second = Simd::loadSigned(group + 16 + lane);
        }
        if constexpr (kFactors == PanelFactors::Nibbles16) {
            const Simd::Ints both = Simd::loadUnsigned(group + lane), one = Simd::setInt(1);
            f.first = Simd::addInt(Simd::template moveInts<0, 15, 1>(both), one);
            f.second = Simd::addInt(Simd::template moveInts<4, 15, 1>(both), one);
        }
        if constexpr (kMinimum16) {
            const Simd::Ints first = Simd::loadUnsigned(group + lane), second = Simd::loadUnsigned(group + 16 + lane);
            f.first = Simd::template moveInts<0, 15, 0>(first);
            f.second = Simd::template moveInts<0, 15, 0>(second);
            f.firstMinimum = Simd::template moveInts<4, 15, 0>(first);
            f.secondMinimum = Simd::template moveInts<4, 15, 0>(second);
        }
        if constexpr (kFactors == PanelFactors::Float8) {
            f.scale = Simd::mul(Simd::loadFloat8(group + lane), Simd::set1(128.0f));
            f.secondScale = Simd::mul(Simd::loadFloat8(group + 16 + lane), Simd::set1(128.0f));
        }
        return f;
    }

    // What a row's exact integer sums of a group begin with: its correction for the offset, if there is one.
    [[gnu::always_inline]] static Sums beginSums(const int32_t* start) {
        return {Simd::setInt(kOffset != 0 ? start[0] : 0), Simd::setInt(kOffset != 0 && kHalves ? start[1] : 0)};
    }

    // Adds four values of depth; `x` are the row's codes of the group.
    template <int Chunk>
    [[gnu::always_inline]] static void addChunk(Sums& sums, const Codes& codes, const int8_t* x) {
        Simd::Ints& sum = kHalves && Chunk >= 4 ? sums.second : sums.first;
        if constexpr (kShape.isSigned()) sum = Simd::dotEight(sum, codes.chunk[Chunk], x + Chunk * 4);
        else sum = Simd::dot(sum, codes.chunk[Chunk], x + Chunk * 4);
    }

    // The exact integer sums of one group and one plane of a row.
    [[gnu::always_inline]] static Sums groupSums(const Codes& codes, const int8_t* x, const int32_t* start) {
        Sums sums = beginSums(start);
        unrolled<8>([&](auto c) { addChunk<c>(sums, codes, x); });
        return sums;
    }

    // The sum so far and integer sums of both planes times the weight's and the row's scale.
    [[gnu::always_inline]] static Simd::Floats accumulate(Simd::Floats sum, Simd::Ints whole, Simd::Ints rest, Simd::Floats own, float scale) {
        const Simd::Floats steps = Simd::fma(Simd::toFloat(whole), Simd::set1(kernels::kPlaneSteps), Simd::toFloat(rest));
        return Simd::fma(steps, Simd::mul(Simd::mul(own, Simd::set1(1.0f / kernels::kPlaneSteps)), Simd::set1(scale)), sum);
    }

    // The sum so far and one group.
    [[gnu::always_inline]] static Simd::Floats addGroup(Simd::Floats sum, const Sums& whole, const Sums& rest, const Factors& f, float scale) {
        if constexpr (kFactors == PanelFactors::Float8) {
            sum = accumulate(sum, whole.first, rest.first, f.scale, scale);
            return accumulate(sum, whole.second, rest.second, f.secondScale, scale);
        } else if constexpr (kHalves) {
            const auto both = [&](const Sums& s) { return Simd::addInt(Simd::mulInt(s.first, f.first), Simd::mulInt(s.second, f.second)); };
            return accumulate(sum, both(whole), both(rest), f.scale, scale);
        } else {
            return accumulate(sum, whole.first, rest.first, f.scale, scale);
        }
    }

    // The same for minima of 16 values, from the row's sums of codes of both planes.
    [[gnu::always_inline]] static Simd::Floats addMinimum(Simd::Floats sum, const int32_t* whole, const int32_t* rest, const Factors& f, float scale) {
        const auto both = [&](const int32_t* s) {
            return Simd::addInt(Simd::mulInt(f.firstMinimum, Simd::setInt(s[0])), Simd::mulInt(f.secondMinimum, Simd::setInt(s[1])));
        };
        return accumulate(sum, both(whole), both(rest), f.minimum, scale);
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
        const int32_t* start = kStart != 0 ? starts + row * 2 * startStride : nullptr;
        Simd::Floats sums[Rows], minima[Rows];
        unrolled<Rows>([&](auto r) { sums[r] = minima[r] = Simd::zero(); });
        const auto startOf = [&](uint32_t r, uint32_t g, uint32_t plane) { return kStart != 0 ? start + (r * 2 + plane) * startStride + g * (kHalves ? 2 : 1) : nullptr; };
        Codes codes;
        for (uint32_t g = 0; g < groups; ++g) {
            if (lane == 0) prefetch(panel, g);
            unpack(panel + uint64_t(g) * kShape.codeBytes(), lane, codes);
            if constexpr (kShape.isSigned()) unrolled<8>([&](auto c) { codes.chunk[c] = Simd::prepareEight(codes.chunk[c]); });
            const Factors f = factors(area, g, lane);
            const auto codesOf = [&](int r) { return x + r * rowStride + g * 32; };
            const auto add = [&](auto r, const Sums& whole, const Sums& rest) {
                const float scale = scales[uint64_t(r) * groups + g];
                sums[r] = addGroup(sums[r], whole, rest, f, scale);
                if constexpr (kMinimum32) minima[r] = Simd::fma(f.minimum, Simd::set1(xSums[uint64_t(r) * groups + g]), minima[r]);
                if constexpr (kMinimum16) minima[r] = addMinimum(minima[r], startOf(r, g, 0), startOf(r, g, 1), f, scale);
            };
            if constexpr (Simd::kRowsSideBySide) {
                Sums whole[Rows], rest[Rows];
                unrolled<Rows>([&](auto r) {
                    whole[r] = beginSums(startOf(r, g, 0));
                    rest[r] = beginSums(startOf(r, g, 1));
                });
                unrolled<8>([&](auto c) {
                    unrolled<Rows>([&](auto r) {
                        addChunk<c>(whole[r], codes, codesOf(r));
                        addChunk<c>(rest[r], codes, codesOf(r) + op.depth);
                    });
                });
                unrolled<Rows>([&](auto r) { add(r, whole[r], rest[r]); });
            } else {
                unrolled<Rows>([&](auto r) {
                    add(r, groupSums(codes, codesOf(r), startOf(r, g, 0)), groupSums(codes, codesOf(r) + op.depth, startOf(r, g, 1)));
                });
            }
        }
        unrolled<Rows>([&](auto r) {
            if (output + lane < op.outputs) ProductEnd::store(op, row + r, output + lane, Simd::add(sums[r], minima[r]));
        });
    }

    // Rows from `row` on, `Rows` at a time, then those that are left.
    template <int Rows>
    static void rows(const ops::MatMul& op, const uint8_t* panel, const int32_t* starts, uint32_t output, uint64_t row) {
        for (; row + Rows <= op.rows; row += Rows)
            for (uint32_t lane = 0; lane < kPanelOutputs; lane += Simd::kLanes) tile<Rows>(op, panel, starts, output, lane, row);
        if constexpr (Rows > 1)
            if (row < op.rows) rows<Rows - 1>(op, panel, starts, output, row);
    }

    // Panels [first, last) for the rows from `from` on.
    static void run(const ops::MatMul& op, const uint8_t* weight, const int32_t* starts, uint32_t first, uint32_t last, uint64_t from = 0) {
        const uint64_t bytes = kShape.panelBytes(op.depth);
        for (uint32_t panel = first; panel < last; ++panel)
            rows<Simd::kRowTile>(op, weight + (panel - first) * bytes, starts, panel * kPanelOutputs, from);
    }

    static void makeStarts(const ops::MatMul& op, int32_t* out, uint32_t first, uint32_t last) {
        constexpr uint32_t kValues = kHalves ? 16 : 32;
        const uint64_t perRow = op.depth / kValues;
        const int8_t* x = RowKernels::at<const int8_t>(op.x);
        for (uint64_t i = first * perRow; i < last * perRow; ++i) {
            int32_t sum = 0;
            for (uint32_t j = 0; j < kValues; ++j) sum += x[i * kValues + j];
            out[i] = kStart * sum;
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
                if (Product::kStart != 0) count = depth / (Product::kHalves ? 16 : 32);
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
