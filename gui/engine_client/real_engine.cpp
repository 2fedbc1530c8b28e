#include "gui/engine_client/engine_port.h"

#include <utility>

namespace steelyard {
namespace {

class RealEngine final : public EnginePort {
public:
    RealEngine(LogSink log, std::function<void()> wake)
        : m_engine(EngineOptions{std::move(log), std::move(wake)}) {}

    bool load(const LoadRequest& request) override { return m_engine.load(request); }
    bool cancelLoad(ModelId model) override { return m_engine.cancelLoad(model); }
    bool unload(ModelId model) override { return m_engine.unload(model); }
    bool submit(const GenerateRequest& request) override { return m_engine.submit(request); }
    bool cancel(RequestId id) override { return m_engine.cancel(id); }
    bool forgetChat(uint64_t chat) override { return m_engine.forgetChat(chat); }
    bool keepChats(const std::filesystem::path& folder, uint64_t mostBytes) override { return m_engine.keepChats(folder, mostBytes); }
    std::vector<Event> takeEvents() override { return m_engine.takeEvents(); }
    std::shared_ptr<const Snapshot> snapshot() const override { return m_engine.snapshot(); }
    Result<FileSummary> inspect(const std::filesystem::path& path) const override { return Engine::inspect(path); }
    Result<MemoryPlan> plan(const LoadRequest& request) const override { return Engine::plan(request); }
    Result<void> checkForm(const std::string& grammar, const std::string& jsonSchema) const override { return Engine::checkForm(grammar, jsonSchema); }
    std::vector<DeviceInfo> devices() const override { return listDevices(); }
    uint64_t keptChatsBytes(const std::filesystem::path& folder) const override { return Engine::keptChatsBytes(folder); }
    void removeKeptChats(const std::filesystem::path& folder) const override { Engine::removeKeptChats(folder); }

private:
    Engine m_engine;
};

} // namespace

EngineFactory realEngine(LogSink log) {
    return [log = std::move(log)](std::function<void()> wake) -> std::unique_ptr<EnginePort> {
        return std::make_unique<RealEngine>(log, std::move(wake));
    };
}

} // namespace steelyard
