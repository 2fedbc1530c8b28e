// Mixtures of experts: the choice of experts with ties, groups and biases; products of few and many rows with chosen, absent
// and given experts in every format; the weighted sum of what they gave.
#include "tests/ops/op_case.h"

namespace steelyard::tests {

namespace {

using ops::RouteFunction;

struct Choice {
    uint32_t rows, experts, used;
    RouteFunction function;
    bool normalise = false;
    uint32_t groups = 1, groupsUsed = 1;
    bool bias = false, expertScales = false;
    float scale = 1.0f;
};

std::string runRoute(Device& device, const Choice& choice) {
    Random random(choice.experts * 37 + choice.used);
    ops::Route op{};
    op.rows = choice.rows;
    op.experts = choice.experts;
    op.used = choice.used;
    op.groups = choice.groups;
    op.groupsUsed = choice.groupsUsed;
    op.function = choice.function;
    op.normalise = choice.normalise;
    op.scale = choice.scale;
    const size_t used = size_t(choice.rows) * choice.used;
    auto logits = random.normals(size_t(choice.rows) * choice.experts, 2.0f);
    for (uint32_t e = 0; e < choice.experts; ++e) // a row full of ties, where there is more than one
        if (choice.rows > 1) logits[choice.experts + e] = std::floor(logits[choice.experts + e]);
    OpCheck<ops::Route> check(op);
    check.input(&ops::Route::logits, logits);
    if (choice.bias) check.input(&ops::Route::bias, random.normals(choice.experts, 0.2f));
    if (choice.expertScales) check.input(&ops::Route::expertScales, random.normals(choice.experts));
    check.output(&ops::Route::ids, std::vector<int32_t>(used, -7), Tolerance{});
    check.output(&ops::Route::weights, std::vector<float>(used), kFunction);
    return check.check(device);
}

OpCase routeCase(const Choice& choice) {
    const char* functions[] = {"softmax", "sigmoid", "softmax of chosen", "square root of softplus"};
    std::string detail = std::to_string(choice.rows) + " rows, " + std::to_string(choice.used) + " of " +
                         std::to_string(choice.experts) + ", " + functions[static_cast<uint32_t>(choice.function)];
    if (choice.groups > 1) detail += ", " + std::to_string(choice.groupsUsed) + " of " + std::to_string(choice.groups) + " groups";
    return opCase<ops::Route>(detail, [=](Device& device) { return runRoute(device, choice); });
}

struct Shape {
    uint32_t rows, slots, experts, outputs, depth;
    bool oneInput = true; // all slots read the same row
    bool ids = true, bias = false;
    uint32_t gap = 0; // values between the results of two slots
    bool fileLayout = false;
};

std::string runProduct(Device& device, TensorType type, const Shape& shape) {
    Random random(uint64_t(type) * 1009 + shape.rows * 31 + shape.outputs);
    ops::ExpertMatMul op{};
    op.rows = shape.rows;
    op.slots = shape.slots;
    op.inputSlots = shape.oneInput ? 1 : shape.slots;
    op.experts = shape.experts;
    op.outputs = shape.outputs;
    op.depth = shape.depth;
    op.yStride = shape.outputs + shape.gap;
    op.type = static_cast<uint32_t>(type);
    const auto layout = device.weightLayout(type, shape.outputs, shape.depth);
    op.layout = shape.fileLayout ? 0 : layout.layout;
    op.expertStride = op.layout ? layout.bytes : shape.outputs * kernels::rowBytes(op.type, op.depth);
    op.activation = device.activationFor(type);
    const uint32_t items = shape.rows * shape.slots;
    std::vector<int32_t> ids(items);
    for (auto& id : ids) id = static_cast<int32_t>(random.below(shape.experts));
    if (items > 2) ids[1] = -1;
    if (items > 4) ids[items - 1] = static_cast<int32_t>(shape.experts);
    OpCheck<ops::ExpertMatMul> check(op);
    check.input(&ops::ExpertMatMul::weight, randomWeight(type, uint64_t(shape.experts) * shape.outputs, shape.depth, random));
    check.weight(&ops::ExpertMatMul::weight, type, op.layout, shape.outputs, shape.depth, shape.experts);
    check.activations(randomActivations(shape.rows * op.inputSlots, shape.depth, ops::planesOf(op.activation), random));
    if (shape.ids) check.input(&ops::ExpertMatMul::ids, ids);
    if (shape.bias) check.input(&ops::ExpertMatMul::bias, random.normals(size_t(shape.experts) * shape.outputs));
    check.output(&ops::ExpertMatMul::y, random.normals(size_t(items) * op.yStride), kProduct);
    return check.check(device);
}

OpCase productCase(TensorType type, const Shape& shape) {
    std::string detail = std::string(info(type).name) + " [" + std::to_string(shape.rows) + ", " + std::to_string(shape.slots) +
                         " of " + std::to_string(shape.experts) + ", " + std::to_string(shape.outputs) + ", " +
                         std::to_string(shape.depth) + "]";
    if (!shape.ids) detail += " a matrix per slot";
    if (shape.bias) detail += " bias";
    if (shape.gap) detail += " apart";
    if (shape.fileLayout) detail += " as in the file";
    OpCase row = opCase<ops::ExpertMatMul>(detail, [=](Device& device) { return runProduct(device, type, shape); });
    row.type = type;
    return row;
}

struct Sum {
    uint32_t rows, slots, columns;
    bool weighted = true, residual = false;
};

OpCase sumCase(const Sum& sum) {
    std::string detail = "[" + std::to_string(sum.rows) + ", " + std::to_string(sum.slots) + ", " + std::to_string(sum.columns) + "]";
    if (!sum.weighted) detail += " unweighted";
    if (sum.residual) detail += " residual";
    return opCase<ops::CombineExperts>(detail, [=](Device& device) {
        Random random(sum.rows * 7 + sum.columns);
        const size_t values = size_t(sum.rows) * sum.columns, slots = size_t(sum.rows) * sum.slots;
        ops::CombineExperts op{};
        op.rows = sum.rows;
        op.slots = sum.slots;
        op.columns = sum.columns;
        OpCheck<ops::CombineExperts> check(op);
        check.input(&ops::CombineExperts::x, random.normals(slots * sum.columns));
        if (sum.weighted) check.input(&ops::CombineExperts::weights, random.normals(slots));
        check.output(&ops::CombineExperts::y, random.normals(values), kFunction);
        if (sum.residual) check.same(&ops::CombineExperts::residual, &ops::CombineExperts::y);
        return check.check(device);
    });
}

} // namespace

std::vector<OpCase> expertCases() {
    std::vector<OpCase> cases;
    cases.push_back(routeCase({1, 8, 2, RouteFunction::Softmax, true}));
    cases.push_back(routeCase({5, 128, 8, RouteFunction::Softmax}));
    cases.push_back(routeCase({4, 60, 4, RouteFunction::Softmax, false, 1, 1, false, true, 0.5f}));
    cases.push_back(routeCase({3, 256, 8, RouteFunction::Sigmoid, true, 8, 4, true, false, 2.5f}));
    cases.push_back(routeCase({2, 6, 3, RouteFunction::Sigmoid, false, 6, 3}));
    cases.push_back(routeCase({9, 32, 4, RouteFunction::SoftmaxOfChosen}));
    cases.push_back(routeCase({2, 1024, 32, RouteFunction::SqrtSoftplus, true, 1, 1, true}));
    cases.push_back(routeCase({3, 3, 3, RouteFunction::Softmax, true}));
    kernels::AllFormats::forEach([&]<class Format>() {
        const auto type = static_cast<TensorType>(Format::typeId);
        cases.push_back(productCase(type, {7, 2, 3, 33, 256, false, true, true}));
    });
    for (const auto type : {TensorType::Q4_0, TensorType::Q5_1, TensorType::Q4_K, TensorType::Q6_K, TensorType::F16}) {
        cases.push_back(productCase(type, {1, 3, 6, 37, 256}));
        cases.push_back(productCase(type, {2, 4, 16, 70, 2048, false, true, true, 5}));
        cases.push_back(productCase(type, {45, 2, 4, 70, 1024, true, true, false, 3}));
        cases.push_back(productCase(type, {3, 4, 4, 40, 512, false, false}));
        cases.push_back(productCase(type, {1, 5, 5, 24, 256, false, false, true}));
        cases.push_back(productCase(type, {3, 2, 4, 50, 512, true, true, false, 0, true}));
    }
    cases.push_back(productCase(TensorType::MXFP4, {5, 4, 32, 45, 96, true, true, true}));
    cases.push_back(productCase(TensorType::F32, {3, 2, 2, 9, 30, false, false}));
    for (const Sum& sum : {Sum{1, 8, 576}, {5, 2, 100, false, true}, {3, 4, 33, true, true}, {2, 1, 64}}) cases.push_back(sumCase(sum));
    return cases;
}

} // namespace steelyard::tests
