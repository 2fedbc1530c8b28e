// Products: every format in a few shapes, one format of each class in all: depths that are multiples of 32 and of 256, few
// and many rows, bias and residual, sums beyond what half precision holds, and Gemma's whole head.
#include "tests/ops/op_case.h"

#include <algorithm>

namespace steelyard::tests {

namespace {

struct Shape {
    uint32_t rows, outputs, depth;
    bool bias = false, residual = false;
    float size = 1.0f; // of the activations
};

// Sums grow far beyond 65,504, the largest number in half precision; with the second size the activations do too.
constexpr float kLargeSums = 4000.0f, kLargeValues = 200000.0f;

std::string runProduct(Device& device, TensorType type, const Shape& shape, bool fileLayout) {
    Random random(uint64_t(type) * 1000003 + shape.rows * 4099 + shape.outputs * 17 + shape.depth);
    const auto a = randomActivations(shape.rows, shape.depth, ops::planesOf(device.activationFor(type)), random, shape.size);
    const size_t outputs = size_t(shape.rows) * shape.outputs;
    ops::MatMul op{};
    op.rows = shape.rows;
    op.outputs = shape.outputs;
    op.depth = shape.depth;
    op.type = static_cast<uint32_t>(type);
    op.layout = fileLayout ? 0 : device.weightLayout(type, shape.outputs, shape.depth).layout;
    op.activation = device.activationFor(type);
    OpCheck<ops::MatMul> check(op);
    check.input(&ops::MatMul::weight, randomWeight(type, shape.outputs, shape.depth, random));
    check.weight(&ops::MatMul::weight, type, op.layout, shape.outputs, shape.depth);
    check.activations(a);
    if (shape.bias) check.input(&ops::MatMul::bias, random.normals(shape.outputs));
    check.output(&ops::MatMul::y, random.normals(outputs), kProduct);
    if (shape.residual) check.same(&ops::MatMul::residual, &ops::MatMul::y);
    return check.check(device);
}

OpCase productCase(TensorType type, const Shape& shape, bool fileLayout = false) {
    OpCase row;
    row.name = "mat_mul " + std::string(info(type).name) + " [" + std::to_string(shape.rows) + ", " +
               std::to_string(shape.outputs) + ", " + std::to_string(shape.depth) + "]" + (shape.bias ? " bias" : "") +
               (shape.residual ? " residual" : "") + (shape.size > 1.0f ? " of size " + std::to_string(static_cast<int>(shape.size)) : "") +
               (fileLayout ? " as in the file" : "");
    row.op = ops::opId<ops::MatMul>;
    row.type = type;
    row.large = uint64_t(shape.outputs) * shape.depth > 50'000'000;
    row.run = [=](Device& device) { return runProduct(device, type, shape, fileLayout); };
    return row;
}

// One format for each product class, and codes of eight bits, which processors multiply in a way of their own: these get
// every shape.
constexpr TensorType kAllShapes[] = {TensorType::F16, TensorType::Q4_0, TensorType::Q4_1, TensorType::Q6_K, TensorType::Q2_K, TensorType::Q8_0};

} // namespace

std::vector<OpCase> productCases() {
    std::vector<OpCase> cases;
    for (const auto type : kAllShapes) {
        for (uint32_t rows : {1u, 2u, 3u, 8u, 17u, 33u}) cases.push_back(productCase(type, {rows, 70, 512}));
        cases.push_back(productCase(type, {7, 130, 768, true, true}));
        cases.push_back(productCase(type, {40, 64, 256, false, true}));
        cases.push_back(productCase(type, {1, 33, 1536, true, true}));
        if (info(type).blockValues > 32) continue; // depths that are multiples of 32 but not of 256 (SmolLM2: 576)
        cases.push_back(productCase(type, {1, 97, 576}));
        cases.push_back(productCase(type, {12, 64, 576}));
        cases.push_back(productCase(type, {3, 5, 32}));
    }
    kernels::AllFormats::forEach([&]<class Format>() {
        const auto type = static_cast<TensorType>(Format::typeId);
        cases.push_back(productCase(type, {1, 33, 512, true, true}));
        cases.push_back(productCase(type, {4, 37, 512})); // more rows give the same bits (test_row_invariance.cpp)
        if (Format::blockValues < 256) cases.push_back(productCase(type, {4, 1, std::max(32u, Format::blockValues) * 3, true, false}));
    });
    for (const auto type : {TensorType::F32, TensorType::F16, TensorType::BF16, TensorType::Q4_0, TensorType::Q6_K, TensorType::Q8_0})
        for (const uint32_t rows : {1u, 20u})
            for (const float size : {kLargeSums, kLargeValues}) cases.push_back(productCase(type, {rows, 40, 1024, true, true, size}));
    // The file's order, of blocks at multiples of 16, 4 and 2 bytes, and at odd addresses.
    for (const auto type : {TensorType::F32, TensorType::Q4_K, TensorType::Q4_1, TensorType::Q6_K, TensorType::IQ2_S, TensorType::MXFP4}) {
        cases.push_back(productCase(type, {1, 48, 512}, true));
        cases.push_back(productCase(type, {9, 41, 512}, true));
    }
    cases.push_back(productCase(TensorType::Q8_0, {1, 262144, 640}));
    cases.push_back(productCase(TensorType::Q4_1, {2, 49152, 576}));
    return cases;
}

} // namespace steelyard::tests
