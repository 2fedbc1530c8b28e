// Attention and the cache it reads: head sizes, grouped queries, windows, chunks, soft caps, sinks, scores that grow with the
// position, values that are part of the keys, all cache types, several sequences whose blocks lie scattered in the arena, and
// blocks that left a window.
#include "tests/ops/op_case.h"

#include <cstring>

namespace steelyard::tests {

namespace {

constexpr Tolerance kAttention{Tolerance::Kind::Float, 1e-10, 2e-4};

struct Shape {
    uint32_t heads, kvHeads, headDimK, headDimV;
    std::vector<std::vector<int32_t>> positions; // per sequence: the positions of its rows
    uint32_t window = 0;
    float softCap = 0.0f;
    bool sinks = false;
    ops::CacheType type = ops::CacheType::F16;
    // What only some models have.
    bool latent = false; // the values are the beginning of the keys
    uint32_t chunk = 0;
    bool temperature = false;
    // Values near the largest of half precision and queries so small that all count alike: sums far beyond it. And queries so
    // large that scores are thousands apart.
    float valueSize = 1.0f, querySize = 1.0f;
    std::optional<ops::CacheType> ownTypeV = std::nullopt; // where it is not that of the keys
    ops::CacheType typeV() const { return ownTypeV.value_or(type); }
};

// A cache arena of two layers with one table line per sequence; blocks are given out in a shuffled order.
struct Cache {
    uint64_t stride = 0, partK = 0;
    uint32_t tableStride = 0;
    std::vector<int32_t> table, positions, sequences;
    std::vector<uint8_t> arena;
};

// Each block begins with a part of these heads; what is behind it is left.
std::vector<uint8_t> filledArena(const Cache& cache, uint64_t bytes, ops::CacheType type, uint32_t kvHeads, uint32_t headDim, Random& random) {
    std::vector<uint8_t> arena(bytes, 0xEE);
    for (uint64_t block = 0; block < bytes; block += cache.stride)
        for (uint32_t head = 0; head < kvHeads; ++head)
            for (uint32_t slot = 0; slot < ops::kBlockTokens; ++slot)
                ops::storeCacheRow(type, ops::cacheRowAt(arena.data() + block, type, head, slot, headDim), random.normals(headDim).data(), headDim);
    return arena;
}

// All values of one sign and near the end of half precision, as some models have them.
void enlarge(std::vector<uint8_t>& arena, ops::CacheType type, float size) {
    constexpr float kLargest = 60000.0f;
    for (size_t i = 0; type == ops::CacheType::F32 && i + 4 <= arena.size(); i += 4) {
        float value;
        std::memcpy(&value, arena.data() + i, 4);
        value = size * std::fabs(value);
        std::memcpy(arena.data() + i, &value, 4);
    }
    for (size_t i = 0; type == ops::CacheType::F16 && i + 2 <= arena.size(); i += 2) {
        uint16_t half;
        std::memcpy(&half, arena.data() + i, 2);
        half = kernels::floatToHalf(std::fmin(kLargest, size * std::fabs(kernels::halfToFloat(half))));
        std::memcpy(arena.data() + i, &half, 2);
    }
}

Cache makeCache(const Shape& shape, Random& random) {
    Cache cache;
    int32_t longest = 0;
    for (const auto& rows : shape.positions)
        for (int32_t position : rows) longest = std::max(longest, position);
    cache.tableStride = static_cast<uint32_t>(longest) / ops::kBlockTokens + 3;
    const uint32_t sequences = static_cast<uint32_t>(shape.positions.size());
    const uint32_t blocks = sequences * cache.tableStride + 1;
    cache.partK = ops::cachePartBytes(shape.type, shape.kvHeads, shape.headDimK);
    const uint64_t layer = cache.partK + (shape.latent ? 0 : ops::cachePartBytes(shape.typeV(), shape.kvHeads, shape.headDimV));
    cache.stride = 2 * layer;
    cache.arena = filledArena(cache, blocks * cache.stride, shape.type, shape.kvHeads, shape.headDimK, random);
    std::vector<int32_t> order(blocks - 1);
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i + 1);
    for (uint32_t i = 1; i < order.size(); ++i) std::swap(order[i], order[random.below(i + 1)]);
    cache.table = order;
    for (uint32_t sequence = 0; sequence < sequences; ++sequence) {
        int32_t oldest = shape.positions[sequence].empty() ? 0 : shape.positions[sequence].front();
        for (int32_t position : shape.positions[sequence]) {
            cache.positions.push_back(position);
            cache.sequences.push_back(static_cast<int32_t>(sequence));
            oldest = std::min(oldest, position);
        }
        if (shape.window == 0) continue;
        // Blocks that no row can see any more have left the cache.
        const int32_t seen = std::max(0, oldest + 1 - static_cast<int32_t>(shape.window)) / static_cast<int32_t>(ops::kBlockTokens);
        for (int32_t block = 0; block < seen; ++block) cache.table[sequence * cache.tableStride + block] = -1;
    }
    return cache;
}

std::string runAttention(Device& device, const Shape& shape) {
    Random random(shape.heads * 131 + shape.headDimK * 7 + shape.window + shape.positions.size());
    Cache cache = makeCache(shape, random);
    const uint32_t rows = static_cast<uint32_t>(cache.positions.size());
    uint32_t longest = 0;
    for (int32_t position : cache.positions) longest = std::max(longest, static_cast<uint32_t>(position) + 1);
    ops::Attention op{};
    op.blockStride = cache.stride;
    op.rows = rows;
    op.heads = static_cast<uint16_t>(shape.heads);
    op.kvHeads = static_cast<uint16_t>(shape.kvHeads);
    op.headDimK = static_cast<uint16_t>(shape.headDimK);
    op.headDimV = static_cast<uint16_t>(shape.headDimV);
    op.valueStride = shape.latent ? op.headDimK : op.headDimV;
    op.tableStride = cache.tableStride;
    op.window = shape.window;
    op.scale = 1.0f / std::sqrt(static_cast<float>(shape.headDimK));
    op.softCap = shape.softCap;
    op.chunk = shape.chunk;
    op.temperatureOffset = 1;
    op.temperatureLength = 16;
    op.temperatureScale = shape.temperature ? 0.4f : 0.0f;
    op.splits = static_cast<uint16_t>(device.attentionSplits(rows, shape.heads, longest));
    op.typeK = static_cast<uint8_t>(shape.type);
    op.typeV = static_cast<uint8_t>(shape.typeV());
    const size_t partials = op.splits > 1 ? size_t(rows) * shape.heads * op.splits * (shape.headDimV + 2) : 0;
    // K and V have arenas of their own, so that both addresses are at the beginning of an array.
    std::vector<uint8_t> arenaV = filledArena(cache, cache.arena.size(), shape.typeV(), shape.kvHeads, op.valueStride, random);
    if (shape.valueSize > 1.0f) enlarge(arenaV, shape.type, shape.valueSize);
    OpCheck<ops::Attention> check(op);
    check.input(&ops::Attention::q, random.normals(size_t(rows) * shape.heads * shape.headDimK, shape.querySize));
    check.input(&ops::Attention::positions, cache.positions);
    check.input(&ops::Attention::sequences, cache.sequences);
    check.input(&ops::Attention::blockTable, cache.table);
    check.input(&ops::Attention::cacheK, cache.arena);
    if (shape.latent) check.same(&ops::Attention::cacheV, &ops::Attention::cacheK);
    else check.input(&ops::Attention::cacheV, arenaV);
    if (shape.sinks) check.input(&ops::Attention::sinks, random.normals(shape.heads, 2.0f));
    if (partials) check.output(&ops::Attention::partials, std::vector<float>(partials), Tolerance{Tolerance::Kind::Any});
    check.output(&ops::Attention::y, random.normals(size_t(rows) * shape.heads * shape.headDimV), kAttention);
    return check.check(device);
}

std::string runCacheWrite(Device& device, const Shape& shape, uint32_t ratio = 1) {
    Random random(shape.kvHeads * 37 + shape.headDimK);
    Cache cache = makeCache(shape, random);
    const uint32_t rows = static_cast<uint32_t>(cache.positions.size());
    ops::CacheWrite op{};
    op.ratio = ratio;
    op.blockStride = cache.stride;
    op.rows = rows;
    op.kvHeads = shape.kvHeads;
    op.headDimK = shape.headDimK;
    op.headDimV = shape.headDimV;
    op.tableStride = cache.tableStride;
    op.typeK = shape.type;
    op.typeV = shape.typeV();
    const Tolerance exact{};
    OpCheck<ops::CacheWrite> check(op);
    check.input(&ops::CacheWrite::k, random.normals(size_t(rows) * shape.kvHeads * shape.headDimK));
    if (!shape.latent) check.input(&ops::CacheWrite::v, random.normals(size_t(rows) * shape.kvHeads * shape.headDimV));
    check.input(&ops::CacheWrite::positions, cache.positions);
    check.input(&ops::CacheWrite::sequences, cache.sequences);
    check.input(&ops::CacheWrite::blockTable, cache.table);
    check.output(&ops::CacheWrite::cacheK, cache.arena, exact);
    if (!shape.latent) check.output(&ops::CacheWrite::cacheV, cache.arena, exact);
    return check.check(device);
}

const char* nameOf(ops::CacheType type) {
    switch (type) {
    case ops::CacheType::F32: return "F32";
    case ops::CacheType::F16: return "F16";
    case ops::CacheType::BF16: return "BF16";
    case ops::CacheType::F8_E4M3: return "F8_E4M3";
    case ops::CacheType::Q8_0: return "Q8_0";
    case ops::CacheType::Q5_1: return "Q5_1";
    case ops::CacheType::IQ4_NL: return "IQ4_NL";
    case ops::CacheType::Q4_0: return "Q4_0";
    case ops::CacheType::MXFP4: return "MXFP4";
    }
    return "";
}

std::string shapeName(const Shape& shape) {
    std::string name = std::to_string(shape.heads) + "/" + std::to_string(shape.kvHeads) + " heads of " +
                       std::to_string(shape.headDimK);
    if (shape.headDimV != shape.headDimK) name += "+" + std::to_string(shape.headDimV);
    size_t rows = 0;
    int32_t longest = 0;
    for (const auto& sequence : shape.positions) {
        rows += sequence.size();
        for (int32_t position : sequence) longest = std::max(longest, position);
    }
    name += ", " + std::to_string(rows) + " rows of " + std::to_string(shape.positions.size()) + " sequences to " +
            std::to_string(longest);
    if (shape.window) name += ", window " + std::to_string(shape.window);
    if (shape.softCap > 0.0f) name += ", soft cap";
    if (shape.sinks) name += ", sinks";
    if (shape.latent) name += ", latent";
    if (shape.chunk) name += ", chunks of " + std::to_string(shape.chunk);
    if (shape.temperature) name += ", temperature";
    if (shape.valueSize > 1.0f) name += ", large values";
    if (shape.querySize != 1.0f) name += ", scores of size " + std::to_string(static_cast<int>(shape.querySize));
    name += std::string(", ") + nameOf(shape.type);
    return shape.ownTypeV ? name + " and " + nameOf(*shape.ownTypeV) : name;
}

std::vector<int32_t> span(int32_t first, int32_t count) {
    std::vector<int32_t> positions;
    for (int32_t i = 0; i < count; ++i) positions.push_back(first + i);
    return positions;
}

// Shapes of attention alone. Rows of one position attend what lies behind their own place.
std::vector<Shape> attentionShapes() {
    const Shape chunked{8, 2, 64, 64, {span(120, 9), {700}}, 0, 0.0f, false, ops::CacheType::F16, false, 64};
    const Shape windowed{4, 2, 32, 32, {span(500, 30)}, 40, 0.0f, false, ops::CacheType::F32, false, 256};
    const Shape warm{6, 3, 64, 64, {span(40, 9), {300}}, 0, 0.0f, false, ops::CacheType::F16, false, 0, true};
    const Shape both{4, 4, 48, 48, {{20, 20, 20, 20}, {290, 290, 3}}};
    // So many rows that a card takes several at once; in the last one neighbours see nothing in common.
    const Shape many{8, 2, 64, 64, {span(200, 131), span(0, 129)}};
    const Shape manyWindowed{8, 8, 32, 32, {span(290, 150), span(10, 110)}, 40, 0.0f, true, ops::CacheType::F32};
    Shape scattered{24, 12, 16, 16, {{}}, 8};
    for (int32_t i = 0; i < 90; ++i) scattered.positions[0].push_back(i * 29 % 90 + (i % 3 == 0 ? 200 : 0));
    return {chunked, windowed, warm, both, many, manyWindowed, scattered};
}

// What overflows or vanishes where sums or weights have half precision: scores far apart, sums of large values, and very long
// contexts, in which each token counts little.
std::vector<Shape> extremeShapes() {
    Shape flat{8, 2, 64, 64, {{3000}, span(200, 5)}}, apart{8, 2, 64, 64, {{1500}, span(200, 5)}};
    flat.valueSize = 30000.0f;
    flat.querySize = 0.01f;
    apart.querySize = 2000.0f;
    Shape capped = apart, many = flat, longest{2, 1, 32, 32, {{100000}}};
    capped.softCap = 50.0f;
    many.positions = {span(900, 70)};
    longest.valueSize = 30000.0f;
    longest.querySize = 0.01f;
    Shape flatFloats = flat;
    flatFloats.type = ops::CacheType::F32;
    flatFloats.valueSize = 1e6f;
    return {flat, apart, capped, many, longest, flatFloats};
}

// Shapes of attention and of the writing of its cache.
std::vector<Shape> shapes() {
    using ops::CacheType;
    return {
        {1, 1, 64, 64, {{0}}},
        {9, 3, 64, 64, {{70}}},
        {9, 3, 64, 64, {{70}}, 0, 0.0f, false, CacheType::F32},
        {9, 3, 64, 64, {span(0, 33)}},
        {9, 3, 64, 64, {span(250, 17)}, 0, 0.0f, false, CacheType::F32},
        {9, 3, 64, 64, {{700}, {3}, {258}, {511}}},
        {4, 1, 256, 256, {{600}}, 512},
        {4, 1, 256, 256, {span(500, 20)}, 64, 0.0f, false, CacheType::F32},
        {4, 1, 256, 256, {span(90, 5), {300}}, 100, 30.0f},
        {8, 8, 80, 80, {span(30, 3)}},
        {12, 4, 96, 96, {span(31, 8)}, 0, 0.0f, false, CacheType::F32},
        {14, 2, 64, 64, {{31}, {32}, {33}}},
        {9, 1, 128, 128, {span(255, 3)}, 0, 50.0f},
        {8, 4, 128, 128, {span(1020, 2)}, 0, 0.0f, true},
        {8, 2, 64, 64, {span(120, 9)}, 32, 0.0f, true, CacheType::F32},
        {16, 16, 128, 64, {{513}, span(7, 4)}},
        {5, 1, 64, 64, {{2047}}, 0, 0.0f, false, CacheType::F16},
        {16, 1, 576, 512, {{40}, span(270, 3)}, 0, 0.0f, false, CacheType::F16, true},
        {6, 1, 48, 32, {span(30, 5), {600}}, 0, 0.0f, false, CacheType::F32, true},
    };
}

// The types besides floats and halves: each with a few rows of long sequences and with a prompt's rows, and pairs of types.
std::vector<Shape> typedShapes() {
    using ops::CacheType;
    const Shape decode{9, 3, 64, 64, {{300}, {3}, {258}}}, prefill{4, 2, 96, 32, {span(5, 12), span(250, 15)}};
    const Shape latent{4, 1, 96, 64, {{40}, span(270, 3)}, 0, 0.0f, false, CacheType::Q8_0, true};
    std::vector<Shape> shapes{latent};
    for (const CacheType type : {CacheType::BF16, CacheType::F8_E4M3, CacheType::Q8_0, CacheType::Q5_1, CacheType::IQ4_NL, CacheType::Q4_0, CacheType::MXFP4})
        for (Shape shape : {decode, prefill}) {
            shape.type = type;
            shapes.push_back(shape);
        }
    const std::pair<CacheType, CacheType> pairs[] = {{CacheType::Q8_0, CacheType::Q4_0}, {CacheType::F16, CacheType::Q5_1}, {CacheType::MXFP4, CacheType::F32}};
    for (const auto& [k, v] : pairs) {
        Shape shape = prefill;
        shape.type = k;
        shape.ownTypeV = v;
        shapes.push_back(shape);
    }
    return shapes;
}

} // namespace

std::vector<OpCase> attentionCases() {
    std::vector<OpCase> cases;
    const auto add = [&](const Shape& shape) {
        cases.push_back(opCase<ops::Attention>(shapeName(shape), [=](Device& device) { return runAttention(device, shape); }));
    };
    std::vector<Shape> written = shapes();
    for (const auto& shape : typedShapes()) written.push_back(shape);
    for (const auto& shape : written) {
        add(shape);
        cases.push_back(opCase<ops::CacheWrite>(shapeName(shape), [=](Device& device) { return runCacheWrite(device, shape); }));
        if (!shape.latent) continue;
        for (const uint32_t ratio : {4u, 128u})
            cases.push_back(opCase<ops::CacheWrite>(shapeName(shape) + ", " + std::to_string(ratio) + " to one",
                                                    [=](Device& device) { return runCacheWrite(device, shape, ratio); }));
    }
    for (const auto& shape : attentionShapes()) add(shape);
    for (const auto& shape : extremeShapes()) add(shape);
    return cases;
}

} // namespace steelyard::tests
