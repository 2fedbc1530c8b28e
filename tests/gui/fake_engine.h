// An engine that answers by script, for tests of the window: no model, no thread, every event when the test says so.
//
// By itself it loads at once and repeats the last message back, word by word; a test can hold either back and send events of
// its own. Knows nothing of Qt.
#pragma once

#include "gui/engine_client/engine_port.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

class FakeEngine : public EnginePort {
public:
    // What the test turns and reads; outlives the engine.
    struct Script {
        bool loadsAtOnce = true, repliesAtOnce = true;
        std::string loadFailure;
        std::function<std::string(const GenerateRequest&)> reply; // instead of repeating
        std::function<MemoryPlan(const LoadRequest&)> plan;       // instead of "fits"
        std::function<Result<void>(const std::string& grammar, const std::string& jsonSchema)> checkForm; // instead of "sound"
        std::vector<DeviceInfo> devices;
        ModelFacts facts;
        int fullQueue = 0; // how many commands are refused before one is taken
        std::vector<LoadRequest> loads;
        std::vector<ModelId> unloads, cancelledLoads;
        std::vector<GenerateRequest> requests;
        std::vector<GenerateRequest> readAheads; // never answered but by cancel
        std::vector<RequestId> cancels;
        std::vector<uint64_t> forgotten;
        std::vector<std::pair<std::filesystem::path, uint64_t>> chatFolders; // where chats were to be kept, and how many bytes
        std::shared_ptr<std::atomic<uint64_t>> keptChatsBytes = std::make_shared<std::atomic<uint64_t>>(0);
        FakeEngine* engine = nullptr;
    };

    static EngineFactory factory(Script& script) {
        return [&script](std::function<void()> wake) { return std::make_unique<FakeEngine>(script, std::move(wake)); };
    }

    FakeEngine(Script& script, std::function<void()> wake) : m_script(script), m_wake(std::move(wake)) {
        m_script.engine = this;
        if (m_script.facts.name.empty()) {
            m_script.facts.name = "Fake";
            m_script.facts.quantization = "Q4_1";
            m_script.facts.contextLength = 4096;
            m_script.facts.trainedContext = 8192;
            m_script.facts.hasChatTemplate = true;
            m_script.facts.deviceName = "Test";
        }
        setSnapshot({});
    }
    ~FakeEngine() override { m_script.engine = nullptr; }

    bool load(const LoadRequest& request) override {
        if (refuses()) return false;
        m_script.loads.push_back(request);
        if (!m_script.loadFailure.empty())
            send({LoadFailed{request.model, m_script.loadFailure, false}});
        else if (m_script.loadsAtOnce)
            finishLoad(request.model);
        return true;
    }
    void finishLoad(ModelId model) {
        ModelFacts facts = m_script.facts;
        if (!m_script.loads.empty() && m_script.loads.back().contextLength > 0) facts.contextLength = m_script.loads.back().contextLength;
        send({LoadProgress{model, 1.0f}, LoadFinished{model, facts, 12}});
    }
    bool cancelLoad(ModelId model) override {
        if (refuses()) return false;
        m_script.cancelledLoads.push_back(model);
        send({LoadFailed{model, "cancelled", true}});
        return true;
    }
    bool unload(ModelId model) override {
        if (refuses()) return false;
        m_script.unloads.push_back(model);
        send({Unloaded{model}});
        return true;
    }
    bool submit(const GenerateRequest& request) override {
        if (refuses()) return false;
        if (request.priority == Priority::ReadAhead) {
            m_script.readAheads.push_back(request);
            return true;
        }
        m_script.requests.push_back(request);
        if (m_script.repliesAtOnce) {
            const std::string text = m_script.reply ? m_script.reply(request) : lastText(request);
            send({PromptProgress{request.id, 10, 0, 10}});
            write(request.id, text);
            finish(request.id);
        }
        return true;
    }
    bool cancel(RequestId id) override {
        if (refuses()) return false;
        m_script.cancels.push_back(id);
        finish(id, StopReason::Cancelled);
        return true;
    }
    bool forgetChat(uint64_t chat) override {
        m_script.forgotten.push_back(chat);
        return true;
    }
    bool keepChats(const std::filesystem::path& folder, uint64_t mostBytes) override {
        m_script.chatFolders.emplace_back(folder, mostBytes);
        return true;
    }
    std::vector<Event> takeEvents() override {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_events, {});
    }
    std::shared_ptr<const Snapshot> snapshot() const override {
        const std::lock_guard lock(m_mutex);
        return m_snapshot;
    }
    Result<FileSummary> inspect(const std::filesystem::path&) const override {
        FileSummary summary;
        summary.facts = m_script.facts;
        return summary;
    }
    Result<MemoryPlan> plan(const LoadRequest& request) const override {
        if (m_script.plan) return m_script.plan(request);
        MemoryPlan plan;
        plan.contextLength = request.contextLength;
        plan.fit = MemoryPlan::Fit::Fits;
        return plan;
    }
    Result<void> checkForm(const std::string& grammar, const std::string& jsonSchema) const override {
        return m_script.checkForm ? m_script.checkForm(grammar, jsonSchema) : Result<void>();
    }
    std::vector<DeviceInfo> devices() const override { return m_script.devices; }
    uint64_t keptChatsBytes(const std::filesystem::path&) const override { return *m_script.keptChatsBytes; }
    void removeKeptChats(const std::filesystem::path&) const override { *m_script.keptChatsBytes = 0; }

    // --- From the test, any thread
    void send(std::vector<Event> events) {
        {
            const std::lock_guard lock(m_mutex);
            for (Event& event : events) m_events.push_back(std::move(event));
        }
        if (m_wake) m_wake();
    }
    void write(RequestId id, const std::string& text) {
        std::vector<Event> events;
        size_t from = 0;
        while (from < text.size()) { // a word with the blank before it is a token
            const size_t to = std::min(text.find(' ', from + 1), text.size());
            events.push_back(TextDelta{id, text.substr(from, to - from), {int32_t(from)}});
            from = to;
        }
        m_written += events.size();
        send(std::move(events));
    }
    void finish(RequestId id, StopReason reason = StopReason::EndToken, const std::string& sentence = {}) {
        GenerationFinished finished;
        finished.id = id;
        finished.reason = reason;
        finished.sentence = sentence;
        finished.statistics.promptTokens = 10;
        finished.statistics.generatedTokens = static_cast<uint32_t>(m_written);
        finished.statistics.ttftMs = 142;
        finished.statistics.itlP50Ms = 20;
        finished.statistics.itlP95Ms = 30;
        finished.statistics.decodeTokensPerSecond = 38.2;
        finished.statistics.prefillMs = 100;
        finished.statistics.seed = 7;
        m_written = 0;
        send({finished});
    }
    void setSnapshot(Snapshot snapshot) {
        const std::lock_guard lock(m_mutex);
        m_snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
    }

private:
    bool refuses() {
        if (m_script.fullQueue <= 0) return false;
        --m_script.fullQueue;
        return true;
    }
    static std::string lastText(const GenerateRequest& request) {
        if (request.prompt.kind == Prompt::Kind::Text) return request.prompt.text;
        return request.prompt.messages.empty() ? std::string() : request.prompt.messages.back().content;
    }

    Script& m_script;
    std::function<void()> m_wake;
    mutable std::mutex m_mutex;
    std::vector<Event> m_events;
    std::shared_ptr<const Snapshot> m_snapshot;
    size_t m_written = 0;
};

} // namespace steelyard
