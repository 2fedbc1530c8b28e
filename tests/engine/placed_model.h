// A tiny model over devices as a placement says, without an engine around it, and its logits. Knows nothing of what is right.
#pragma once

#include "engine/memory/memory_plan.h"
#include "engine/model/architectures.h"
#include "engine/model/transformer.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace steelyard {

inline const std::string kTinyModels = std::string(STEELYARD_TEST_DATA) + "/architectures/";

struct TinyFile {
    GgufFile file;
    ModelSpec spec;
};

inline TinyFile openTiny(const std::string& name) {
    auto file = GgufFile::open(kTinyModels + name + ".gguf");
    if (!file) throw std::runtime_error(file.sentence());
    auto spec = readSpec(*file);
    if (!spec) throw std::runtime_error(spec.sentence());
    return {std::move(*file), std::move(*spec)};
}

// A model divided over devices as a placement says.
inline std::unique_ptr<Transformer> loadPlaced(const TinyFile& tiny, const std::vector<Device*>& devices, const Placement& placement) {
    PlanOptions options;
    options.contextLength = 96;
    options.cacheTypes = {TensorType::F32, TensorType::F32};
    options.sequences = 2;
    auto layout = layOutLoad(tiny.spec, options, placement);
    if (!layout) throw std::runtime_error(layout.sentence());
    const std::atomic<bool> cancelled = false;
    std::vector<DeviceWeights> parts;
    for (uint32_t number = 0; number < devices.size(); ++number) {
        auto weights = loadWeights(tiny.spec, tiny.file, *devices[number], {}, cancelled, {placement, number});
        if (!weights) throw std::runtime_error(weights.sentence());
        parts.push_back({devices[number], std::move(*weights)});
    }
    auto transformer = Transformer::create(std::move(parts), placement, tiny.spec, std::move(layout->cache), layout->shape);
    if (!transformer) throw std::runtime_error(transformer.sentence());
    return std::move(*transformer);
}

// Logits of all rows, read `chunk` rows a step; the error of the first step that fails.
inline Result<std::vector<float>> tryLogits(Transformer& transformer, uint32_t chunk) {
    std::vector<int32_t> ids;
    for (int i = 0; i < 48; ++i) ids.push_back((i * 37 + 11) % 127);
    std::vector<float> all;
    CachedSequence sequence;
    Result<void> done;
    for (uint32_t from = 0; from < ids.size() && done; from += chunk) {
        const auto to = std::min<uint32_t>(from + chunk, static_cast<uint32_t>(ids.size()));
        if (transformer.cache().extend(sequence, to)) throw std::runtime_error("the cache is full");
        Step step;
        for (uint32_t row = from; row < to; ++row) {
            step.ids.push_back(ids[row]);
            step.positions.push_back(static_cast<int32_t>(row));
            step.sequences.push_back(0);
        }
        step.tables = {&sequence};
        std::vector<int32_t> rows(to - from);
        std::iota(rows.begin(), rows.end(), 0);
        done = transformer.run(step);
        if (done) done = transformer.runHead(rows);
        if (!done) break;
        if (const auto logits = transformer.logits()) all.insert(all.end(), logits->begin(), logits->end());
        else done = logits.error();
        transformer.cache().commit(sequence, to);
    }
    transformer.cache().release(sequence);
    if (!done) return done.error();
    return all;
}

inline std::vector<float> logitsOf(Transformer& transformer, uint32_t chunk) {
    auto logits = tryLogits(transformer, chunk);
    if (!logits) throw std::runtime_error(logits.sentence());
    return std::move(*logits);
}

} // namespace steelyard
