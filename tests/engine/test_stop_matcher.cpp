// Stop strings: found on text, across tokens, never shown, and never holding back more than a true beginning.
#include "engine/decode/stop_matcher.h"

#include <QtTest>

using steelyard::StopMatcher;

namespace {

// What is shown when a text arrives in pieces of `size` bytes.
std::string shown(const std::string& text, std::vector<std::string> stops, size_t size) {
    StopMatcher matcher(std::move(stops));
    std::string result;
    for (size_t at = 0; at < text.size() && !matcher.matched(); at += size) result += matcher.push(text.substr(at, size));
    return result + matcher.finish();
}

} // namespace

class TestStopMatcher : public QObject {
    Q_OBJECT

private slots:
    void endsBeforeTheStopStringAtAnyCut_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("stops");
        QTest::addColumn<QString>("right");
        QTest::newRow("inside a word") << "The quick brown fox" << QStringList{"own fox"} << "The quick br";
        QTest::newRow("newline and name") << "fine\nUser: more" << QStringList{"\nUser:"} << "fine";
        QTest::newRow("count to five") << "one, two, three, four, five, six" << QStringList{"five"} << "one, two, three, four, ";
        QTest::newRow("the first of two") << "one, two, three, four" << QStringList{"four", "three"} << "one, two, ";
        QTest::newRow("brace in braces") << "{a}}," << QStringList{"}"} << "{a";
        QTest::newRow("letter in letters") << "baa" << QStringList{"a"} << "b";
        QTest::newRow("no stop") << "plain text" << QStringList{"absent"} << "plain text";
        QTest::newRow("a beginning at the end") << "tail abs" << QStringList{"absent"} << "tail abs";
        QTest::newRow("overlapping beginnings") << "aaab" << QStringList{"aab"} << "a";
        QTest::newRow("empty stop") << "text" << QStringList{""} << "text";
    }

    void endsBeforeTheStopStringAtAnyCut() {
        QFETCH(QString, text);
        QFETCH(QStringList, stops);
        QFETCH(QString, right);
        std::vector<std::string> list;
        for (const auto& stop : stops) list.push_back(stop.toStdString());
        for (size_t size = 1; size <= static_cast<size_t>(text.size()); ++size)
            QCOMPARE(QString::fromStdString(shown(text.toStdString(), list, size)), right);
    }

    void holdsOnlyATrueBeginning() {
        StopMatcher matcher({std::string(40, 'x')});
        QCOMPARE(matcher.push("plain text flows"), std::string("plain text flows"));
        QCOMPARE(matcher.push("axx"), std::string("a"));
        QCOMPARE(matcher.push("b"), std::string("xxb"));
    }
};

QTEST_APPLESS_MAIN(TestStopMatcher)
#include "test_stop_matcher.moc"
