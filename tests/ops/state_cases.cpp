// Ops that carry a state along each sequence: steps of several sequences whose runs are of different lengths or empty, start
// afresh or go on, with states that lie scattered and apart, and rows that belong to nobody.
#include "tests/ops/op_case.h"

namespace steelyard::tests {

namespace {

// Sums and exponentials over a run of some rows, in float32.
constexpr Tolerance kState{Tolerance::Kind::Float, 1e-10, 2e-4};

// Rows of each sequence; those of a negative number start afresh.
using RunRows = std::vector<int32_t>;

struct Step {
    std::vector<ops::SequenceRun> runs;
    uint32_t rows = 1; // a row before, one after and one between the runs belong to nobody
    uint32_t states = 0;
};

Step makeStep(const RunRows& lengths, Random& random) {
    Step step;
    step.states = static_cast<uint32_t>(lengths.size()) + 2;
    std::vector<int32_t> states(step.states);
    for (uint32_t i = 0; i < step.states; ++i) states[i] = static_cast<int32_t>(i);
    for (uint32_t i = step.states - 1; i > 0; --i) std::swap(states[i], states[random.below(i + 1)]);
    for (size_t i = 0; i < lengths.size(); ++i) {
        const int32_t rows = std::abs(lengths[i]);
        step.runs.push_back({static_cast<int32_t>(step.rows), rows, states[i], lengths[i] > 0 ? 1 : 0});
        step.rows += static_cast<uint32_t>(rows) + (i == 0 ? 1u : 0u);
    }
    step.rows += 1;
    return step;
}

std::string runsName(const RunRows& lengths) {
    std::string name = ", runs";
    for (const int32_t length : lengths) name += " " + std::to_string(std::abs(length)) + (length < 0 ? " new" : "");
    return name;
}

// A check with the step's runs and an arena of states, each of `values` values and a gap.
template <class Op>
OpCheck<Op> stateCheck(Op op, const Step& step, size_t values, Random& random) {
    constexpr size_t kGap = 24;
    op.stateStride = (values + kGap) * sizeof(float);
    op.sequences = static_cast<uint32_t>(step.runs.size());
    OpCheck<Op> check(op);
    check.input(&Op::runs, step.runs);
    check.output(&Op::state, random.normals(step.states * (values + kGap)), kState);
    return check;
}

struct Convolution {
    uint32_t channels, width;
    ops::GateFunction function;
    bool bias;
    uint32_t gap; // between the rows of x
    RunRows runs;
};

OpCase convolutionCase(const Convolution& shape) {
    const std::string detail = std::to_string(shape.channels) + " channels, width " + std::to_string(shape.width) + runsName(shape.runs);
    return opCase<ops::CausalConv>(detail, [=](Device& device) {
        Random random(shape.channels + shape.width);
        const Step step = makeStep(shape.runs, random);
        ops::CausalConv op{};
        op.channels = shape.channels;
        op.width = shape.width;
        op.xStride = shape.channels + shape.gap;
        op.function = shape.function;
        auto check = stateCheck(op, step, size_t(shape.width - 1) * shape.channels, random);
        check.input(&ops::CausalConv::x, random.normals(size_t(step.rows) * op.xStride));
        check.input(&ops::CausalConv::weight, random.normals(size_t(shape.channels) * shape.width));
        if (shape.bias) check.input(&ops::CausalConv::bias, random.normals(shape.channels));
        check.output(&ops::CausalConv::y, random.normals(size_t(step.rows) * shape.channels), kState);
        return check.check(device);
    });
}

struct Scan {
    uint16_t heads, groups;
    uint32_t headDim, stateDim;
    bool bias;
    RunRows runs;
};

OpCase scanCase(const Scan& shape) {
    const std::string detail = std::to_string(shape.heads) + " heads of " + std::to_string(shape.headDim) + ", " +
                               std::to_string(shape.groups) + " groups of " + std::to_string(shape.stateDim) + runsName(shape.runs);
    return opCase<ops::SsmScan>(detail, [=](Device& device) {
        Random random(shape.heads * 11 + shape.stateDim);
        const Step step = makeStep(shape.runs, random);
        const uint32_t width = shape.heads * shape.headDim;
        ops::SsmScan op{};
        op.stride = width + 2 * shape.groups * shape.stateDim;
        op.heads = shape.heads;
        op.groups = shape.groups;
        op.headDim = shape.headDim;
        op.stateDim = shape.stateDim;
        auto a = random.normals(shape.heads), dt = random.normals(size_t(step.rows) * shape.heads, 2.0f);
        for (float& value : a) value = -std::exp(value);
        if (!dt.empty()) dt[shape.heads] = 30.0f; // where softplus is the value itself
        auto check = stateCheck(op, step, size_t(width) * shape.stateDim, random);
        check.input(&ops::SsmScan::x, random.normals(size_t(step.rows) * op.stride));
        check.input(&ops::SsmScan::b, random.normals(size_t(step.rows) * op.stride));
        check.input(&ops::SsmScan::c, random.normals(size_t(step.rows) * op.stride));
        check.input(&ops::SsmScan::dtRaw, dt);
        if (shape.bias) check.input(&ops::SsmScan::dtBias, random.normals(shape.heads));
        check.input(&ops::SsmScan::a, a);
        check.input(&ops::SsmScan::d, random.normals(shape.heads));
        check.output(&ops::SsmScan::y, random.normals(size_t(step.rows) * width), kState);
        return check.check(device);
    });
}

struct Delta {
    uint32_t keyHeads, valueHeads, headDimK, headDimV;
    bool gatePerChannel, tiled;
    RunRows runs;
};

OpCase deltaCase(const Delta& shape) {
    std::string detail = std::to_string(shape.valueHeads) + "/" + std::to_string(shape.keyHeads) + " heads of " +
                         std::to_string(shape.headDimK) + "+" + std::to_string(shape.headDimV) + runsName(shape.runs);
    if (shape.gatePerChannel) detail += ", a gate per channel";
    if (shape.tiled) detail += ", tiled";
    return opCase<ops::DeltaRule>(detail, [=](Device& device) {
        Random random(shape.valueHeads * 13 + shape.headDimK);
        const Step step = makeStep(shape.runs, random);
        ops::DeltaRule op{};
        op.keyHeads = shape.keyHeads;
        op.valueHeads = shape.valueHeads;
        op.headDimK = shape.headDimK;
        op.headDimV = shape.headDimV;
        op.gateColumns = shape.gatePerChannel ? shape.headDimK : 1;
        op.tiled = shape.tiled;
        op.scale = 1.0f / std::sqrt(static_cast<float>(shape.headDimK));
        const size_t heads = size_t(step.rows) * shape.valueHeads, keys = size_t(step.rows) * shape.keyHeads * shape.headDimK;
        const float length = 1.0f / std::sqrt(static_cast<float>(shape.headDimK)); // keys of about length one
        auto gate = random.normals(heads * op.gateColumns), beta = random.normals(heads);
        for (float& value : gate) value = -std::fabs(value);
        for (float& value : beta) value = 1.0f / (1.0f + std::exp(-value));
        auto check = stateCheck(op, step, size_t(shape.valueHeads) * shape.headDimV * shape.headDimK, random);
        check.input(&ops::DeltaRule::q, random.normals(keys, length));
        check.input(&ops::DeltaRule::k, random.normals(keys, length));
        check.input(&ops::DeltaRule::v, random.normals(heads * shape.headDimV));
        check.input(&ops::DeltaRule::gate, gate);
        check.input(&ops::DeltaRule::beta, beta);
        check.output(&ops::DeltaRule::y, random.normals(heads * shape.headDimV), kState);
        return check.check(device);
    });
}

} // namespace

std::vector<OpCase> stateCases() {
    using ops::GateFunction;
    std::vector<OpCase> cases;
    cases.push_back(convolutionCase({70, 4, GateFunction::Silu, true, 0, {5, 0, -1, 3, -9}}));
    cases.push_back(convolutionCase({33, 2, GateFunction::Identity, false, 7, {1}}));
    cases.push_back(convolutionCase({300, 3, GateFunction::Silu, false, 20, {-2, 1, 1}}));
    cases.push_back(convolutionCase({16, 8, GateFunction::Identity, true, 0, {-3, 2, 20}}));
    cases.push_back(scanCase({4, 2, 8, 16, true, {5, 0, -1, 3, -9}}));
    cases.push_back(scanCase({3, 1, 10, 128, false, {1}}));
    cases.push_back(scanCase({2, 2, 5, 40, true, {-17, 1}}));
    cases.push_back(scanCase({2, 1, 3, 256, true, {-2, 2}}));
    cases.push_back(deltaCase({2, 4, 16, 8, false, false, {5, 0, -1, 3, -9}}));
    cases.push_back(deltaCase({2, 4, 128, 20, false, true, {1}}));
    cases.push_back(deltaCase({2, 2, 40, 12, true, false, {-17, 1}}));
    cases.push_back(deltaCase({1, 2, 256, 3, true, false, {-2, 2}}));
    return cases;
}

} // namespace steelyard::tests
