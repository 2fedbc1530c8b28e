// A compare desk over a scripted comparison, a scripted engine and a real store in a folder of its own.
#pragma once

#include "gui/compare/compare_desk.h"
#include "tests/gui/fake_comparison.h"
#include "tests/gui/fake_engine.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace steelyard {

inline constexpr int kHangMs = 30000; // a hang, never a measurement

struct CompareFixture {
    explicit CompareFixture(const QString& dataFolder = {}) : folder(dataFolder.isEmpty() ? own.path() : dataFolder) {
        const struct {
            const char *file, *level;
            qint64 bytes;
            double bits;
        } files[] = {{"q8", "Q8_0", 145'000'000, 8.5}, {"q4m", "Q4_K_M", 105'000'000, 5.9}, {"q4", "Q4_0", 92'000'000, 4.8}, {"q2", "Q2_K", 88'000'000, 3.4}};
        for (const auto& file : files) put(QStringLiteral("SmolLM2 135M"), file.file, file.level, file.bytes, file.bits);
        put(QStringLiteral("Gemma 3 270M"), "gemma", "Q4_K_M", 250'000'000, 6.0);
        start();
    }
    ~CompareFixture() { stop(); }

    static QString path(const char* file) { return QStringLiteral("/models/%1.gguf").arg(QString::fromLatin1(file)); }
    void put(const QString& name, const char* file, const char* level, qint64 bytes, double bits) {
        ModelEntry entry;
        entry.path = path(file);
        entry.name = name;
        entry.fileName = QString::fromLatin1(file) + QStringLiteral(".gguf");
        entry.quantization = QString::fromLatin1(level);
        entry.sizeBytes = bytes;
        entry.bitsPerWeight = bits;
        models.put(entry);
    }
    void start() {
        store = std::make_unique<Store>(folder);
        engine = std::make_unique<EngineClient>(FakeEngine::factory(engineScript));
        client = std::make_unique<ComparisonClient>(FakeComparison::factory(script));
        desk = std::make_unique<CompareDesk>(folder, client.get(), engine.get(), store.get(), &models);
    }
    // Ends the program, as closing the window does.
    void stop() {
        desk.reset();
        client.reset();
        engine.reset();
        store.reset();
    }
    void choose(std::initializer_list<const char*> files) {
        QStringList paths;
        for (const char* file : files) paths += path(file);
        desk->setModels(paths);
        QTRY_VERIFY_WITH_TIMEOUT(!desk->plan().isEmpty(), kHangMs);
    }
    void ask(const QString& prompt) {
        desk->run(prompt);
        QTRY_VERIFY_WITH_TIMEOUT(!desk->busy(), kHangMs);
        QTRY_VERIFY_WITH_TIMEOUT(desk->runId() != 0, kHangMs);
    }
    void measure() {
        desk->report()->setWanted(true);
        QTRY_VERIFY_WITH_TIMEOUT(desk->report()->canMeasure(), kHangMs);
        desk->report()->measure();
        QTRY_VERIFY_WITH_TIMEOUT(!desk->report()->measuring() && !desk->busy(), kHangMs);
    }
    CompareAnswer* answer(int column) { return desk->rounds()->last(column); }

    QTemporaryDir own;
    QString folder;
    FakeComparison::Script script;
    FakeEngine::Script engineScript;
    ModelList models;
    std::unique_ptr<Store> store;
    std::unique_ptr<EngineClient> engine;
    std::unique_ptr<ComparisonClient> client;
    std::unique_ptr<CompareDesk> desk;
};

} // namespace steelyard
