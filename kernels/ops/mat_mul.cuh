// The product's kernel, written once and built per format (a translation unit each).
//
// A warp computes a tile of kRows x kOutputs. Lane l takes the groups (32 values; 8 of a float format) l, l + 32, ... of
// the weight's row, unpacks each once for all rows of the tile, and keeps its own sums; at the end the lanes' sums meet in
// a butterfly. Deep rows are split over 2 or 4 warps, whose sums are added in order. The split depends on the depth alone
// and the order of a sum on nothing else, so that all tile sizes give the same numbers. Integer formats multiply codes with
// codes (four an instruction) and scale per group. Bound: the weight's bytes for few rows (each is read once per kRows
// rows), integer arithmetic for many.
#pragma once

#include "kernels/device/arithmetic.h"
#include "kernels/device/vector_load.h"
#include "kernels/ops/mat_mul_format.cuh"

namespace steelyard::kernels {

namespace {

constexpr bool isFloatFormat(ProductClass productClass) { return productClass == ProductClass::Float; }

// Warps that share a row of this many groups. Part of the definition of the sum's order.
__host__ __device__ inline uint32_t warpsOfDepth(uint32_t groups) { return groups >= 128 ? 4 : groups >= 64 ? 2 : 1; }

// What a lane multiplies, one per class and kind of activation: the number of groups in a row, and add(), which adds the
// products of one group to the tile's sums.
template <class Format, ops::Activation activation, uint32_t kRows, uint32_t kOutputs>
struct TileProduct;

// The rows of a tile; those beyond the edge repeat the last one.
template <uint32_t count>
struct TileRows {
    uint64_t index[count];

    TileRows() = default;
    __host__ __device__ TileRows(uint64_t first, uint32_t rows) {
        for (uint32_t i = 0; i < count; ++i) index[i] = first + i < rows ? first + i : rows - 1;
    }
};

// Float weights with float activations, eight values at a time.
template <class Format, uint32_t kRows, uint32_t kOutputs>
    requires(isFloatFormat(Format::productClass))
struct TileProduct<Format, ops::Activation::Float, kRows, kOutputs> {
    static __host__ __device__ uint32_t groups(const ops::MatMul& op) { return (op.depth + 7) / 8; }

    static __host__ __device__ void load(const uint8_t* row, bool aligned, uint32_t group, uint32_t depth, float (&out)[8]) {
        if (aligned) {
            loadEight<Format>(row, group * 8, out);
            return;
        }
        for (uint32_t i = 0; i < 8; ++i) out[i] = group * 8 + i < depth ? Format::load(row, group * 8 + i) : 0.0f;
    }

    static __host__ __device__ void add(const ops::MatMul& op, const TileRows<kRows>& rows, const TileRows<kOutputs>& outputs,
                                        uint32_t group, float (&sums)[kRows * kOutputs]) {
        const bool aligned = op.depth % 8 == 0 && ((op.weight | op.x) & 15u) == 0;
        const auto* weights = ops::at<const uint8_t>(op.weight);
        float weight[kOutputs][8];
        for (uint32_t o = 0; o < kOutputs; ++o)
            load(weights + outputs.index[o] * op.depth * Format::blockBytes, aligned, group, op.depth, weight[o]);
        for (uint32_t r = 0; r < kRows; ++r) {
            const auto* xRow = ops::at<const uint8_t>(op.x) + rows.index[r] * op.depth * sizeof(float);
            float x[8];
            TileProduct<F32, ops::Activation::Float, kRows, kOutputs>::load(xRow, aligned, group, op.depth, x);
            for (uint32_t o = 0; o < kOutputs; ++o)
                for (uint32_t i = 0; i < 8; ++i)
                    sums[r * kOutputs + o] = multiplyAdd(weight[o][i], x[i], sums[r * kOutputs + o]);
        }
    }
};

// Integer weights with float activations: the weight is expanded.
template <class Format, uint32_t kRows, uint32_t kOutputs>
    requires(!isFloatFormat(Format::productClass))
struct TileProduct<Format, ops::Activation::Float, kRows, kOutputs> {
    static __host__ __device__ uint32_t groups(const ops::MatMul& op) { return op.depth / 32; }

    static __host__ __device__ void add(const ops::MatMul& op, const TileRows<kRows>& rows, const TileRows<kOutputs>& outputs,
                                        uint32_t group, float (&sums)[kRows * kOutputs]) {
        const uint64_t rowBytes = uint64_t(op.depth / Format::blockValues) * Format::blockBytes;
        for (uint32_t o = 0; o < kOutputs; ++o) {
            Unpacked32 weight;
            loadGroup<Format>(ops::at<const uint8_t>(op.weight) + outputs.index[o] * rowBytes, group, weight);
            for (uint32_t r = 0; r < kRows; ++r) {
                const float* x = ops::at<const float>(op.x) + rows.index[r] * op.depth + group * 32;
                for (uint32_t i = 0; i < 32; ++i) {
                    const float value = multiplyAdd(weight.scale[i / 16], weight.codes[i], weight.minimum[i / 16]);
                    sums[r * kOutputs + o] = multiplyAdd(value, x[i], sums[r * kOutputs + o]);
                }
            }
        }
    }
};

// Integer weights with 8-bit activations in one or two planes.
template <class Format, ops::Activation activation, uint32_t kRows, uint32_t kOutputs>
    requires(!isFloatFormat(Format::productClass) && activation != ops::Activation::Float)
struct TileProduct<Format, activation, kRows, kOutputs> {
    static constexpr uint32_t kPlanes = activation == ops::Activation::Int8Pair ? 2 : 1;
    struct Group {
        uint32_t codes[8]; // four to a word
        float scale[2], minimum[2];
    };
    struct Codes {
        alignas(16) uint32_t words[kPlanes][8];
    };

    static __host__ __device__ uint32_t groups(const ops::MatMul& op) { return op.depth / 32; }

    // Sums of weight codes times activation codes for words from..to-1, the planes weighed.
    static __host__ __device__ float dot(const uint32_t (&weight)[8], const Codes& x, uint32_t from, uint32_t to) {
        int32_t sum = 0;
        for (uint32_t i = from; i < to; ++i) sum = dotBytes(weight[i], x.words[0][i], sum);
        if constexpr (kPlanes == 1) {
            return static_cast<float>(sum);
        } else {
            int32_t rest = 0;
            for (uint32_t i = from; i < to; ++i) rest = dotBytes(weight[i], x.words[1][i], rest);
            return multiplyAdd(static_cast<float>(rest), 1.0f / kPlaneSteps, static_cast<float>(sum));
        }
    }

    static __host__ __device__ float product(const Group& weight, const Codes& x, float scale, float xSum, float sum) {
        constexpr ProductClass productClass = Format::productClass;
        if constexpr (productClass == ProductClass::Scale32 || productClass == ProductClass::ScaleMin32) {
            if constexpr (productClass == ProductClass::ScaleMin32) sum = multiplyAdd(weight.minimum[0], xSum, sum);
            return multiplyAdd(weight.scale[0] * scale, dot(weight.codes, x, 0, 8), sum);
        } else {
            float both = weight.scale[0] * dot(weight.codes, x, 0, 4);
            both = multiplyAdd(weight.scale[1], dot(weight.codes, x, 4, 8), both);
            if constexpr (productClass == ProductClass::ScaleMin16) {
                constexpr uint32_t kOne = 0x01010101u;
                constexpr uint32_t kOnes[8] = {kOne, kOne, kOne, kOne, kOne, kOne, kOne, kOne};
                both = multiplyAdd(weight.minimum[0], dot(kOnes, x, 0, 4), both);
                both = multiplyAdd(weight.minimum[1], dot(kOnes, x, 4, 8), both);
            }
            return multiplyAdd(scale, both, sum);
        }
    }

    static __host__ __device__ void add(const ops::MatMul& op, const TileRows<kRows>& rows, const TileRows<kOutputs>& outputs,
                                        uint32_t group, float (&sums)[kRows * kOutputs]) {
        const uint64_t rowBytes = uint64_t(op.depth / Format::blockValues) * Format::blockBytes;
        Group weight[kOutputs];
        for (uint32_t o = 0; o < kOutputs; ++o) {
            Unpacked32 values;
            loadGroup<Format>(ops::at<const uint8_t>(op.weight) + outputs.index[o] * rowBytes, group, values);
            memcpy(weight[o].codes, values.codes, sizeof weight[o].codes);
            memcpy(weight[o].scale, values.scale, sizeof weight[o].scale);
            memcpy(weight[o].minimum, values.minimum, sizeof weight[o].minimum);
        }
        for (uint32_t r = 0; r < kRows; ++r) {
            Codes x;
            for (uint32_t plane = 0; plane < kPlanes; ++plane) {
                const uint64_t first = (rows.index[r] * kPlanes + plane) * op.depth + group * 32;
                loadBytes<32>(ops::at<const int8_t>(op.x) + first, x.words[plane]);
            }
            const uint64_t block = rows.index[r] * (op.depth / 32) + group;
            const float scale = ops::at<const float>(op.xScales)[block];
            const float xSum = Format::productClass == ProductClass::ScaleMin32 ? ops::at<const float>(op.xSums)[block] : 0.0f;
            for (uint32_t o = 0; o < kOutputs; ++o)
                sums[r * kOutputs + o] = product(weight[o], x, scale, xSum, sums[r * kOutputs + o]);
        }
    }
};

template <class Format, ops::Activation activation, uint32_t kRows, uint32_t kOutputs>
struct MatMulKernel {
    static constexpr uint32_t kThreads = 128, kWarps = kThreads / 32, kSums = kRows * kOutputs;
    static_assert(kSums <= 32, "a lane stores one value of the tile");
    using Product = TileProduct<Format, activation, kRows, kOutputs>;
    struct Shared {
        float sums[kWarps][kSums];
    };

    // Outputs of a block.
    static __host__ __device__ uint32_t outputsPerBlock(const ops::MatMul& op) { return kWarps / warpsOfDepth(Product::groups(op)) * kOutputs; }

    // Multiplies `count` rows with the outputs of block `outputBlock`; calls store(row of the tile, output, sum) by the lanes
    // that have one. All threads of a block call it with the same arguments, and meet at a barrier before the next call.
    template <class Store>
    static __device__ void multiply(const Thread& thread, Shared& shared, const ops::MatMul& op, uint32_t outputBlock,
                                    const TileRows<kRows>& rows, uint32_t count, Store&& store) {
        const uint32_t groups = Product::groups(op), warps = warpsOfDepth(groups), part = thread.warp() % warps;
        const uint32_t firstOutput = (outputBlock * (kWarps / warps) + thread.warp() / warps) * kOutputs;
        const TileRows<kOutputs> outputs(firstOutput, op.outputs);
        float sums[kSums] = {};
        for (uint32_t group = part * 32 + thread.lane(); group < groups; group += warps * 32)
            Product::add(op, rows, outputs, group, sums);
        float mine = thread.warpSums(sums); // lane i has value i of the tile
        const uint32_t lane = thread.lane();
        if (warps > 1) { // the same for the whole block
            if (lane < kSums) shared.sums[thread.warp()][lane] = mine;
            thread.barrier();
            if (part != 0 || lane >= kSums) return;
            for (uint32_t other = 1; other < warps; ++other) mine += shared.sums[thread.warp() + other][lane];
        }
        const uint32_t row = lane / kOutputs, output = firstOutput + lane % kOutputs;
        if (lane < kSums && row < count && output < op.outputs) store(row, output, mine);
    }

    static __device__ void run(const Thread& thread, Shared& shared, const ops::MatMul& op) {
        const uint32_t firstRow = thread.blockY() * kRows;
        const TileRows<kRows> rows(firstRow, op.rows);
        multiply(thread, shared, op, thread.blockX(), rows, op.rows - firstRow, [&](uint32_t row, uint32_t output, float sum) {
            const uint64_t index = uint64_t(firstRow + row) * op.outputs + output;
            if (op.bias) sum += ops::at<const float>(op.bias)[output];
            if (op.residual) sum += ops::at<const float>(op.residual)[index];
            ops::at<float>(op.y)[index] = sum;
        });
    }
};

// Weights that are expanded to floats leave no registers for the largest tile.
template <class Format, ops::Activation activation>
constexpr bool hasLargestTile = activation != ops::Activation::Float || isFloatFormat(Format::productClass);

// The tile sizes, by rows: one table for all formats.
template <class Format, ops::Activation activation>
void launchTiles(const ops::MatMul& op, void* stream) {
    const auto start = [&]<class Kernel>(uint32_t rowsPerTile) {
        launch<Kernel>({blocksFor(op.outputs, Kernel::outputsPerBlock(op)), blocksFor(op.rows, rowsPerTile)}, stream, op);
    };
    constexpr bool hasLargest = hasLargestTile<Format, activation>;
    if (op.rows == 1) {
        start.template operator()<MatMulKernel<Format, activation, 1, 1>>(1);
    } else if (op.rows == 2) {
        start.template operator()<MatMulKernel<Format, activation, 2, 1>>(2);
    } else if (op.rows <= 4 || !hasLargest) {
        start.template operator()<MatMulKernel<Format, activation, 4, 2>>(4);
    } else if constexpr (hasLargest) {
        start.template operator()<MatMulKernel<Format, activation, 8, 4>>(8);
    }
}

// Calls start.template operator()<activation>() for the kind of activation of a product; or says why the format cannot.
template <class Format, class Start>
const char* withActivation(uint64_t weight, uint64_t x, ops::Activation activation, Start&& start) {
    constexpr bool isFloat = isFloatFormat(Format::productClass);
    if (!isFloat && (weight | x) % 16 != 0) return "its weights or activations are not aligned to 16 bytes";
    if (activation == ops::Activation::Float) {
        start.template operator()<ops::Activation::Float>();
        return nullptr;
    }
    if constexpr (isFloat) {
        return "it multiplies floating-point weights with floating-point activations only";
    } else {
        if (activation == ops::Activation::Int8Pair) start.template operator()<ops::Activation::Int8Pair>();
        else start.template operator()<ops::Activation::Int8>();
        return nullptr;
    }
}

} // namespace

template <class AnyTarget, class Format>
const char* MatMulFormat<AnyTarget, Format>::launchProduct(const ops::MatMul& op, void* stream) {
    return withActivation<Format>(op.weight, op.x, op.activation, [&]<ops::Activation activation>() {
        launchTiles<Format, activation>(op, stream);
    });
}

} // namespace steelyard::kernels
