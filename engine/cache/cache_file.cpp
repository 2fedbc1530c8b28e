#include "engine/cache/cache_file.h"

#include "engine/core/checked_math.h"
#include "engine/core/little_endian.h"
#include "engine/format/mapped_file.h"
#include "engine/format/output_file.h"
#include "engine/format/readable.h"

#include <algorithm>
#include <array>

namespace steelyard {

namespace {

constexpr std::array<uint8_t, 8> kMagic{'S', 'T', 'L', 'Y', 'K', 'V', 0, 0};
constexpr uint32_t kVersion = 1;
constexpr uint64_t kHeadBytes = 96, kPagesSumAt = 64, kOwnSumAt = 80, kAlignment = 4096;
constexpr uint64_t kWriteBytes = 4 << 20; // at once

using Bytes = std::span<const uint8_t>;

// Everything before the pages, the file's own sum still missing.
std::vector<uint8_t> describingPart(const CacheKey& key, const PageImage& image) {
    uint64_t size = kHeadBytes + image.ids.size() * 4 + image.shape.states.size() * 4;
    for (const auto& places : image.shape.held) size += (places.size() + 7) / 8;
    const uint64_t pagesAt = alignUp(size, kAlignment);
    std::vector<uint8_t> bytes(kMagic.begin(), kMagic.end());
    bytes.reserve(pagesAt);
    appendLittle<uint32_t>(bytes, kVersion);
    appendLittle<uint32_t>(bytes, image.longFactors ? 1 : 0);
    bytes.insert(bytes.end(), key.bytes.begin(), key.bytes.end());
    for (const uint64_t number : {uint64_t(image.ids.size()), uint64_t(image.shape.length), uint64_t(image.shape.held.size()), uint64_t(image.shape.states.size())})
        appendLittle<uint32_t>(bytes, static_cast<uint32_t>(number));
    appendLittle<uint64_t>(bytes, pagesAt);
    appendLittle<uint64_t>(bytes, image.bytes.size());
    const CacheKey pages = hashOf({image.bytes});
    bytes.insert(bytes.end(), pages.bytes.begin(), pages.bytes.end());
    bytes.resize(kHeadBytes, 0);
    for (const int32_t id : image.ids) appendLittle<uint32_t>(bytes, static_cast<uint32_t>(id));
    for (const auto& places : image.shape.held)
        for (size_t place = 0; place < places.size(); place += 8) {
            uint8_t bits = 0;
            for (size_t bit = 0; bit < 8 && place + bit < places.size(); ++bit) bits |= static_cast<uint8_t>(places[place + bit] << bit);
            bytes.push_back(bits);
        }
    for (const uint32_t length : image.shape.states) appendLittle<uint32_t>(bytes, length);
    bytes.resize(pagesAt, 0);
    return bytes;
}

CacheKey ownSum(Bytes before) { return hashOf({before.first(kOwnSumAt), before.subspan(kHeadBytes)}); }

bool holds(Bytes bytes, uint64_t at, const CacheKey& sum) { return std::equal(sum.bytes.begin(), sum.bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)); }

// The part before the pages, checked as far as it must be to be read.
Result<Bytes> soundPart(Bytes file, const CacheKey& key) {
    if (file.size() < kHeadBytes) return Error{"it has only " + std::to_string(file.size()) + " bytes"};
    if (!std::equal(kMagic.begin(), kMagic.end(), file.begin())) return Error{"it is not a kept chat"};
    if (littleAt<uint32_t>(file, 8) != kVersion) return Error{"it has version " + std::to_string(littleAt<uint32_t>(file, 8)) + " of its format"};
    const uint64_t pagesAt = littleAt<uint64_t>(file, 48), pages = littleAt<uint64_t>(file, 56);
    if (pagesAt < kHeadBytes || pagesAt % kAlignment != 0 || pagesAt > file.size() || file.size() - pagesAt != pages) return Error{"it is not whole"};
    const Bytes before = file.first(pagesAt);
    if (!holds(before, kOwnSumAt, ownSum(before))) return Error{"its checksum is wrong"};
    if (!holds(before, 16, key)) return Error{"it belongs to another model or other cache types"};
    return before;
}

} // namespace

Result<PageImage> readCacheFile(std::span<const uint8_t> file, const CacheKey& key, const CacheLayout& layout) {
    const auto sound = soundPart(file, key);
    if (!sound) return sound.error();
    const Bytes before = *sound;
    PageImage image;
    image.longFactors = littleAt<uint32_t>(before, 12) != 0;
    const uint64_t ids = littleAt<uint32_t>(before, 32), groups = littleAt<uint32_t>(before, 40), states = littleAt<uint32_t>(before, 44);
    image.shape.length = littleAt<uint32_t>(before, 36);
    if (image.shape.length > ids || groups != layout.groups().size()) return Error{"its numbers do not fit"};
    uint64_t size = kHeadBytes + ids * 4 + states * 4; // numbers of 32 bits: no wrap
    for (const auto& group : layout.groups()) size += (group.blocksFor(image.shape.length) + 7) / 8;
    if (size > before.size()) return Error{"its numbers do not fit"};
    uint64_t at = kHeadBytes;
    for (uint64_t index = 0; index < ids; ++index, at += 4) image.ids.push_back(static_cast<int32_t>(littleAt<uint32_t>(before, at)));
    for (const auto& group : layout.groups()) {
        const uint32_t blocks = group.blocksFor(image.shape.length);
        auto& places = image.shape.held.emplace_back();
        for (uint32_t place = 0; place < blocks; ++place) places.push_back((before[at + place / 8] >> (place % 8)) & 1);
        at += (blocks + 7) / 8;
    }
    for (uint64_t index = 0; index < states; ++index, at += 4) image.shape.states.push_back(littleAt<uint32_t>(before, at));
    if (const std::string why = unfitShape(image.shape, layout); !why.empty()) return Error{why};
    image.bytes = file.subspan(before.size());
    if (image.bytes.size() != imageBytes(image.shape, layout)) return Error{"its pages are not as many as it says"};
    if (!holds(before, kPagesSumAt, hashOf({image.bytes}))) return Error{"the checksum of its pages is wrong"};
    return image;
}

Result<PageImage> openCacheFile(const std::filesystem::path& path, const CacheKey& key, const CacheLayout& layout) {
    auto opened = MappedFile::open(path);
    if (!opened) return opened.error();
    const auto file = std::make_shared<const MappedFile>(std::move(*opened));
    file->willNeed(0, file->bytes().size());
    auto image = readCacheFile(file->bytes(), key, layout);
    if (!image) return Error{"The kept chat " + pathText(path) + " is not used: " + image.sentence() + "."};
    image->owner = file;
    image->fromDisk = true;
    return image;
}

Result<void> writeCacheFile(const std::filesystem::path& path, const CacheKey& key, const PageImage& image) {
    auto before = describingPart(key, image);
    const CacheKey sum = ownSum(before);
    std::copy(sum.bytes.begin(), sum.bytes.end(), before.begin() + kOwnSumAt);
    auto output = OutputFile::create(path, OutputFile::Readers::Owner);
    if (!output) return output.error();
    if (auto done = output->write(before); !done) return done;
    for (uint64_t from = 0; from < image.bytes.size(); from += kWriteBytes)
        if (auto done = output->write(image.bytes.subspan(from, std::min<uint64_t>(kWriteBytes, image.bytes.size() - from))); !done) return done;
    return output->finish();
}

} // namespace steelyard
