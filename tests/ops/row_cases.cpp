// The ops that work row by row: sums, gates, norms, rotary embedding, lookups, quantization of rows, soft cap.
#include "tests/ops/op_case.h"

namespace steelyard::tests {

namespace {

constexpr Tolerance kExactSum{Tolerance::Kind::Float, 1e-13, 1e-6};
// Division, square root, exponential and tangent as devices compute them.
constexpr Tolerance kFunction{Tolerance::Kind::Float, 1e-11, 1e-4};
// Devices form sine and cosine of angles up to some thousands in float32.
constexpr Tolerance kAngle{Tolerance::Kind::Float, 1e-8, 5e-3};

struct Size {
    uint32_t rows, columns;
};

std::string sizeName(const Size& size) { return "[" + std::to_string(size.rows) + ", " + std::to_string(size.columns) + "]"; }

template <class Op>
OpCase rowCase(const std::string& detail, std::function<std::string(Device&)> run) {
    OpCase row;
    row.name = std::string(Op::name) + " " + detail;
    row.op = ops::opId<Op>;
    row.run = std::move(run);
    return row;
}

void addSums(std::vector<OpCase>& cases, const Size& size) {
    const size_t count = size_t(size.rows) * size.columns;
    cases.push_back(rowCase<ops::Add>(sizeName(size), [=](Device& device) {
        Random random(count);
        const ops::Add op = ops::sumOf(0, 0, 0, size.rows, size.columns);
        OpCheck<ops::Add> check(op);
        check.input(&ops::Add::b, random.normals(count));
        check.output(&ops::Add::y, random.normals(count), kExactSum);
        return check.same(&ops::Add::a, &ops::Add::y).check(device);
    }));
    for (const auto function : {ops::GateFunction::Silu, ops::GateFunction::Gelu}) {
        const char* name = function == ops::GateFunction::Silu ? " silu" : " gelu";
        cases.push_back(rowCase<ops::GatedActivation>(sizeName(size) + name, [=](Device& device) {
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
    cases.push_back(rowCase<ops::SoftCap>(sizeName(size), [=](Device& device) {
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

void addNorms(std::vector<OpCase>& cases, const Size& size) {
    const size_t count = size_t(size.rows) * size.columns;
    for (const bool weighted : {true, false})
        cases.push_back(rowCase<ops::RmsNorm>(sizeName(size) + (weighted ? " weighted, in place" : ""), [=](Device& device) {
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

void addQuantize(std::vector<OpCase>& cases, const Size& size, uint32_t planes) {
    cases.push_back(rowCase<ops::QuantizeRows>(sizeName(size) + (planes == 2 ? " two planes" : ""), [=](Device& device) {
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

struct Head {
    uint32_t rows, heads, headDim, dimensions;
    ops::RotaryMode mode;
    bool factors, yarn;
};

void addRotary(std::vector<OpCase>& cases, const Head& head) {
    std::string detail = std::to_string(head.rows) + " rows, " + std::to_string(head.heads) + " heads of " +
                         std::to_string(head.headDim) + ", " + std::to_string(head.dimensions) + " dimensions";
    detail += head.mode == ops::RotaryMode::Adjacent ? ", adjacent" : ", halves";
    if (head.factors) detail += ", factors";
    if (head.yarn) detail += ", yarn";
    cases.push_back(rowCase<ops::Rotary>(detail, [=](Device& device) {
        Random random(head.rows * 31 + head.headDim);
        ops::Rotary op{};
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
    cases.push_back(rowCase<ops::GetRows>(detail + (fileLayout ? " as in the file" : ""),
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
    for (const Size size : {Size{1, 576}, {3, 1536}, {17, 640}, {5, 32}, {2, 2048}})
        for (const uint32_t planes : {1u, 2u}) addQuantize(cases, size, planes);
    addRotary(cases, {1, 9, 64, 64, RotaryMode::Adjacent, false, false});
    addRotary(cases, {7, 9, 64, 64, RotaryMode::Halves, false, false});
    addRotary(cases, {33, 4, 256, 256, RotaryMode::Halves, true, false});
    addRotary(cases, {3, 8, 80, 20, RotaryMode::Halves, false, false});
    addRotary(cases, {2, 5, 96, 32, RotaryMode::Adjacent, false, true});
    addRotary(cases, {4, 8, 128, 64, RotaryMode::Halves, true, true});
    kernels::AllFormats::forEach([&]<class Format>() {
        addLookup(cases, static_cast<TensorType>(Format::typeId), {50, 512}, 5);
        addLookup(cases, static_cast<TensorType>(Format::typeId), {50, 512}, 5, true);
        if (Format::blockValues <= 32) addLookup(cases, static_cast<TensorType>(Format::typeId), {9, 96}, 1);
    });
    addLookup(cases, TensorType::Q8_0, {262144, 640}, 3, false, true);
    return cases;
}

} // namespace steelyard::tests
