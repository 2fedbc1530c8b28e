// An engine with a model loaded, for tests: waits for what the window would wait for by events.
#pragma once

#include "engine/engine.h"

#include <QString>
#include <QTest>

#include <optional>
#include <string>
#include <vector>

namespace steelyard {

class LoadedEngine {
public:
    LoadedEngine() : engine(EngineOptions{}) {}

    // Empty, or the sentence of the failure.
    std::string load(const std::filesystem::path& path, const std::string& device, TensorType kvType = TensorType::F16, uint32_t context = 0,
                     std::optional<TensorType> kvTypeV = std::nullopt) {
        LoadRequest request;
        request.path = path;
        request.device = device;
        request.contextLength = context;
        request.kvTypeK = kvType;
        request.kvTypeV = kvTypeV.value_or(kvType);
        return load(std::move(request));
    }
    std::string load(LoadRequest request) {
        request.model = ++m_model;
        engine.load(std::move(request));
        for (;;) {
            for (auto& event : engine.waitForEvents(1000)) {
                if (auto* done = std::get_if<LoadFinished>(&event)) {
                    facts = done->facts;
                    return {};
                }
                if (auto* failed = std::get_if<LoadFailed>(&event)) return failed->sentence;
            }
        }
    }

    struct Answer {
        std::string text;
        std::vector<int32_t> ids;
        std::vector<std::string> pieces; // as they came
        std::vector<float> timesMs;
        std::vector<TokenLogprobs> logprobs;
        GenerationFinished end;
    };

    GenerateRequest request(Prompt prompt, int32_t maxTokens = 64) {
        GenerateRequest request;
        request.id = ++m_request;
        request.model = m_model;
        request.prompt = std::move(prompt);
        request.sampling.temperature = 0;
        request.maxTokens = maxTokens;
        return request;
    }

    Answer generate(GenerateRequest request) {
        const RequestId id = request.id;
        engine.submit(std::move(request));
        return wait(id);
    }

    Answer wait(RequestId id) {
        Answer answer;
        for (;;) {
            for (auto& event : engine.waitForEvents(1000)) {
                if (auto* delta = std::get_if<TextDelta>(&event); delta && delta->id == id) {
                    answer.text += delta->text;
                    answer.ids.insert(answer.ids.end(), delta->ids.begin(), delta->ids.end());
                    answer.pieces.push_back(delta->text);
                    answer.timesMs.insert(answer.timesMs.end(), delta->timesMs.begin(), delta->timesMs.end());
                    answer.logprobs.insert(answer.logprobs.end(), delta->logprobs.begin(), delta->logprobs.end());
                }
                if (auto* end = std::get_if<GenerationFinished>(&event); end && end->id == id) {
                    answer.end = *end;
                    return answer;
                }
            }
        }
    }

    // The logits of rows from `from` on, row after row.
    Result<std::vector<float>> score(std::vector<int32_t> ids, uint32_t from = 0, uint32_t batchRows = 0) {
        ScoreRequest request;
        request.model = m_model;
        request.ids = std::move(ids);
        request.from = from;
        request.batchRows = batchRows;
        std::vector<float> logits;
        const auto done = engine.score(request, [&](uint32_t, std::span<const float> row) { logits.insert(logits.end(), row.begin(), row.end()); });
        if (!done) return done.error();
        return logits;
    }

    ModelId model() const { return m_model; }

    Engine engine;
    ModelFacts facts;

private:
    ModelId m_model = 0;
    RequestId m_request = 0;
};

// Whether a device can be opened here; where STEELYARD_REQUIRE_DEVICES is set it must, and the test fails otherwise.
inline bool deviceMissing(const std::string& id) {
    for (const auto& row : listDevices())
        if (row.usable && (row.id == id || row.id.rfind(id + ":", 0) == 0)) return false;
    return true;
}

// The folder of the two real models, or empty.
inline std::string modelFolder() { return qEnvironmentVariable("STEELYARD_MODEL_CACHE").toStdString(); }
constexpr const char* kSmolLm2 = "SmolLM2-135M-Instruct.Q4_1.gguf";
constexpr const char* kGemma3 = "gemma-3-270m-Q4_K_M.gguf";

inline Prompt idsPrompt(std::vector<int32_t> ids) {
    Prompt prompt;
    prompt.kind = Prompt::Kind::Ids;
    prompt.ids = std::move(ids);
    return prompt;
}

inline Prompt textPrompt(std::string text) {
    Prompt prompt;
    prompt.text = std::move(text);
    return prompt;
}

inline Prompt chatPrompt(std::vector<ChatMessage> messages) {
    Prompt prompt;
    prompt.kind = Prompt::Kind::Messages;
    prompt.messages = std::move(messages);
    return prompt;
}

} // namespace steelyard

