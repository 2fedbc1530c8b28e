// Times a decode step and a prefill of model-shaped layers, op by op: what a change of a kernel does, without a model
// file. Not a test: prints a table. bench_ops [threads] [code path] [rows of the prefill] [context]
#include "engine/backend/cpu/cpu_device.h"
#include "tests/ops/op_case.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>

using namespace steelyard;
using namespace steelyard::tests;

namespace {

struct Model {
    const char* name;
    uint32_t layers, width, inner, heads, kvHeads, headDim, vocabulary;
    TensorType q, k, v, output, gate, up, down, head;
};

const Model kModels[] = {
    {"SmolLM2 135M Q4_1", 30, 576, 1536, 9, 3, 64, 49152, TensorType::Q4_1, TensorType::Q4_1, TensorType::Q4_1, TensorType::Q4_1,
     TensorType::Q4_1, TensorType::Q4_1, TensorType::Q4_1, TensorType::Q8_0},
    {"Gemma 3 270M Q4_K_M", 18, 640, 2048, 4, 1, 256, 262144, TensorType::Q5_0, TensorType::Q5_0, TensorType::Q8_0, TensorType::Q4_K,
     TensorType::Q5_0, TensorType::Q5_0, TensorType::Q6_K, TensorType::Q8_0},
};

// Time of the wall, or with one thread the processor's time, which says more on a busy machine.
bool processorTime = false;

double seconds() {
    if (processorTime) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Runs the layers of a model with random weights through a device.
class Bench {
public:
    Bench(Device& device, const Model& model, uint32_t rows, uint32_t context) : m_device(device), m_model(model), m_rows(rows), m_context(context) {
        for (uint32_t layer = 0; layer < model.layers; ++layer) makeLayer();
        m_head = makeWeight(model.head, model.vocabulary, model.width);
        makeActivations();
    }

    void step() {
        for (uint32_t layer = 0; layer < m_model.layers; ++layer) runLayer(layer);
        product(m_head, m_hidden, m_logits, 0, 1);
    }
    void timeEachOp(bool on) { m_timing = on; }
    std::map<std::string, double> times;

private:
    struct Weight {
        Buffer buffer;
        TensorType type;
        uint32_t layout = 0, outputs = 0, depth = 0;
    };
    struct Layer {
        Weight q, k, v, output, gate, up, down;
        Buffer cacheK, cacheV;
    };

    Buffer allocate(uint64_t bytes) {
        auto buffer = m_device.allocate(bytes);
        if (!buffer) {
            std::fprintf(stderr, "%s\n", buffer.sentence().c_str());
            std::exit(1);
        }
        m_device.write(*buffer, 0, std::vector<uint8_t>(bytes));
        return std::move(*buffer);
    }
    Weight makeWeight(TensorType type, uint32_t outputs, uint32_t depth) {
        const auto source = randomWeight(type, outputs, depth, m_random);
        const auto layout = m_device.weightLayout(type, outputs, depth);
        Weight weight{allocate(layout.bytes), type, layout.layout, outputs, depth};
        m_device.write(weight.buffer, 0, packedWeight(m_device, type, layout.layout, source, outputs, depth));
        return weight;
    }
    void makeLayer() {
        const Model& m = m_model;
        Layer layer{makeWeight(m.q, m.heads * m.headDim, m.width), makeWeight(m.k, m.kvHeads * m.headDim, m.width),
                    makeWeight(m.v, m.kvHeads * m.headDim, m.width), makeWeight(m.output, m.width, m.heads * m.headDim),
                    makeWeight(m.gate, m.inner, m.width), makeWeight(m.up, m.inner, m.width), makeWeight(m.down, m.width, m.inner), {}, {}};
        const uint64_t cacheBytes = ops::cachePartBytes(ops::CacheType::F16, m.kvHeads, m.headDim) * (m_context / 32 + 2);
        layer.cacheK = allocate(cacheBytes);
        layer.cacheV = allocate(cacheBytes);
        m_layers.push_back(std::move(layer));
    }
    void makeActivations() {
        const Model& m = m_model;
        const uint32_t widest = std::max({m.width, m.inner, m.heads * m.headDim});
        const uint64_t bytes = uint64_t(m_rows) * widest * 4;
        for (Buffer* buffer : {&m_hidden, &m_normed, &m_q, &m_k, &m_v, &m_mixed, &m_gate, &m_up, &m_codes, &m_scales, &m_sums})
            *buffer = allocate(bytes);
        m_logits = allocate(uint64_t(m.vocabulary) * 4);
        const auto x = m_random.normals(size_t(m_rows) * m.width);
        m_device.write(m_hidden, 0, {reinterpret_cast<const uint8_t*>(x.data()), x.size() * 4});
        std::vector<int32_t> positions(m_rows), table(m_context / 32 + 2);
        for (uint32_t i = 0; i < m_rows; ++i) positions[i] = static_cast<int32_t>(m_context - m_rows + i);
        for (uint32_t i = 0; i < table.size(); ++i) table[i] = static_cast<int32_t>(i);
        m_positions = allocate(m_rows * 4);
        m_sequences = allocate(m_rows * 4);
        m_table = allocate(table.size() * 4);
        m_device.write(m_positions, 0, {reinterpret_cast<const uint8_t*>(positions.data()), positions.size() * 4});
        m_device.write(m_table, 0, {reinterpret_cast<const uint8_t*>(table.data()), table.size() * 4});
    }

    template <class Op>
    void run(const Op& op, const std::string& label = Op::name) {
        if (!m_timing) return m_device.run(op);
        const double start = seconds();
        m_device.run(op);
        times[label] += seconds() - start;
    }
    void quantize(const Buffer& x, uint32_t columns) {
        run(ops::QuantizeRows{x.address(), m_codes.address(), m_scales.address(), m_sums.address(), m_rows, columns, 2, 0});
    }
    void product(const Weight& w, const Buffer&, const Buffer& y, uint64_t residual, uint32_t rows) {
        ops::MatMul op{};
        op.weight = w.buffer.address();
        op.x = m_codes.address();
        op.xScales = m_scales.address();
        op.xSums = m_sums.address();
        op.residual = residual;
        op.y = y.address();
        op.rows = rows;
        op.outputs = w.outputs;
        op.depth = w.depth;
        op.type = static_cast<uint32_t>(w.type);
        op.layout = w.layout;
        op.activation = ops::Activation::Int8Pair;
        run(op, std::string("mat_mul ") + std::string(info(w.type).name) + " " + std::to_string(w.outputs) + "x" + std::to_string(w.depth));
    }
    void rotate(const Buffer& x, uint32_t heads) {
        run(ops::Rotary{x.address(), m_positions.address(), 0, m_rows, heads, m_model.headDim, m_model.headDim, ops::RotaryMode::Halves,
                        10000.0f, 1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1, 0});
    }
    void attend(const Layer& layer) {
        const Model& m = m_model;
        const uint64_t stride = ops::cachePartBytes(ops::CacheType::F16, m.kvHeads, m.headDim);
        run(ops::CacheWrite{m_k.address(), m_v.address(), m_positions.address(), m_sequences.address(), m_table.address(),
                            layer.cacheK.address(), layer.cacheV.address(), stride, m_rows, m.kvHeads, m.headDim, m.headDim, 0,
                            ops::CacheType::F16, ops::CacheType::F16, 1});
        ops::Attention op{};
        op.q = m_q.address();
        op.y = m_mixed.address();
        op.positions = m_positions.address();
        op.sequences = m_sequences.address();
        op.blockTable = m_table.address();
        op.cacheK = layer.cacheK.address();
        op.cacheV = layer.cacheV.address();
        op.blockStride = stride;
        op.rows = m_rows;
        op.heads = static_cast<uint16_t>(m.heads);
        op.kvHeads = static_cast<uint16_t>(m.kvHeads);
        op.headDimK = op.headDimV = op.valueStride = static_cast<uint16_t>(m.headDim);
        op.scale = 0.1f;
        op.splits = 1;
        op.typeK = op.typeV = 1;
        run(op);
    }
    void runLayer(uint32_t index) {
        const Layer& layer = m_layers[index];
        const Model& m = m_model;
        run(ops::rmsNormOf(m_hidden.address(), 0, m_normed.address(), m_rows, m.width, 1e-5f));
        quantize(m_normed, m.width);
        product(layer.q, m_normed, m_q, 0, m_rows);
        product(layer.k, m_normed, m_k, 0, m_rows);
        product(layer.v, m_normed, m_v, 0, m_rows);
        rotate(m_q, m.heads);
        rotate(m_k, m.kvHeads);
        attend(layer);
        quantize(m_mixed, m.heads * m.headDim);
        product(layer.output, m_mixed, m_hidden, m_hidden.address(), m_rows);
        run(ops::rmsNormOf(m_hidden.address(), 0, m_normed.address(), m_rows, m.width, 1e-5f));
        quantize(m_normed, m.width);
        product(layer.gate, m_normed, m_gate, 0, m_rows);
        product(layer.up, m_normed, m_up, 0, m_rows);
        run(ops::gatedActivationOf(m_gate.address(), m_up.address(), m_gate.address(), m_rows, m.inner, ops::GateFunction::Silu));
        quantize(m_gate, m.inner);
        product(layer.down, m_gate, m_hidden, m_hidden.address(), m_rows);
    }

    Device& m_device;
    const Model& m_model;
    uint32_t m_rows, m_context;
    Random m_random{1};
    std::vector<Layer> m_layers;
    Weight m_head;
    Buffer m_hidden, m_normed, m_q, m_k, m_v, m_mixed, m_gate, m_up, m_codes, m_scales, m_sums, m_logits, m_positions, m_sequences, m_table;
    uint32_t m_planes = ops::planesOf(m_device.activationFor(m_model.q));
    bool m_timing = false;
};

void measure(Device& device, const Model& model, uint32_t rows, uint32_t context) {
    Bench bench(device, model, rows, context);
    const auto recording = device.record([&] { bench.step(); });
    const int repeats = rows == 1 ? 60 : 2;
    device.replay(*recording);
    std::vector<double> spans;
    for (int i = 0; i < repeats; ++i) {
        const double start = seconds();
        device.replay(*recording);
        spans.push_back(seconds() - start);
    }
    std::sort(spans.begin(), spans.end());
    const double median = spans[spans.size() / 2];
    std::printf("%s, %u rows at context %u: %.2f ms, %.0f tokens/s (best %.2f ms)\n", model.name, rows, context, median * 1e3,
                rows / median, spans.front() * 1e3);
    bench.timeEachOp(true);
    bench.step();
    std::vector<std::pair<double, std::string>> sorted;
    for (const auto& [label, time] : bench.times) sorted.emplace_back(time, label);
    std::sort(sorted.rbegin(), sorted.rend());
    for (const auto& [time, label] : sorted) std::printf("    %8.3f ms  %s\n", time * 1e3, label.c_str());
}

} // namespace

int main(int count, char** arguments) {
    const uint32_t threads = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : 0;
    const std::string path = count > 2 ? arguments[2] : "";
    const uint32_t rows = count > 3 ? static_cast<uint32_t>(std::atoi(arguments[3])) : 512;
    const uint32_t context = count > 4 ? static_cast<uint32_t>(std::atoi(arguments[4])) : 512;
    const auto device = openCpuPath(threads, path);
    processorTime = threads == 1;
    std::printf("%s, %s\n", device->info().name.c_str(), processorTime ? "processor time" : "wall time");
    for (const auto& model : kModels) {
        measure(*device, model, 1, context);
        if (rows > 1) measure(*device, model, rows, std::max(rows, context));
    }
    return 0;
}
