// Quantizing that ends before its time: what is left, what is gone on with, and what begins afresh.
#include "engine/format/gguf_writer.h"
#include "engine/quant/partial_file.h"
#include "engine/quant/quantize.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#if defined(__unix__)
#include <sys/resource.h>
#endif

using namespace steelyard;

namespace {

const std::atomic<bool> kGoesOn{false};
constexpr uint64_t kColumns = 512, kRows = 512; // a tensor of four pieces

} // namespace

class TestUnfinished : public QObject {
    Q_OBJECT

private slots:
    void init();
    void aCancelledRunLeavesNothing();
    void aKeptRunIsGoneOnWith();
    void goingOnTwiceGivesTheSameBytes();
    void aChangedInputBeginsAfresh();
    void anotherTypeBeginsAfresh();
    void aDamagedStateBeginsAfresh();
    void aStateWithoutItsFileBeginsAfresh();
    void whatAnEndedProgramLeftIsTakenOver();
    void twoRunsForOnePlaceAreRefused();
    void aFullDiskLeavesNothingOrWhatIsKept();
    void theOldFileStaysUntilTheNewOneIsWhole();

private:
    std::filesystem::path place(const char* name) const { return std::filesystem::path(m_folder->path().toStdString()) / name; }
    QStringList names() const { return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name); }
    static QByteArray bytesOf(const std::filesystem::path& path) {
        QFile file(QString::fromStdString(path.string()));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    // A model of three matrices.
    void writeModel(float size) const {
        GgufWriter writer;
        writer.add("general.architecture", "llama");
        std::vector<float> values(kColumns * kRows);
        for (size_t i = 0; i < values.size(); ++i) values[i] = size * std::sin(float(i) * 0.37f);
        for (const char* name : {"token_embd.weight", "blk.0.attn_q.weight", "blk.0.ffn_down.weight"})
            QVERIFY(writer.addTensor(name, TensorType::F32, {kColumns, kRows}, {reinterpret_cast<const uint8_t*>(values.data()), values.size() * 4}));
        QVERIFY(writer.write(place("in.gguf")));
    }
    Result<QuantizeResult> run(const char* type, const std::atomic<bool>& cancelled, const std::function<void(float)>& progress, bool keep,
                               uint32_t threads = 1) const {
        return quantizeFile({place("in.gguf"), place("out.gguf"), type, threads, {}, keep}, progress, cancelled);
    }
    Result<QuantizeResult> run(const char* type) const { return run(type, kGoesOn, {}, false); }
    // Ends after so many pieces.
    Result<QuantizeResult> runUntil(const char* type, int pieces, bool keep) const {
        std::atomic<bool> cancelled = false;
        return run(type, cancelled, [&](float) { if (--pieces == 0) cancelled = true; }, keep);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestUnfinished::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    writeModel(1.0f);
}

void TestUnfinished::aCancelledRunLeavesNothing() {
    const auto result = runUntil("Q4_K_M", 5, false);
    QVERIFY2(result.sentence().find("cancelled") != std::string::npos, result.sentence().c_str());
    QCOMPARE(names(), QStringList{"in.gguf"});
    std::atomic<bool> cancelled = true; // before the first piece
    QVERIFY(!run("Q4_K_M", cancelled, {}, true).ok());
    QCOMPARE(names(), QStringList{"in.gguf"});
}

void TestUnfinished::aKeptRunIsGoneOnWith() {
    QVERIFY(run("Q4_K_M").ok());
    const QByteArray right = bytesOf(place("out.gguf"));
    QFile::remove(QString::fromStdString(place("out.gguf").string()));
    QVERIFY(!runUntil("Q4_K_M", 6, true).ok());
    QCOMPARE(names(), (QStringList{"in.gguf", "out.gguf.partial", "out.gguf.partial-state"}));
    float first = 0;
    const auto result = run("Q4_K_M", kGoesOn, [&](float fraction) { if (first == 0) first = fraction; }, false);
    QVERIFY2(result.ok(), result.sentence().c_str());
    QVERIFY(first > 0.5f); // six of twelve pieces were there
    QVERIFY(result->resumedBytes > result->outputBytes / 3 && result->resumedBytes < result->outputBytes);
    QCOMPARE(names(), (QStringList{"in.gguf", "out.gguf"}));
    QCOMPARE(bytesOf(place("out.gguf")), right);
}

void TestUnfinished::goingOnTwiceGivesTheSameBytes() {
    QVERIFY(run("Q2_K").ok());
    const QByteArray right = bytesOf(place("out.gguf"));
    for (const int pieces : {3, 3, 2}) {
        const auto part = runUntil("Q2_K", pieces, true);
        QVERIFY2(part.sentence().find("cancelled") != std::string::npos, part.sentence().c_str());
    }
    const auto result = run("Q2_K", kGoesOn, {}, false, 3);
    QVERIFY2(result.ok() && result->resumedBytes > 0, result.sentence().c_str());
    QCOMPARE(bytesOf(place("out.gguf")), right);
}

void TestUnfinished::aChangedInputBeginsAfresh() {
    QVERIFY(!runUntil("Q8_0", 6, true).ok());
    writeModel(2.0f); // as large as before
    QVERIFY(std::filesystem::exists(place("out.gguf.partial-state")));
    const auto result = run("Q8_0");
    QVERIFY2(result.ok(), result.sentence().c_str());
    QCOMPARE(result->resumedBytes, uint64_t(0));
    const QByteArray made = bytesOf(place("out.gguf"));
    QVERIFY(run("Q8_0").ok());
    QCOMPARE(made, bytesOf(place("out.gguf")));
}

void TestUnfinished::anotherTypeBeginsAfresh() {
    QVERIFY(!runUntil("Q8_0", 6, true).ok());
    QCOMPARE(run("Q6_K")->resumedBytes, uint64_t(0));
    QCOMPARE(names(), (QStringList{"in.gguf", "out.gguf"}));
}

void TestUnfinished::aDamagedStateBeginsAfresh() {
    const auto number = [](const QByteArray& state, const char* text) { return state.left(state.lastIndexOf(' ') + 1) + text; };
    for (int damage = 0; damage < 6; ++damage) {
        QVERIFY(!runUntil("Q8_0", 6, true).ok());
        const QByteArray state = bytesOf(place("out.gguf.partial-state"));
        const QByteArray damaged[] = {state.left(20), number(state, "1234567890123456789012345678\n"), QByteArray(), number(state, "\n"),
                                      number(state, "18446744073709551615\n"), number(state, "1\n")};
        std::ofstream(place("out.gguf.partial-state"), std::ios::binary) << damaged[damage].toStdString();
        const auto result = run("Q8_0");
        QVERIFY2(result.ok(), result.sentence().c_str());
        QVERIFY2(result->resumedBytes == 0, damaged[damage].constData());
    }
}

void TestUnfinished::aStateWithoutItsFileBeginsAfresh() {
    QVERIFY(!runUntil("Q8_0", 6, true).ok());
    std::filesystem::remove(place("out.gguf.partial"));
    QCOMPARE(run("Q8_0")->resumedBytes, uint64_t(0));
    QCOMPARE(names(), (QStringList{"in.gguf", "out.gguf"}));
}

// Ended before it remembered anything.
void TestUnfinished::whatAnEndedProgramLeftIsTakenOver() {
    std::ofstream(place("out.gguf.partial"), std::ios::binary) << "half a file";
    const auto result = run("Q8_0");
    QVERIFY2(result.ok() && result->resumedBytes == 0, result.sentence().c_str());
    QCOMPARE(names(), (QStringList{"in.gguf", "out.gguf"}));
}

void TestUnfinished::twoRunsForOnePlaceAreRefused() {
    bool asked = false;
    const auto outer = run("Q8_0", kGoesOn, [&](float) {
        if (asked) return;
        asked = true;
        const auto inner = run("Q8_0");
        QVERIFY2(inner.sentence().find("another program is writing it") != std::string::npos, inner.sentence().c_str());
    }, false);
    QVERIFY2(asked && outer.ok(), outer.sentence().c_str());
    QCOMPARE(names(), (QStringList{"in.gguf", "out.gguf"}));
}

void TestUnfinished::aFullDiskLeavesNothingOrWhatIsKept() {
#if defined(__unix__)
    rlimit old{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN); // writing beyond the limit is an error instead
    const rlimit small{1u << 18, old.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto result = run("Q8_0");
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, oldHandler);
    QVERIFY2(result.sentence().find("cannot be written") != std::string::npos, result.sentence().c_str());
    QCOMPARE(names(), QStringList{"in.gguf"});
#else
    QSKIP("the limit that imitates a full disk is a matter of Unix");
#endif
}

void TestUnfinished::theOldFileStaysUntilTheNewOneIsWhole() {
    QVERIFY(run("Q8_0").ok());
    const QByteArray old = bytesOf(place("out.gguf"));
    QVERIFY(!runUntil("Q2_K", 6, true).ok());
    QCOMPARE(bytesOf(place("out.gguf")), old);
    QVERIFY(run("Q2_K").ok());
    QVERIFY(bytesOf(place("out.gguf")).size() < old.size());
}

QTEST_GUILESS_MAIN(TestUnfinished)
#include "test_unfinished.moc"
