// Where answers part, word by word: the pieces are the answers again, and what is the same is the longest that it can be.
#include "engine/evaluate/answer_differences.h"

#include <QTest>

#include <algorithm>
#include <sstream>

using namespace steelyard;

namespace {

std::string joined(const std::vector<AnswerPiece>& pieces) {
    std::string text;
    for (const auto& piece : pieces) text += piece.text;
    return text;
}

std::string sameText(const std::vector<AnswerPiece>& pieces) {
    std::string text;
    for (const auto& piece : pieces)
        if (piece.same) text += piece.text;
    return text;
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> list;
    for (std::string word; stream >> word;) list.push_back(word);
    return list;
}

// The length of the longest common subsequence, by the table of all pairs.
size_t longest(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j) table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    return table[a.size()][b.size()];
}

std::string madeUp(uint32_t seed, size_t count, uint32_t vocabulary) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        text += std::string(i ? (seed & 64 ? " " : "\n") : "") + "w" + std::to_string((seed >> 16) % vocabulary);
    }
    return text;
}

} // namespace

class TestAnswerDifferences : public QObject {
    Q_OBJECT

private slots:
    void equalAnswers();
    void theFirstDifferenceAndLaterOnes();
    void emptyAnswers();
    void blanksMakeNoDifference();
    void piecesAreTheAnswersAgain();
    void workIsBounded();
};

void TestAnswerDifferences::equalAnswers() {
    const auto found = answerDifferences("one two three", "one two three");
    QVERIFY(found.equal());
    QCOMPARE(found.sameWords, size_t(3));
    QCOMPARE(found.reference.size(), size_t(1));
}

void TestAnswerDifferences::theFirstDifferenceAndLaterOnes() {
    const auto found = answerDifferences("The cat sat on the mat today.", "The cat lay on the old mat today.");
    QCOMPARE(found.sameWords, size_t(2));
    QCOMPARE(found.commonWords, size_t(6));
    QCOMPARE(found.places, size_t(2));
    QCOMPARE(found.reference.size(), size_t(3));
    QCOMPARE(found.reference[1].text, std::string("sat "));
    QVERIFY(!found.reference[1].same && found.reference[0].same);
    QCOMPARE(found.other[1].text, std::string("lay "));
    QCOMPARE(found.other[3].text, std::string("old "));
}

void TestAnswerDifferences::emptyAnswers() {
    QVERIFY(answerDifferences("", "").equal());
    const auto found = answerDifferences("", "some words");
    QCOMPARE(found.places, size_t(1));
    QVERIFY(found.reference.empty() && found.other.size() == 1 && !found.other[0].same);
    QCOMPARE(answerDifferences("some words", "").places, size_t(1));
}

void TestAnswerDifferences::blanksMakeNoDifference() {
    const auto found = answerDifferences("one  two\nthree", "one two three ");
    QVERIFY(found.equal());
    QCOMPARE(joined(found.reference), std::string("one  two\nthree"));
    QCOMPARE(joined(found.other), std::string("one two three "));
    QCOMPARE(joined(answerDifferences(" \n one", "one").reference), std::string(" \n one"));
}

void TestAnswerDifferences::piecesAreTheAnswersAgain() {
    for (uint32_t seed = 1; seed <= 40; ++seed) {
        const std::string a = madeUp(seed, seed * 3 % 50, 2 + seed % 7), b = madeUp(seed * 31, seed * 7 % 60, 2 + seed % 7);
        const auto found = answerDifferences(a, b);
        QCOMPARE(joined(found.reference), a);
        QCOMPARE(joined(found.other), b);
        QCOMPARE(words(sameText(found.reference)), words(sameText(found.other)));
        QCOMPARE(found.commonWords, longest(words(a), words(b)));
        QCOMPARE(found.commonWords, words(sameText(found.reference)).size());
    }
}

void TestAnswerDifferences::workIsBounded() {
    const std::string a = madeUp(3, 20000, 5000) + " the end", b = madeUp(4, 20000, 5000) + " the end";
    const auto found = answerDifferences(a, b, 300);
    QCOMPARE(joined(found.reference), a);
    QCOMPARE(joined(found.other), b);
    QVERIFY(sameText(found.reference).find("the end") != std::string::npos);
    QVERIFY(found.commonWords <= longest({"the", "end"}, {"the", "end"}) + 20000);
    QCOMPARE(words(sameText(found.reference)), words(sameText(found.other)));
}

QTEST_GUILESS_MAIN(TestAnswerDifferences)
#include "test_answer_differences.moc"
