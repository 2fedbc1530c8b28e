// The engine as the window sees it: the calls of steelyard::Engine behind an interface, so that the client and the chat
// can be tested with an engine that answers by script.
//
// Invariant: every call returns at once, except those of the last group, which run on a worker thread. Knows nothing
// of Qt and adds no meaning of its own: each function is the function of the same name in engine/engine.h.
#pragma once

// The engine is plain C++ and may call a thing by a word that Qt has made a macro of.
#pragma push_macro("slots")
#pragma push_macro("signals")
#pragma push_macro("emit")
#undef slots
#undef signals
#undef emit
#include "engine/engine.h"
#pragma pop_macro("emit")
#pragma pop_macro("signals")
#pragma pop_macro("slots")

#include <functional>
#include <memory>
#include <vector>

namespace steelyard {

class EnginePort {
public:
    virtual ~EnginePort() = default;

    virtual bool load(const LoadRequest& request) = 0;
    virtual bool cancelLoad(ModelId model) = 0;
    virtual bool unload(ModelId model) = 0;
    virtual bool submit(const GenerateRequest& request) = 0;
    virtual bool cancel(RequestId id) = 0;
    virtual bool forgetChat(uint64_t chat) = 0;
    virtual bool keepChats(const std::filesystem::path& folder, uint64_t mostBytes) = 0;
    virtual std::vector<Event> takeEvents() = 0;
    virtual std::shared_ptr<const Snapshot> snapshot() const = 0;

    // Any thread; these wait for files and drivers.
    virtual Result<FileSummary> inspect(const std::filesystem::path& path) const = 0;
    virtual Result<MemoryPlan> plan(const LoadRequest& request) const = 0;
    virtual Result<void> checkForm(const std::string& grammar, const std::string& jsonSchema) const = 0;
    virtual std::vector<DeviceInfo> devices() const = 0;
    virtual uint64_t keptChatsBytes(const std::filesystem::path& folder) const = 0;
    virtual void removeKeptChats(const std::filesystem::path& folder) const = 0;
};

// Builds an engine that calls `wake`, from any thread, when an event was queued.
using EngineFactory = std::function<std::unique_ptr<EnginePort>(std::function<void()> wake)>;

// The factory of the real engine.
EngineFactory realEngine(LogSink log);

} // namespace steelyard
