// Weights for tiny models, so that their replies differ.
#pragma once

#include "engine/format/gguf_file.h"
#include "tests/engine/tiny_model.h"

#include <QtGlobal>

#include <cstring>
#include <string>

namespace steelyard {

// The tiny model with weights from a counter, so that its replies differ.
inline std::string withWeights(const TinyModel& model) {
    std::string bytes = model.bytes();
    const auto file = GgufFile::parse({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, bytes.size());
    if (!file) qFatal("%s", file.sentence().c_str());
    uint32_t state = 1;
    for (const auto& tensor : file->tensors())
        for (uint64_t at = 0; at < tensor.bytes; at += sizeof(float)) {
            state = state * 1664525u + 1013904223u;
            const float value = (static_cast<float>(state >> 8) * 0x1p-24f - 0.5f) * (tensor.rows() == 1 ? 2.0f : 0.7f);
            std::memcpy(bytes.data() + tensor.offset + at, &value, sizeof value);
        }
    return bytes;
}

} // namespace steelyard
