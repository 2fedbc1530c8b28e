#include "engine/cache/cache_key.h"

#include "engine/core/little_endian.h"

#include <xxhash.h>

#include <algorithm>
#include <memory>

namespace steelyard {

namespace {

// Of what steps write into pages: another number when their values change.
constexpr uint64_t kVersion = 1;
constexpr uint64_t kSampleBytes = 4096, kSamples = 4; // of each tensor

class Hash {
public:
    Hash() : m_state(XXH3_createState()) { XXH3_128bits_reset(m_state.get()); }
    void add(std::span<const uint8_t> bytes) { XXH3_128bits_update(m_state.get(), bytes.data(), bytes.size()); }
    void add(uint64_t number) {
        std::array<uint8_t, 8> bytes{};
        putLittle<uint64_t>(bytes, number);
        add(bytes);
    }
    CacheKey result() const {
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(m_state.get()));
        CacheKey key;
        std::copy_n(canonical.digest, key.bytes.size(), key.bytes.begin());
        return key;
    }

private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> m_state;
};

} // namespace

CacheKey hashOf(std::initializer_list<std::span<const uint8_t>> pieces) {
    Hash hash;
    for (const auto piece : pieces) hash.add(piece);
    return hash.result();
}

CacheKey cacheKeyOf(const GgufFile& file, const CacheLayout& layout, DeviceKind device) {
    Hash hash;
    hash.add(kVersion);
    hash.add(static_cast<uint64_t>(device));
    hash.add(static_cast<uint64_t>(layout.typeK()));
    hash.add(static_cast<uint64_t>(layout.typeV()));
    hash.add(uint64_t(layout.rotatesK()) | uint64_t(layout.rotatesV()) << 1);
    hash.add(layout.stateBytes());
    hash.add(ops::kBlockTokens);
    for (const auto& group : layout.groups())
        for (const uint64_t number : {uint64_t(group.window), uint64_t(group.ratio), uint64_t(group.latent), group.blockBytes, uint64_t(group.layers)})
            hash.add(number);
    hash.add(file.fileBytes());
    if (!file.parts().empty()) hash.add(file.parts()[0]->bytes().first(file.dataOffset()));
    for (const auto& tensor : file.tensors()) {
        hash.add(tensor.offset);
        const auto data = file.data(tensor);
        for (uint64_t sample = 0; sample < kSamples && !data.empty(); ++sample) {
            const uint64_t room = data.size() - std::min<uint64_t>(data.size(), kSampleBytes);
            const uint64_t from = room / (kSamples - 1) * sample;
            hash.add(data.subspan(sample + 1 == kSamples ? room : from, std::min<uint64_t>(data.size(), kSampleBytes)));
        }
    }
    return hash.result();
}

} // namespace steelyard
