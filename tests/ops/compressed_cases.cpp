// Hyper-connections, and attention over compressed keys: their making with states that go on, the scores and the choice among
// them with ties and few entries, and attention over two caches whose blocks lie scattered.
#include "tests/ops/op_case.h"

#include <cstring>
#include <numeric>

namespace steelyard::tests {

namespace {

constexpr Tolerance kSums{Tolerance::Kind::Float, 1e-10, 2e-4};

struct Streams {
    uint32_t rows, columns, streams, iterations;
    bool head = false; // reads only
};

OpCase hyperReadCase(const Streams& shape) {
    const std::string detail = std::to_string(shape.rows) + " rows, " + std::to_string(shape.streams) + " streams of " +
                               std::to_string(shape.columns) + ", " + std::to_string(shape.iterations) + " iterations" + (shape.head ? ", no gates" : "");
    return opCase<ops::HyperRead>(detail, [=](Device& device) {
        Random random(shape.columns * 3 + shape.streams);
        const uint32_t n = shape.streams, mixes = shape.head ? n : (2 + n) * n;
        ops::HyperRead op{};
        op.rows = shape.rows;
        op.columns = shape.columns;
        op.streams = n;
        op.iterations = shape.iterations;
        op.epsilon = 1e-6f;
        OpCheck<ops::HyperRead> check(op);
        check.input(&ops::HyperRead::stream, random.normals(size_t(shape.rows) * n * shape.columns));
        check.input(&ops::HyperRead::mixes, random.normals(size_t(shape.rows) * mixes, 2.0f));
        check.input(&ops::HyperRead::scale, random.normals(shape.head ? 1 : 3));
        check.input(&ops::HyperRead::base, random.normals(mixes));
        check.output(&ops::HyperRead::y, std::vector<float>(size_t(shape.rows) * shape.columns), kFunction);
        if (!shape.head) check.output(&ops::HyperRead::gates, std::vector<float>(size_t(shape.rows) * n * (1 + n)), kFunction);
        return check.check(device);
    });
}

OpCase hyperWriteCase(const Streams& shape) {
    const std::string detail = std::to_string(shape.rows) + " rows, " + std::to_string(shape.streams) + " streams of " + std::to_string(shape.columns);
    return opCase<ops::HyperWrite>(detail, [=](Device& device) {
        Random random(shape.columns * 5 + shape.streams);
        const uint32_t n = shape.streams;
        ops::HyperWrite op{};
        op.rows = shape.rows;
        op.columns = shape.columns;
        op.streams = n;
        OpCheck<ops::HyperWrite> check(op);
        check.input(&ops::HyperWrite::x, random.normals(size_t(shape.rows) * shape.columns));
        check.input(&ops::HyperWrite::gates, random.normals(size_t(shape.rows) * n * (1 + n)));
        check.output(&ops::HyperWrite::stream, random.normals(size_t(shape.rows) * n * shape.columns), kFunction);
        return check.check(device);
    });
}

// Runs of rows: where each begins, and how many rows it has.
struct Run {
    int32_t position, rows;
};

OpCase compressCase(uint32_t channels, uint32_t ratio, bool overlap, const std::vector<Run>& runs) {
    std::string detail = std::to_string(channels) + " channels, " + std::to_string(ratio) + " to one" + (overlap ? ", overlap" : "");
    for (const auto& run : runs) detail += ", " + std::to_string(run.rows) + " from " + std::to_string(run.position);
    return opCase<ops::CompressKeys>(detail, [=](Device& device) {
        Random random(channels + ratio);
        const uint32_t width = ops::compressWidth(channels, overlap);
        ops::CompressKeys op{};
        op.sequences = static_cast<uint32_t>(runs.size());
        op.channels = channels;
        op.ratio = ratio;
        op.overlap = overlap;
        const size_t values = ops::compressState(channels, ratio, overlap) + 24;
        op.stateStride = values * sizeof(float);
        std::vector<int32_t> positions;
        std::vector<ops::SequenceRun> table;
        for (const auto& run : runs) {
            const auto number = static_cast<int32_t>(table.size());
            table.push_back({static_cast<int32_t>(positions.size()), run.rows, static_cast<int32_t>(runs.size()) - number, run.position > 0});
            for (int32_t row = 0; row < run.rows; ++row) positions.push_back(run.position + row);
        }
        const size_t rows = positions.size();
        OpCheck<ops::CompressKeys> check(op);
        check.input(&ops::CompressKeys::values, random.normals(rows * width));
        check.input(&ops::CompressKeys::scores, random.normals(rows * width, 3.0f));
        check.input(&ops::CompressKeys::bias, random.normals(size_t(ratio) * width));
        check.input(&ops::CompressKeys::positions, positions);
        check.input(&ops::CompressKeys::runs, table);
        check.output(&ops::CompressKeys::y, random.normals(rows * channels), kSums);
        check.output(&ops::CompressKeys::state, random.normals((runs.size() + 1) * values), kExactSum);
        return check.check(device);
    });
}

// A paged cache of one head: `entries` for each sequence, the blocks in a shuffled order.
struct Paged {
    uint64_t stride = 0;
    std::vector<uint8_t> arena;
    std::vector<int32_t> table;
};

Paged makePaged(ops::CacheType type, uint32_t dim, uint32_t sequences, uint32_t tableStride, Random& random) {
    Paged paged;
    paged.stride = ops::cachePartBytes(type, 1, dim) + 128;
    const uint32_t blocks = sequences * tableStride;
    paged.arena.resize((blocks + 1) * paged.stride);
    const auto size = size_t(ops::cacheCodeBytes(type, 1));
    for (size_t i = 0; i + size <= paged.arena.size(); i += size) {
        const float value = random.normal();
        const uint16_t half = kernels::floatToHalf(value);
        if (type == ops::CacheType::F32) std::memcpy(paged.arena.data() + i, &value, size);
        else std::memcpy(paged.arena.data() + i, &half, size);
    }
    paged.table.resize(blocks);
    std::iota(paged.table.begin(), paged.table.end(), 1);
    for (uint32_t i = blocks; i > 1; --i) std::swap(paged.table[i - 1], paged.table[random.below(i)]);
    return paged;
}

// Rows at any positions of two sequences.
struct Rows {
    std::vector<int32_t> positions, sequences;
    uint32_t longest = 0;
};

Rows makeRows(const std::vector<int32_t>& positions) {
    Rows rows;
    rows.positions = positions;
    for (size_t i = 0; i < positions.size(); ++i) {
        rows.sequences.push_back(static_cast<int32_t>(i % 2));
        rows.longest = std::max(rows.longest, static_cast<uint32_t>(positions[i]) + 1);
    }
    return rows;
}

OpCase indexCase(uint32_t heads, uint32_t dim, ops::CacheType type, const std::vector<int32_t>& positions) {
    const std::string detail = std::to_string(heads) + " heads of " + std::to_string(dim) + ", " + std::to_string(positions.size()) + " rows" +
                               (type == ops::CacheType::F32 ? ", floats" : "");
    return opCase<ops::IndexScores>(detail, [=](Device& device) {
        Random random(heads * 7 + dim);
        const Rows rows = makeRows(positions);
        ops::IndexScores op{};
        op.rows = static_cast<uint32_t>(positions.size());
        op.heads = heads;
        op.dim = dim;
        op.ratio = 4;
        op.entries = rows.longest / op.ratio + 3;
        op.tableStride = op.entries / ops::kBlockTokens + 2;
        op.type = type;
        op.scale = 0.25f;
        const Paged cache = makePaged(type, dim, 2, op.tableStride, random);
        op.blockStride = cache.stride;
        OpCheck<ops::IndexScores> check(op);
        check.input(&ops::IndexScores::q, random.normals(size_t(op.rows) * heads * dim));
        check.input(&ops::IndexScores::weights, random.normals(size_t(op.rows) * heads));
        check.input(&ops::IndexScores::cache, cache.arena);
        check.input(&ops::IndexScores::positions, rows.positions);
        check.input(&ops::IndexScores::sequences, rows.sequences);
        check.input(&ops::IndexScores::blockTable, cache.table);
        check.output(&ops::IndexScores::y, random.normals(size_t(op.rows) * op.entries), kProduct);
        return check.check(device);
    });
}

// Scores of few different values, so that many are equal, and some that are no numbers.
OpCase selectCase(uint32_t count, uint32_t ratio, bool ties, const std::vector<int32_t>& positions) {
    const std::string detail = std::to_string(count) + " of " + std::to_string(positions.back() / static_cast<int32_t>(ratio)) + (ties ? ", ties" : "");
    return opCase<ops::SelectTop>(detail, [=](Device& device) {
        Random random(count * 11 + ratio);
        ops::SelectTop op{};
        op.rows = static_cast<uint32_t>(positions.size());
        op.count = count;
        op.ratio = ratio;
        op.entries = makeRows(positions).longest / ratio + 2;
        auto scores = random.normals(size_t(op.rows) * op.entries, 3.0f);
        for (float& score : scores)
            if (ties) score = std::floor(score);
        if (ties) scores[1] = NAN;
        OpCheck<ops::SelectTop> check(op);
        check.input(&ops::SelectTop::scores, scores);
        check.input(&ops::SelectTop::positions, positions);
        check.output(&ops::SelectTop::ids, std::vector<int32_t>(size_t(op.rows) * count, -7), Tolerance{});
        return check.check(device);
    });
}

struct Attended {
    uint32_t heads, dim, window, ratio, chosen; // chosen 0: all compressed keys
    bool sinks;
    ops::CacheType type;
    std::vector<int32_t> positions;
};

std::string runAttended(Device& device, const Attended& shape) {
    Random random(shape.heads * 13 + shape.dim + shape.chosen);
    const Rows rows = makeRows(shape.positions);
    ops::CompressedAttention op{};
    op.rows = static_cast<uint32_t>(shape.positions.size());
    op.heads = static_cast<uint16_t>(shape.heads);
    op.dim = static_cast<uint16_t>(shape.dim);
    op.window = shape.window;
    op.ratio = shape.ratio;
    op.idCount = shape.chosen;
    op.scale = 1.0f / std::sqrt(static_cast<float>(shape.dim));
    op.type = shape.type;
    op.tableStride = rows.longest / ops::kBlockTokens + 2;
    const Paged recent = makePaged(shape.type, shape.dim, 2, op.tableStride, random), distant = makePaged(shape.type, shape.dim, 2, op.tableStride, random);
    op.recentStride = recent.stride;
    op.distantStride = distant.stride;
    std::vector<int32_t> ids;
    for (uint32_t row = 0; row < op.rows; ++row) {
        const uint32_t visible = (static_cast<uint32_t>(shape.positions[row]) + 1) / shape.ratio;
        for (uint32_t i = 0; i < shape.chosen; ++i) // every other entry; none behind them
            ids.push_back(2 * i < visible ? static_cast<int32_t>(2 * i) : -1);
    }
    const size_t values = size_t(op.rows) * shape.heads * shape.dim;
    OpCheck<ops::CompressedAttention> check(op);
    check.input(&ops::CompressedAttention::q, random.normals(values, 2.0f));
    check.input(&ops::CompressedAttention::positions, rows.positions);
    check.input(&ops::CompressedAttention::sequences, rows.sequences);
    check.input(&ops::CompressedAttention::recentTable, recent.table);
    check.input(&ops::CompressedAttention::distantTable, distant.table);
    check.input(&ops::CompressedAttention::recentCache, recent.arena);
    check.input(&ops::CompressedAttention::distantCache, distant.arena);
    if (shape.chosen > 0) check.input(&ops::CompressedAttention::ids, ids);
    if (shape.sinks) check.input(&ops::CompressedAttention::sinks, random.normals(shape.heads, 2.0f));
    check.output(&ops::CompressedAttention::y, random.normals(values), kSums);
    return check.check(device);
}

OpCase attendedCase(const Attended& shape) {
    std::string detail = std::to_string(shape.heads) + " heads of " + std::to_string(shape.dim) + ", window " + std::to_string(shape.window) +
                         ", " + std::to_string(shape.ratio) + " to one, " + std::to_string(shape.positions.size()) + " rows";
    if (shape.chosen > 0) detail += ", " + std::to_string(shape.chosen) + " chosen";
    if (shape.sinks) detail += ", sinks";
    return opCase<ops::CompressedAttention>(detail, [=](Device& device) { return runAttended(device, shape); });
}

} // namespace

std::vector<OpCase> compressedCases() {
    using ops::CacheType;
    std::vector<OpCase> cases;
    for (const Streams& shape : {Streams{1, 512, 4, 20}, Streams{7, 96, 4, 2}, Streams{3, 33, 2, 1}, Streams{2, 300, 8, 3}}) {
        cases.push_back(hyperReadCase(shape));
        cases.push_back(hyperWriteCase(shape));
    }
    cases.push_back(hyperReadCase({5, 200, 4, 1, true}));
    cases.push_back(compressCase(64, 4, true, {{0, 19}, {6, 3}, {11, 1}}));
    cases.push_back(compressCase(64, 4, true, {{3, 1}}));
    cases.push_back(compressCase(40, 128, false, {{0, 130}, {100, 60}, {255, 1}}));
    cases.push_back(compressCase(70, 4, false, {{0, 3}, {4, 0}, {7, 9}}));
    cases.push_back(indexCase(64, 128, CacheType::F16, {3, 40, 0, 41, 300, 77}));
    cases.push_back(indexCase(5, 36, CacheType::F32, {130}));
    cases.push_back(selectCase(8, 4, false, {2, 30, 31, 400}));
    cases.push_back(selectCase(8, 4, true, {3, 40, 35, 200}));
    cases.push_back(selectCase(64, 1, true, {10, 900, 1, 63, 2000}));
    cases.push_back(attendedCase({8, 64, 32, 4, 0, true, CacheType::F16, {0, 3, 31, 32, 47, 100}}));
    cases.push_back(attendedCase({8, 64, 32, 4, 8, true, CacheType::F32, {2, 50, 130, 131}}));
    cases.push_back(attendedCase({3, 512, 128, 128, 0, false, CacheType::F16, {127, 600}}));
    cases.push_back(attendedCase({2, 40, 1, 4, 3, false, CacheType::F32, {0, 9}}));
    return cases;
}

} // namespace steelyard::tests
