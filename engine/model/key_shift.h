// Takes tokens out of the middle of a cached sequence by turning the keys behind them to earlier positions.
//
// Not exact: keys and values behind still hold what the removed tokens made of them. So it is only for sequences that nobody shares
// and that leave nothing to others. Works on the host with the ops' own definitions, whatever the cache's type. Source: Xiao et al.,
// "Efficient Streaming Language Models with Attention Sinks" (positions within the cache).
#pragma once

#include "engine/cache/kv_cache.h"
#include "engine/model/model_spec.h"

#include <string>

namespace steelyard {

// Why the keys of such a model cannot be turned, or empty: every layer must be plain attention that sees all positions, with one
// kind of rotation.
std::string whyNoShift(const ModelSpec& spec);

// Removes positions [from, from + count) of a sequence, both multiples of kBlockTokens, with from + count at most its length. Blocks
// from `from` on become the sequence's own. `drop` as in KvCache::makeOwn. False when there is no room for copies (then the sequence was
// released); an error when the device failed.
Result<bool> removeTokens(const ModelSpec& spec, KvCache& cache, CachedSequence& sequence, uint32_t from, uint32_t count,
                          const std::function<bool(size_t)>& drop);

} // namespace steelyard
