// What the library's tests share: an engine that reads model files of one line, and a folder that holds some.
//
// Invariant: a file "GGUF name|quantization" is a good model; anything else is refused in words. Every reading is counted. Knows nothing
// of lists and pages.
#pragma once

#include "gui/engine_client/engine_client.h"

#include <QDir>
#include <QFile>

#include <atomic>
#include <memory>

namespace steelyard::guitest {

struct ShelfEngine : EnginePort {
    explicit ShelfEngine(std::shared_ptr<std::atomic<int>> readings) : m_readings(std::move(readings)) {}

    bool load(const LoadRequest&) override { return true; }
    bool cancelLoad(ModelId) override { return true; }
    bool unload(ModelId) override { return true; }
    bool submit(const GenerateRequest&) override { return true; }
    bool cancel(RequestId) override { return true; }
    bool forgetChat(uint64_t) override { return true; }
    bool keepChats(const std::filesystem::path&, uint64_t) override { return true; }
    uint64_t keptChatsBytes(const std::filesystem::path&) const override { return 0; }
    void removeKeptChats(const std::filesystem::path&) const override {}
    std::vector<Event> takeEvents() override { return {}; }
    std::shared_ptr<const Snapshot> snapshot() const override { return std::make_shared<const Snapshot>(); }
    Result<void> checkForm(const std::string&, const std::string&) const override { return {}; }
    std::vector<DeviceInfo> devices() const override { return {}; }

    Result<FileSummary> inspect(const std::filesystem::path& path) const override {
        ++*m_readings;
        QFile file(EngineClient::fromPath(path));
        if (!file.open(QIODevice::ReadOnly)) return Error{"The file cannot be opened."};
        const QByteArray line = file.readLine(200).trimmed();
        if (!line.startsWith("GGUF ")) return Error{"This is not a GGUF file: it begins with something else."};
        const QList<QByteArray> parts = line.mid(5).split('|');
        FileSummary summary;
        summary.facts.name = parts.value(0).toStdString();
        summary.facts.quantization = parts.value(1, "Q4_K_M").toStdString();
        summary.facts.architecture = "llama";
        summary.facts.parameters = 134'515'008;
        summary.facts.bitsPerWeight = 5.85;
        summary.facts.trainedContext = 8192;
        summary.facts.hasChatTemplate = !line.contains("base");
        if (parts.value(1) == "refused") summary.refusal = "The architecture “mamba9” is not known.";
        return summary;
    }

    Result<MemoryPlan> plan(const LoadRequest& request) const override {
        MemoryPlan plan;
        plan.totalBytes = 200'000'000;
        plan.freeBytes = 7'900'000'000;
        plan.contextLength = 4096;
        plan.fit = MemoryPlan::Fit::Fits;
        if (request.path.filename().string().find("huge") == std::string::npos) return plan;
        plan.fit = MemoryPlan::Fit::WillNotFit;
        plan.totalBytes = 9'700'000'000;
        plan.missingBytes = 1'800'000'000;
        return plan;
    }

private:
    std::shared_ptr<std::atomic<int>> m_readings;
};

inline void putFile(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("a test file cannot be written");
}

// A sparse file of the starter's name and size.
inline void putStarter(const QString& folder) {
    const QString path = folder + QStringLiteral("/SmolLM2-135M-Instruct.Q4_1.gguf");
    putFile(path, "GGUF SmolLM2 135M Instruct|Q4_1\n");
    QFile::resize(path, 98'362'432);
}

} // namespace steelyard::guitest
