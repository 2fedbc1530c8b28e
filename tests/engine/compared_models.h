// Columns of tiny models that differ, for tests of comparisons: a model whose weights are no zeros, and the same in Q8_0. Knows nothing
// of what is right.
#pragma once

#include "engine/evaluate/comparison.h"
#include "tests/engine/loaded_engine.h"
#include "tests/engine/tiny_model.h"

#include <QTemporaryDir>

#include <cmath>
#include <cstring>
#include <fstream>

namespace steelyard {

const std::atomic<bool> kGoesOn{false};

// A text of the tiny vocabulary's letters, the same each time.
inline std::string someText(size_t letters) {
    std::string text;
    for (size_t i = 0; i < letters; ++i) text += static_cast<char>('a' + (i * i * 3 + i * 5 + i / 7) % 4);
    return text;
}

inline bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

class ComparedModels {
public:
    ComparedModels() : fine(write("fine.gguf", lively())), coarse(place("coarse.gguf")) {
        if (!Engine::quantize({fine, coarse, "Q8_0", 1}, {}, kGoesOn).ok()) qFatal("no coarse model");
    }

    std::filesystem::path place(const std::string& name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }
    std::filesystem::path write(const std::string& name, const TinyModel& model) {
        std::ofstream(place(name), std::ios::binary) << model.bytes();
        return place(name);
    }
    static ComparisonColumn column(const std::filesystem::path& path, TensorType kvType = TensorType::F16) {
        ComparisonColumn column;
        column.load.path = path;
        column.load.device = "cpu";
        column.load.contextLength = 64;
        column.load.kvTypeK = column.load.kvTypeV = kvType;
        return column;
    }
    MeasureRequest measureRequest(const std::string& folder) const {
        MeasureRequest request;
        request.text = someText(200);
        request.context = 16;
        if (!folder.empty()) request.folder = place(folder);
        return request;
    }
    // A model whose weights are no zeros, with the tiny vocabulary.
    static TinyModel lively() {
        TinyModel model;
        const auto wave = [](uint64_t count, float step) {
            std::vector<float> values(count);
            for (uint64_t i = 0; i < count; ++i) values[i] = 0.4f * std::sin(float(i) * step + float(i % 13));
            std::vector<uint8_t> bytes(count * sizeof(float));
            std::memcpy(bytes.data(), values.data(), bytes.size());
            return bytes;
        };
        const auto put = [&](const std::string& name, uint64_t columns, uint64_t rows, float step) { model.tensor(name, {columns, rows}, TensorType::F32, wave(columns * rows, step)); };
        put("token_embd.weight", 32, 8, 0.37f);
        put("output.weight", 32, 8, 0.91f);
        model.filled("output_norm.weight", {32}, 1.0f);
        for (const std::string block : {"blk.0.", "blk.1."}) {
            model.filled(block + "attn_norm.weight", {32}, 1.0f).filled(block + "ffn_norm.weight", {32}, 1.0f);
            put(block + "attn_q.weight", 32, 32, 0.11f);
            put(block + "attn_k.weight", 32, 16, 0.23f);
            put(block + "attn_v.weight", 32, 16, 0.31f);
            put(block + "attn_output.weight", 32, 32, 0.43f);
            put(block + "ffn_gate.weight", 32, 64, 0.53f);
            put(block + "ffn_up.weight", 32, 64, 0.61f);
            put(block + "ffn_down.weight", 64, 32, 0.71f);
        }
        return model;
    }

private:
    QTemporaryDir m_folder;

public:
    const std::filesystem::path fine, coarse;
};

} // namespace steelyard
