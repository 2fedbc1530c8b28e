// What a report, its votes and its plots say: rows, sentences, axes, pictures; checked against numbers worked out by hand. The
// exported pictures are left in the folder "screenshots" beside the test.
#include "gui/compare/report_picture.h"
#include "gui/compare/report_tables.h"
#include "gui/compare/verdict_words.h"
#include "gui/compare/vote_confidence.h"
#include "gui/compare/vote_list.h"
#include "gui/controls/point_plot.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace steelyard;

namespace {

ComparisonReport report() {
    ComparisonReport report;
    report.title = "Levels";
    for (int i = 0; i < 3; ++i) {
        ReportColumn column;
        column.name = std::vector<std::string>{"F16", "Q8_0", "Q2_K"}[size_t(i)];
        column.quantization = column.name;
        column.fileBytes = column.weightsBytes = 400'000'000u / (1u << i);
        column.bitsPerWeight = 16.0 / (1 << i);
        column.kvBytes = 50'000'000;
        column.speed = ReportSpeed();
        column.speed->decodeTokensPerSecond = 10.0 * (i + 1);
        Quality quality;
        quality.tokens = 5000;
        quality.perplexity = 10 + i;
        quality.perplexityRatio = quality.perplexity / 10;
        quality.meanKl = 0.05 * i * i;
        quality.sameTop = 1 - 0.1 * i;
        quality.isReference = i == 0;
        column.quality = quality;
        report.columns.push_back(column);
    }
    report.reference = ReportReference();
    report.reference->name = report.reference->quantization = "F16";
    report.reference->column = 0;
    report.text = ReportText();
    report.text->name = "Sample";
    report.text->tokens = 5000;
    report.text->windows = 20;
    report.text->context = 512;
    return report;
}

ReportRow rowNamed(const QVector<ReportRow>& rows, const QString& label) {
    for (const ReportRow& row : rows)
        if (row.label == label && !row.heads) return row;
    return {};
}

} // namespace

class TestCompareReport : public QObject {
    Q_OBJECT

private slots:
    void rangesOfSharesAreWilsons() {
        const ShareRange most = wilsonRange(8, 10); // as worked out by hand from the formula
        QVERIFY(std::abs(most.least - 0.4902) < 1e-3 && std::abs(most.most - 0.9433) < 1e-3);
        QCOMPARE(wilsonRange(0, 0).least, 0.0);
        QCOMPARE(wilsonRange(0, 0).most, 1.0);
        QVERIFY(wilsonRange(5, 5).most <= 1.0 && wilsonRange(5, 5).least > 0.5);
    }

    void luckIsTheExactBinomialTest() {
        QCOMPARE(chanceOfLuck(0, 0), 1.0);
        QVERIFY(std::abs(chanceOfLuck(5, 0) - 0.0625) < 1e-9);
        QVERIFY(std::abs(chanceOfLuck(1, 9) - 2 * 11.0 / 1024) < 1e-9);
        QCOMPARE(chanceOfLuck(4, 4), 1.0);
        QVERIFY(chanceOfLuck(3000, 2000) < 1e-12); // and no factorial overflows
    }

    void votesAreSaidWithTheirConfidence() {
        QVERIFY(VoteList::inWords({"a", "b", 9, 1, 2}).contains(QStringLiteral("a preferred in 9 of 10 votes")));
        QVERIFY(VoteList::inWords({"a", "b", 9, 1, 0}).contains(QStringLiteral("hardly by luck")));
        QVERIFY(VoteList::inWords({"a", "b", 1, 2, 0}).contains(QStringLiteral("may be luck")));
        QVERIFY(VoteList::inWords({"a", "b", 2, 2, 0}).contains(QStringLiteral("even: 2 to 2")));
        QVERIFY(VoteList::inWords({"a", "b", 0, 0, 3}).contains(QStringLiteral("without a difference")));
    }

    void rowsHoldWhatWasMeasuredAndRatios() {
        const auto rows = ReportTables::rows(report());
        QCOMPARE(rowNamed(rows, QStringLiteral("Distance")).values, (QStringList{"reference", "0.050", "0.20"}));
        QCOMPARE(rowNamed(rows, QStringLiteral("Same first choice")).values.last(), QStringLiteral("80.0 %"));
        QCOMPARE(rowNamed(rows, QStringLiteral("Writing")).values, (QStringList{"10.0 tok/s", "20.0 tok/s", "30.0 tok/s"}));
        QCOMPARE(rowNamed(rows, QStringLiteral("Writing")).notes.last(), QStringLiteral("3.00 times"));
        QVERIFY(rowNamed(rows, QStringLiteral("Loss")).values.last().startsWith(QStringLiteral("20")));
        QVERIFY(rowNamed(rows, QStringLiteral("First token")).values.isEmpty()); // was not measured
        QVERIFY(ReportTables::basis(report()).contains(QStringLiteral("Against F16")));
        QCOMPARE(ReportTables::bars(report()).size(), 3);
    }

    void everyPartOfAVerdictHasWords() {
        VerdictPart part;
        part.name = "Q4_K_M";
        part.otherName = "Q4_0";
        part.kl = 0.06;
        part.memoryRatio = 0.5;
        part.speedRatio = 1.6;
        part.lossPercent = 2.5;
        part.limit = 3;
        QCOMPARE(VerdictWords::sentence(part), QStringLiteral("Q4_K_M: 0.060 nats from the reference, 0.50 times the memory, 1.60 times as fast."));
        for (int kind = 0; kind <= int(VerdictPart::Kind::Failed); ++kind) {
            part.kind = static_cast<VerdictPart::Kind>(kind);
            QVERIFY(VerdictWords::sentence(part).endsWith(u'.'));
        }
    }

    void axesBeginAtZeroInRoundSteps() {
        QCOMPARE(axisMarks(37, 4), (QVector<double>{0, 10, 20, 30, 40}));
        QCOMPARE(axisMarks(100, 5), (QVector<double>{0, 20, 40, 60, 80, 100}));
        QCOMPARE(axisMarks(0, 5), QVector<double>{0});
    }

    void picturesAreWrittenWholeOrNotAtAll() {
        QTemporaryDir folder;
        for (const bool dark : {false, true}) {
            const QString png = folder.filePath(dark ? "dark.png" : "light.png");
            QVERIFY(writeReportPicture(report(), png, dark).ok());
            QDir().mkpath(QStringLiteral("screenshots"));
            QFile::remove(QStringLiteral("screenshots/compare-export-%1.png").arg(dark ? "dark" : "light"));
            QFile::copy(png, QStringLiteral("screenshots/compare-export-%1.png").arg(dark ? "dark" : "light"));
            const QImage image(png);
            QCOMPARE(image.width(), 2000);
            QCOMPARE(image.pixelColor(2, 2).lightness() < 128, dark);
        }
        const QString svg = folder.filePath("report.svg");
        QVERIFY(writeReportPicture(report(), svg, false).ok());
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("<svg"));
        QVERIFY(!writeReportPicture(report(), folder.filePath("missing/report.png"), false).ok());
    }
};

int main(int argc, char** argv) {
    QLocale::setDefault(QLocale::c());
    QGuiApplication application(argc, argv);
    TestCompareReport test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_compare_report.moc"
