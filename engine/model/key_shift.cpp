#include "engine/model/key_shift.h"

#include "kernels/ops/cache_write.h"
#include "kernels/ops/hadamard.h"
#include "kernels/ops/rotary.h"

#include <vector>

namespace steelyard {

namespace {

bool turnsPlainly(const LayerSpec& layer) {
    if (layer.recurrent || !layer.attention) return false;
    const AttentionSpec& attention = *layer.attention;
    if (attention.valuesInKeys() || attention.window > 0 || attention.chunk > 0) return false;
    if (attention.headNorms && attention.headNorms->afterRotation) return false; // its weights stand in the way
    return !attention.rope || attention.rope->factors == RopeFactors::None;
}

template <class Op>
void define(const Op& op) {
    for (uint32_t item = 0; item < items(op); ++item) compute(op, item);
}

// The op that turns keys [heads, headDim] of one position back by `count` positions.
ops::Rotary turnBack(const AttentionSpec& attention, const int32_t& count, std::vector<float>& keys) {
    ops::Rotary op = rotaryOf(*attention.rope);
    op.x = reinterpret_cast<uint64_t>(keys.data());
    op.positions = reinterpret_cast<uint64_t>(&count);
    op.rows = 1;
    op.heads = attention.kvHeads;
    op.headDim = attention.headDimK;
    op.magnitude = 1.0f; // the keys have theirs already
    op.direction = -1.0f;
    return op;
}

// The keys of one layer in a block, `slots` positions of them.
void turnKeys(const AttentionSpec& attention, const CacheLayout& layout, uint8_t* part, uint32_t slots, int32_t count) {
    const uint32_t dim = attention.headDimK, heads = attention.kvHeads;
    std::vector<float> keys(size_t(heads) * dim);
    const ops::Rotary turn = turnBack(attention, count, keys);
    const uint32_t run = layout.rotatesK() ? ops::hadamardBlock(dim) : 1;
    const ops::Hadamard spread{reinterpret_cast<uint64_t>(keys.data()), 1, heads * dim, run, 0};
    for (uint32_t slot = 0; slot < slots; ++slot) {
        for (uint32_t head = 0; head < heads; ++head) {
            const auto row = ops::cacheRowAt<const uint8_t>(part, layout.typeK(), head, slot, dim);
            for (uint32_t i = 0; i < dim; ++i) keys[size_t(head) * dim + i] = ops::loadCacheValue(layout.typeK(), row, i);
        }
        if (run > 1) define(spread); // its own inverse
        define(turn);
        if (run > 1) define(spread);
        for (uint32_t head = 0; head < heads; ++head)
            ops::storeCacheRow(layout.typeK(), ops::cacheRowAt(part, layout.typeK(), head, slot, dim), keys.data() + size_t(head) * dim, dim);
    }
}

} // namespace

std::string whyNoShift(const ModelSpec& spec) {
    if (spec.hyper || spec.positionTable || !spec.causal) return "its positions are not in its keys alone";
    for (const auto& layer : spec.layers)
        if (!turnsPlainly(layer)) return "it has layers whose cache cannot be moved to other positions";
    return {};
}

Result<bool> removeTokens(const ModelSpec& spec, KvCache& cache, CachedSequence& sequence, uint32_t from, uint32_t count,
                          const std::function<bool(size_t)>& drop) {
    const uint32_t firstBlock = from / ops::kBlockTokens, blocks = count / ops::kBlockTokens;
    const CacheLayout& layout = cache.layout();
    for (size_t group = 0; group < sequence.tables.size(); ++group) {
        auto& table = sequence.tables[group];
        for (uint32_t i = firstBlock; i < firstBlock + blocks; ++i) cache.pools()[group].release(table[i]);
        table.erase(table.begin() + firstBlock, table.begin() + firstBlock + blocks);
    }
    sequence.length -= count;
    if (!cache.makeOwnFrom(sequence, from, drop)) return false;
    std::vector<uint8_t> bytes;
    for (size_t group = 0; group < sequence.tables.size(); ++group) {
        bytes.resize(cache.blockBytes(group));
        for (uint32_t index = firstBlock; index * ops::kBlockTokens < sequence.length; ++index) {
            const int32_t block = sequence.tables[group][index];
            if (auto read = cache.readBlocks(group, block, bytes); !read) return read.error();
            const uint32_t slots = std::min(ops::kBlockTokens, sequence.length - index * ops::kBlockTokens);
            for (uint32_t layer = 0; layer < spec.layers.size(); ++layer) {
                const auto& attention = *spec.layers[layer].attention;
                if (attention.cacheOf || !attention.rope || layout.place(layer).group != group) continue;
                turnKeys(attention, layout, bytes.data() + layout.place(layer).offsetK, slots, static_cast<int32_t>(count));
            }
            cache.writeBlocks(group, block, bytes);
        }
    }
    return true;
}

} // namespace steelyard
