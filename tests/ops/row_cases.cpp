// The ops that work row by row: sums, gates, norms (also of rows that lie apart), rotary embedding, lookups, quantization of
// rows, soft cap.
#include "tests/ops/op_case.h"

namespace steelyard::tests {

namespace {

// Devices form sine and cosine of angles up to some thousands in float32.
constexpr Tolerance kAngle{Tolerance::Kind::Float, 1e-8, 5e-3};

struct Size {
    uint32_t rows, columns;
};

std::string sizeName(const Size& size) { return "[" + std::to_string(size.rows) + ", " + std::to_string(size.columns) + "]"; }

void addSums(std::vector<OpCase>& cases, const Size& size) {
    const size_t count = size_t(size.rows) * size.columns;
    cases.push_back(opCase<ops::Add>(sizeName(size), [=](Device& device) {
        Random random(count);
        const ops::Add op = ops::sumOf(0, 0, 0, size.rows, size.columns);
        OpCheck<ops::Add> check(op);
        check.input(&ops::Add::b, random.normals(count));
        check.output(&ops::Add::y, random.normals(count), kExactSum);
        return check.same(&ops::Add::a, &ops::Add::y).check(device);
    }));
    for (const auto function : {ops::GateFunction::Silu, ops::GateFunction::Gelu}) {
        const char* name = function == ops::GateFunction::Silu ? " silu" : " gelu";
        cases.push_back(opCase<ops::GatedActivation>(sizeName(size) + name, [=](Device& device) {
            Random random(count + 1);
            const ops::GatedActivation op = ops::gatedActivationOf(0, 0, 0, size.rows, size.columns, function);
            auto gate = random.normals(count, 4.0f);
            gate[0] = 200.0f; // far out on both sides: no overflow may show
            if (count > 1) gate[1] = -200.0f;
            OpCheck<ops::GatedActivation> check(op);
            check.input(&ops::GatedActivation::up, random.normals(count));
            check.output(&ops::GatedActivation::y, gate, kFunction);
            return check.same(&ops::GatedActivation::gate, &ops::GatedActivation::y).check(device);
        }));
    }
    cases.push_back(opCase<ops::SoftCap>(sizeName(size), [=](Device& device) {
        Random random(count + 2);
        ops::SoftCap op{};
        op.rows = size.rows;
        op.columns = size.columns;
        op.cap = 30.0f;
        OpCheck<ops::SoftCap> check(op);
        check.output(&ops::SoftCap::y, random.normals(count, 40.0f), kFunction);
        return check.same(&ops::SoftCap::x, &ops::SoftCap::y).check(device);
    }));
}

// `block` values turn together.
void addHadamard(std::vector<OpCase>& cases, uint32_t rows, uint32_t columns, uint32_t block) {
    const std::string detail = std::to_string(rows) + " rows of " + std::to_string(columns) + ", runs of " + std::to_string(block);
    cases.push_back(opCase<ops::Hadamard>(detail, [=](Device& device) {
        Random random(rows + columns);
        OpCheck<ops::Hadamard> check(ops::Hadamard{0, rows, columns, block, 0});
        return check.output(&ops::Hadamard::x, random.normals(size_t(rows) * columns), kExactSum).check(device);
    }));
}

void addNorms(std::vector<OpCase>& cases, const Size& size) {
    const size_t count = size_t(size.rows) * size.columns;
    for (const bool weighted : {true, false})
        cases.push_back(opCase<ops::RmsNorm>(sizeName(size) + (weighted ? " weighted, in place" : ""), [=](Device& device) {
            Random random(count + 3);
            const ops::RmsNorm op = ops::rmsNormOf(0, 0, 0, size.rows, size.columns, 1e-5f);
            auto x = random.normals(count);
            for (uint32_t i = 0; i < size.columns; ++i) x[i] *= 1e-3f; // epsilon matters in the first row
            OpCheck<ops::RmsNorm> check(op);
            if (!weighted) {
                check.input(&ops::RmsNorm::x, x);
                check.output(&ops::RmsNorm::y, std::vector<float>(count), kFunction);
                return check.check(device);
            }
            check.input(&ops::RmsNorm::weight, random.normals(size.columns));
            check.output(&ops::RmsNorm::y, x, kFunction);
            return check.same(&ops::RmsNorm::x, &ops::RmsNorm::y).check(device);
        }));
}

// Rows whose squares, and the sums of them, are far beyond half precision.
void addLargeNorms(std::vector<OpCase>& cases) {
    constexpr Size kSize{3, 2048};
    constexpr size_t kCount = size_t(kSize.rows) * kSize.columns;
    const auto large = [](uint64_t seed) {
        Random random(seed);
        auto x = random.normals(kCount, 70000.0f);
        for (uint32_t i = 0; i < kSize.columns; ++i) x[i] *= 1e5f; // and of the first row far more so
        return x;
    };
    cases.push_back(opCase<ops::RmsNorm>("rows of large values", [=](Device& device) {
        Random random(8);
        OpCheck<ops::RmsNorm> check(ops::rmsNormOf(0, 0, 0, kSize.rows, kSize.columns, 1e-5f));
        check.input(&ops::RmsNorm::weight, random.normals(kSize.columns));
        return check.output(&ops::RmsNorm::y, large(9), kFunction).same(&ops::RmsNorm::x, &ops::RmsNorm::y).check(device);
    }));
    cases.push_back(opCase<ops::LayerNorm>("rows of large values", [=](Device& device) {
        ops::LayerNorm op{};
        op.rows = kSize.rows;
        op.columns = kSize.columns;
        op.weightRows = 1;
        op.epsilon = 1e-5f;
        Random random(10);
        OpCheck<ops::LayerNorm> check(op);
        check.input(&ops::LayerNorm::weight, random.normals(kSize.columns));
        return check.output(&ops::LayerNorm::y, large(11), kFunction).same(&ops::LayerNorm::x, &ops::LayerNorm::y).check(device);
    }));
}

struct StridedSum {
    Size size;
    uint32_t aStride, bStride, yStride;
    bool second = true;
};

void addStridedSum(std::vector<OpCase>& cases, const StridedSum& sum) {
    std::string detail = sizeName(sum.size) + " apart by " + std::to_string(sum.aStride) + ", " + std::to_string(sum.bStride) + ", " +
                         std::to_string(sum.yStride);
    if (!sum.second) detail += ", one array";
    cases.push_back(opCase<ops::Add>(detail, [=](Device& device) {
        Random random(sum.size.rows * 7 + sum.yStride);
        const ops::Add op{0, 0, 0, sum.size.rows, sum.size.columns, sum.aStride, sum.bStride, sum.yStride, 0.5f, -2.0f, 0};
        OpCheck<ops::Add> check(op);
        check.input(&ops::Add::a, random.normals(size_t(sum.size.rows) * sum.aStride));
        if (sum.second) check.input(&ops::Add::b, random.normals(sum.bStride ? size_t(sum.size.rows) * sum.bStride : sum.size.columns));
        check.output(&ops::Add::y, random.normals(size_t(sum.size.rows) * sum.yStride), kExactSum);
        return check.check(device);
    }));
}

// A gate that is no ordinary one: the op without its addresses, and whether it has an `up`.
void addGate(std::vector<OpCase>& cases, const std::string& detail, const ops::GatedActivation& op, bool hasUp) {
    cases.push_back(opCase<ops::GatedActivation>(sizeName({op.rows, op.columns}) + " " + detail, [=](Device& device) {
        Random random(op.rows * 5 + op.columns + op.upRepeat);
        OpCheck<ops::GatedActivation> check(op);
        check.input(&ops::GatedActivation::gate, random.normals(size_t(op.rows) * op.gateStride, 4.0f));
        const size_t upRows = op.upStride ? op.rows / op.upRepeat + 1 : 1;
        if (hasUp) check.input(&ops::GatedActivation::up, random.normals(upRows * std::max(op.upStride, op.columns), 2.0f));
        check.output(&ops::GatedActivation::y, random.normals(size_t(op.rows) * op.yStride), kFunction);
        return check.check(device);
    }));
}

void addGates(std::vector<OpCase>& cases) {
    using ops::GateFunction;
    const char* names[] = {"silu", "gelu", "sigmoid", "squared", "identity", "soft plus"};
    for (uint32_t number = 0; number < std::size(names); ++number) {
        const auto function = static_cast<GateFunction>(number);
        const std::string name = names[number];
        addGate(cases, name + " alone", ops::gatedActivationOf(0, 0, 0, 3, 70, function), false);
        ops::GatedActivation op{0, 0, 0, 6, 41, function, 1, 9, 50, 64, 3, 1.0f, 0.0f, 0.0f, 0};
        addGate(cases, name + ", one gate for a row, up repeated", op, true);
    }
    addGate(cases, "soft plus, one up for all", {0, 0, 0, 5, 70, GateFunction::Softplus, 70, 70, 0, 70, 1, 1.0f, 0.0f, 0.0f, 0}, true);
    // gpt-oss: gate and up lie side by side, both are limited, and up is counted from one.
    addGate(cases, "silu limited", {0, 0, 0, 4, 96, GateFunction::Silu, 96, 192, 192, 96, 1, 1.702f, 7.0f, 1.0f, 0}, true);
}

struct StridedNorm {
    Size size;
    uint32_t xStride, yStride, weightRows;
    float scale;
};

void addStridedNorm(std::vector<OpCase>& cases, const StridedNorm& norm) {
    const std::string detail = sizeName(norm.size) + " apart by " + std::to_string(norm.xStride) + ", " +
                               std::to_string(norm.yStride) + ", " + std::to_string(norm.weightRows) + " weights";
    cases.push_back(opCase<ops::RmsNorm>(detail, [=](Device& device) {
        Random random(norm.size.rows * 3 + norm.xStride);
        ops::RmsNorm op = ops::rmsNormOf(0, 0, 0, norm.size.rows, norm.size.columns, 1e-6f);
        op.xStride = norm.xStride;
        op.yStride = norm.yStride;
        op.weightRows = norm.weightRows;
        op.scale = norm.scale;
        OpCheck<ops::RmsNorm> check(op);
        check.input(&ops::RmsNorm::x, random.normals(size_t(norm.size.rows) * norm.xStride));
        check.input(&ops::RmsNorm::weight, random.normals(size_t(norm.weightRows) * norm.size.columns));
        check.output(&ops::RmsNorm::y, random.normals(size_t(norm.size.rows) * norm.yStride), kFunction);
        return check.check(device);
    }));
}

struct LayerRows {
    Size size;
    uint32_t weightRows = 1; // 0 = no weight
    bool bias = true;
};

void addLayerNorm(std::vector<OpCase>& cases, const LayerRows& norm) {
    std::string detail = sizeName(norm.size) + ", " + std::to_string(norm.weightRows) + " weights";
    if (norm.bias) detail += ", bias, in place";
    cases.push_back(opCase<ops::LayerNorm>(detail, [=](Device& device) {
        Random random(norm.size.rows + norm.size.columns);
        ops::LayerNorm op{};
        op.rows = norm.size.rows;
        op.columns = norm.size.columns;
        op.weightRows = std::max(norm.weightRows, 1u);
        op.epsilon = 1e-5f;
        auto x = random.normals(size_t(op.rows) * op.columns);
        for (uint32_t i = 0; i < op.columns; ++i) x[i] = 1e-3f * x[i] + 0.5f; // epsilon and mean matter in the first row
        OpCheck<ops::LayerNorm> check(op);
        if (norm.weightRows > 0) check.input(&ops::LayerNorm::weight, random.normals(size_t(norm.weightRows) * op.columns));
        if (norm.bias) check.input(&ops::LayerNorm::bias, random.normals(op.columns));
        if (norm.bias) return check.output(&ops::LayerNorm::y, x, kFunction).same(&ops::LayerNorm::x, &ops::LayerNorm::y).check(device);
        check.input(&ops::LayerNorm::x, x);
        return check.output(&ops::LayerNorm::y, std::vector<float>(x.size()), kFunction).check(device);
    }));
}

void addQuantize(std::vector<OpCase>& cases, const Size& size, uint32_t planes) {
    cases.push_back(opCase<ops::QuantizeRows>(sizeName(size) + (planes == 2 ? " two planes" : ""), [=](Device& device) {
        const size_t count = size_t(size.rows) * size.columns;
        Random random(count + 4);
        ops::QuantizeRows op{};
        op.rows = size.rows;
        op.columns = size.columns;
        op.planes = planes;
        auto x = random.normals(count);
        for (uint32_t i = 0; i < 32; ++i) x[i] = 0.0f;
        // A code at the middle between two may go either way, and its rest with it.
        const Tolerance codes{planes == 2 ? Tolerance::Kind::Planes : Tolerance::Kind::Codes, 0.0, static_cast<double>(size.columns)};
        OpCheck<ops::QuantizeRows> check(op);
        check.input(&ops::QuantizeRows::x, x);
        check.output(&ops::QuantizeRows::codes, std::vector<int8_t>(count * planes), codes);
        check.output(&ops::QuantizeRows::scales, std::vector<float>(count / 32), kExactSum);
        check.output(&ops::QuantizeRows::sums, std::vector<float>(count / 32), Tolerance{Tolerance::Kind::Float, 1e-5, 5e-2});
        return check.check(device);
    }));
}

void addCopy(std::vector<OpCase>& cases, uint32_t units) {
    cases.push_back(opCase<ops::Copy>(std::to_string(units) + " units", [=](Device& device) {
        Random random(units);
        ops::Copy op{};
        op.units = units;
        std::vector<uint32_t> words(size_t(units) * 4);
        for (auto& word : words) word = random.below(0xFFFFFFFFu);
        OpCheck<ops::Copy> check(op);
        check.input(&ops::Copy::from, words);
        return check.output(&ops::Copy::to, std::vector<uint32_t>(words.size()), Tolerance{}).check(device);
    }));
}

struct Head {
    uint32_t rows, heads, headDim, dimensions;
    ops::RotaryMode mode;
    bool factors, yarn;
    uint32_t ratio = 1;
    bool back = false;
};

void addRotary(std::vector<OpCase>& cases, const Head& head) {
    std::string detail = std::to_string(head.rows) + " rows, " + std::to_string(head.heads) + " heads of " +
                         std::to_string(head.headDim) + ", " + std::to_string(head.dimensions) + " dimensions";
    detail += head.mode == ops::RotaryMode::Adjacent ? ", adjacent" : ", halves";
    if (head.factors) detail += ", factors";
    if (head.yarn) detail += ", yarn";
    if (head.ratio > 1) detail += ", positions of groups of " + std::to_string(head.ratio);
    if (head.back) detail += ", back";
    cases.push_back(opCase<ops::Rotary>(detail, [=](Device& device) {
        Random random(head.rows * 31 + head.headDim);
        ops::Rotary op{};
        op.ratio = head.ratio;
        op.direction = head.back ? -1.0f : 1.0f;
        op.rows = head.rows;
        op.heads = head.heads;
        op.headDim = head.headDim;
        op.dimensions = head.dimensions;
        op.mode = head.mode;
        op.base = 10000.0f;
        op.frequencyScale = head.yarn ? 0.25f : 1.0f;
        op.extrapolation = head.yarn ? 1.0f : 0.0f;
        op.magnitude = head.yarn ? 1.1386f : 1.0f;
        op.correctionLow = head.yarn ? 8.0f : 0.0f;
        op.correctionHigh = head.yarn ? 20.0f : 0.0f;
        std::vector<int32_t> positions(head.rows);
        for (auto& position : positions) position = static_cast<int32_t>(random.below(4000));
        std::vector<float> factors(head.dimensions / 2);
        for (float& factor : factors) factor = random.uniform(1.0f, 8.0f);
        OpCheck<ops::Rotary> check(op);
        check.input(&ops::Rotary::positions, positions);
        if (head.factors) check.input(&ops::Rotary::factors, factors);
        check.output(&ops::Rotary::x, random.normals(size_t(head.rows) * head.heads * head.headDim), kAngle);
        return check.check(device);
    }));
}

void addLookup(std::vector<OpCase>& cases, TensorType type, const Size& table, uint32_t rows, bool fileLayout = false, bool large = false) {
    const std::string detail = std::string(info(type).name) + " " + std::to_string(rows) + " of " + sizeName(table);
    cases.push_back(opCase<ops::GetRows>(detail + (fileLayout ? " as in the file" : ""),
                                          [=](Device& device) {
                                              Random random(table.rows + uint64_t(type));
                                              ops::GetRows op{};
                                              op.rows = rows;
                                              op.columns = table.columns;
                                              op.tableRows = table.rows;
                                              op.type = static_cast<uint32_t>(type);
                                              op.scale = 1.5f;
                                              op.layout = fileLayout ? 0 : device.tableLayout(type, table.rows, table.columns).layout;
                                              std::vector<int32_t> ids(rows);
                                              for (auto& id : ids) id = static_cast<int32_t>(random.below(table.rows));
                                              ids[rows / 2] = static_cast<int32_t>(table.rows) - 1;
                                              if (rows > 2) ids[1] = -1;
                                              if (rows > 3) ids[2] = static_cast<int32_t>(table.rows);
                                              const std::vector<float> before(size_t(rows) * table.columns, 7.0f);
                                              OpCheck<ops::GetRows> check(op);
                                              check.input(&ops::GetRows::table, randomWeight(type, table.rows, table.columns, random));
                                              check.weight(&ops::GetRows::table, type, op.layout, table.rows, table.columns);
                                              check.input(&ops::GetRows::ids, ids);
                                              check.output(&ops::GetRows::y, before, kExactSum);
                                              return check.check(device);
                                          }));
    cases.back().type = type;
    cases.back().large = large;
}

} // namespace

std::vector<OpCase> rowCases() {
    using ops::RotaryMode;
    std::vector<OpCase> cases;
    for (const Size size : {Size{1, 576}, {3, 1536}, {17, 100}, {5, 1}, {33, 64}, {2, 2048}}) addSums(cases, size);
    for (const Size size : {Size{1, 576}, {3, 640}, {27, 64}, {5, 256}, {2, 4096}, {4, 30}}) addNorms(cases, size);
    addLargeNorms(cases);
    addStridedSum(cases, {{5, 37}, 50, 41, 64});
    addStridedSum(cases, {{7, 130}, 130, 0, 131});
    addStridedSum(cases, {{3, 64}, 192, 0, 64, false});
    addGates(cases);
    addStridedNorm(cases, {{9, 64}, 200, 64, 3, 1.0f});
    addStridedNorm(cases, {{6, 600}, 600, 1300, 2, 0.125f});
    for (const LayerRows& norm : {LayerRows{{1, 768}}, {{5, 100}, 5}, {{19, 64}, 0, false}, {{3, 4096}, 1, false}}) addLayerNorm(cases, norm);
    for (const Size size : {Size{1, 576}, {3, 1536}, {17, 640}, {5, 32}, {2, 2048}})
        for (const uint32_t planes : {1u, 2u}) addQuantize(cases, size, planes);
    for (const uint32_t units : {1u, 300u, 5000u}) addCopy(cases, units);
    addHadamard(cases, 3, 192, 64);
    addHadamard(cases, 5, 48, 16);
    addHadamard(cases, 2, 512, 256);
    addHadamard(cases, 33, 128, 128);
    addHadamard(cases, 7, 6, 2);
    addRotary(cases, {1, 9, 64, 64, RotaryMode::Adjacent, false, false});
    addRotary(cases, {7, 9, 64, 64, RotaryMode::Halves, false, false});
    addRotary(cases, {33, 4, 256, 256, RotaryMode::Halves, true, false});
    addRotary(cases, {3, 8, 80, 20, RotaryMode::Halves, false, false});
    addRotary(cases, {2, 5, 96, 32, RotaryMode::Adjacent, false, true});
    addRotary(cases, {4, 8, 128, 64, RotaryMode::Halves, true, true});
    addRotary(cases, {9, 2, 64, 32, RotaryMode::Adjacent, false, true, 1, true});
    addRotary(cases, {9, 1, 64, 32, RotaryMode::Adjacent, false, false, 4});
    addRotary(cases, {300, 1, 32, 32, RotaryMode::Halves, true, false, 128, true});
    kernels::AllFormats::forEach([&]<class Format>() {
        addLookup(cases, static_cast<TensorType>(Format::typeId), {50, 512}, 5);
        addLookup(cases, static_cast<TensorType>(Format::typeId), {50, 512}, 5, true);
        if (Format::blockValues <= 32) addLookup(cases, static_cast<TensorType>(Format::typeId), {9, 96}, 1);
    });
    addLookup(cases, TensorType::Q8_0, {262144, 640}, 3, false, true);
    return cases;
}

} // namespace steelyard::tests
