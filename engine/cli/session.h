// An engine with one model loaded, for commands that wait for their answer.
#pragma once

#include "engine/cli/command.h"
#include "engine/waiting_engine.h"

#include <atomic>
#include <optional>

namespace steelyard::cli {

// Options of commands that load a model.
struct ModelOptions {
    std::string model;
    uint32_t context = 0;
    std::string kvType = "f16";
    uint32_t parallel = 0;
    uint64_t memoryLimit = 0;
    bool plainKv = false;
    std::optional<uint32_t> gpuLayers;
};
void addModelOptions(CLI::App& app, ModelOptions& options);
LoadRequest loadRequestOf(const ModelOptions& options, const CommonOptions& common);

constexpr ModelId kSessionModel = 1; // the one that a session loads

class Session {
public:
    Session();

    // Loads the model and waits. Notices and warnings go to stderr.
    Result<void> load(const LoadRequest& request);

    // Runs one request to its end; each piece of text is passed on as it comes. `stop` cancels when it becomes true.
    Result<GatheredReply> generate(GenerateRequest request, const std::function<void(const std::string&)>& piece,
                                   const std::atomic<bool>* stop);

    // Takes a chat's cache from a file where there is one that fits, which is no error where not; and leaves it there.
    double restoreChat(uint64_t chat, const std::filesystem::path& path); // milliseconds
    Result<void> saveChat(uint64_t chat, const std::filesystem::path& path);

    Engine& engine() { return m_engine.engine(); }
    const ModelFacts& facts() const { return m_engine.facts(); }
    double loadMs() const { return m_engine.loadMs(); }
    // Bytes of all devices together.
    MemoryUse memory() const { return m_engine.memory(); }

private:
    WaitingEngine m_engine;
};

// Warnings and errors of an engine, on stderr.
LogSink warningsOnly();

// The memory fields that `generate` and `memory` report.
Json memoryJson(const MemoryUse& use);

} // namespace steelyard::cli
