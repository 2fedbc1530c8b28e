// Grammars in GBNF: what they accept, byte by byte and token by token, and the sentences for what they cannot be.
#include "engine/grammar/trie_maker.h"
#include "tests/engine/small_vocabulary.h"
#include "tests/engine/vocabulary_files.h"

#include <QtTest>

#include <future>

using namespace steelyard;

namespace {

using TextList = std::vector<std::string>;

bool accepts(const grammar::Grammar& given, const std::string& text) {
    grammar::Walker walker(given);
    auto place = walker.start();
    for (const char c : text) {
        place = walker.step(place, static_cast<uint8_t>(c));
        if (place == grammar::Walker::kNowhere) return false;
    }
    return walker.canEnd(place);
}

std::shared_ptr<const grammar::TokenTrie> trie() {
    static const auto kTrie = grammar::TokenTrie::of(SmallVocabulary());
    return kTrie;
}

const char* const kArithmetic = R"gbnf(root ::= sum "\n"?
sum ::= product (("+" | "-") product)*
product ::= value ("*" value)*   # no division
value ::= [0-9]{1,3} | "(" sum ")" | "-" value
)gbnf";

// A grammar of small rules that use each other, without left recursion: each alternative begins with a character.
std::string randomGrammar(std::mt19937& random) {
    static const char* const kPieces[] = {"\"a\"", "\"ab\"", "[a-c]", "[^a-y]", "\"\xC3\xA9\"", "[\xE2\x82\xAC-\xE2\x82\xB0]", "\"x\"{1,2}", "(\"a\" | \"b\")", "\"c\"?", "[0-9]*", "\"\\n\""};
    std::string text;
    for (int rule = 0; rule < 4; ++rule) {
        text += rule == 0 ? "root ::= " : "r" + std::to_string(rule) + " ::= ";
        const unsigned alternatives = 1 + random() % 3;
        for (unsigned i = 0; i < alternatives; ++i) {
            text += i ? " | " : "";
            text += std::string("\"") + static_cast<char>('k' + random() % 4) + "\"";
            for (unsigned part = random() % 4; part > 0; --part) {
                // Later rules only, but sometimes the same one, which the first alternative keeps from going on for ever.
                const bool uses = random() % 3 == 0 && (rule < 3 || i > 0);
                text += " ";
                if (uses) text += "r" + std::to_string(i > 0 && random() % 3 == 0 && rule > 0 ? rule : std::min(3, rule + 1 + static_cast<int>(random() % 2)));
                else text += kPieces[random() % std::size(kPieces)];
            }
        }
        text += "\n";
    }
    return text;
}

} // namespace

class TestGrammar : public QObject {
    Q_OBJECT

private slots:
    void acceptsExactlyItsTexts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("right");
        QTest::addColumn<QStringList>("wrong");
        const auto row = [](const char* name, const char* text, QStringList right, QStringList wrong) { QTest::newRow(name) << QString::fromUtf8(text) << right << wrong; };
        row("literal", "root ::= \"ab\\n\\x41\\u00e9\"", {"ab\nAé"}, {"", "ab", "ab\nAéx"});
        row("choice", "root ::= \"a\" | \"bc\"\n  | \"d\"", {"a", "bc", "d"}, {"b", "ab", ""});
        row("empty alternative", "root ::= \"a\" (\"b\" | )", {"a", "ab"}, {"b", "abb"});
        row("group", "root ::= (\"a\"\n \"b\")+ # twice\n", {"ab", "abab"}, {"", "aba"});
        row("counts", "root ::= \"a\"{2} \"b\"{1,2} \"c\"{0,} \"d\"{,1}", {"aab", "aabbccd"}, {"ab", "aabbb", "aabdd"});
        row("class", "root ::= [a-cx\\]\\-]+", {"abcx]-"}, {"d", ""});
        row("class ends with a minus", "root ::= [a-]", {"a", "-"}, {"b"});
        row("not these", "root ::= [^a-z\\n]*", {"A9é€😊", ""}, {"a", "\n", "Ab"});
        row("any", "root ::= . . ", {"é😊", "a\n"}, {"a", "abc"});
        row("wide range", "root ::= [\\u0080-\\U0001F600]{2}", {"é€", "😀€"}, {"aa", "é", "😊é"});
        row("rules", "root ::= a b\na ::= \"1\" | \"2\" a\nb ::= \"x\"*\n", {"1", "21xx", "221"}, {"2", "12"});
        row("nested", "root ::= \"(\" root? \")\"", {"()", "((()))"}, {"", "(()", "())"});
        row("repeated empty", "root ::= (\"a\"? \"b\"?)* \"c\"", {"c", "abbac"}, {"", "ca"});
        row("ambiguous", "root ::= (\"a\" | \"aa\" | \"a\" \"a\")+", {"a", "aaaaaaaa"}, {"b"});
        row("arithmetic", kArithmetic, {"1", "12+3*(4--5)\n", "((1))"}, {"1234", "1+", "(1", "1/2"});
    }

    void acceptsExactlyItsTexts() {
        QFETCH(QString, text);
        QFETCH(QStringList, right);
        QFETCH(QStringList, wrong);
        const auto given = grammar::fromGbnf(text.toStdString());
        QVERIFY2(given.ok(), given.sentence().c_str());
        std::mt19937 random(1);
        for (const auto& one : right) {
            QVERIFY2(accepts(*given, one.toStdString()), qPrintable(one));
            for (int cut = 0; cut < 5; ++cut) QVERIFY2(acceptsInPieces(*given, trie(), one.toStdString(), random), qPrintable(one));
        }
        for (const auto& one : wrong) QVERIFY2(!accepts(*given, one.toStdString()), qPrintable(one));
    }

    void faultsAreSentencesWithTheirLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const std::string& text, const char* part) { QTest::newRow(name) << QString::fromStdString(text) << part; };
        row("no root", "a ::= \"b\"", "root");
        row("empty", "", "root");
        row("undefined", "root ::= missing", "missing");
        row("twice", "root ::= \"a\"\nroot ::= \"b\"", "Line 2");
        row("no arrow", "root ::= \"a\"\n\nb = \"c\"", "Line 3");
        row("open text", "root ::= \"abc", "not closed");
        row("text over lines", "root ::= \"abc\n\"", "Line 1");
        row("open class", "root ::= [a", "not closed");
        row("open escape", "root ::= \"abc\\", "not closed");
        row("open escape in a class", "root ::= [a\\", "not closed");
        row("open number", "root ::= [a\\u12", "hexadecimal");
        row("open group", "root ::= (\"a\" ", "not closed");
        row("backwards", "root ::= [z-a]", "backwards");
        row("bad escape", "root ::= \"\\q\"", "escape");
        row("half of a pair", "root ::= \"\\ud83d\"", "no character");
        row("counts the wrong way", "root ::= \"a\"{3,1}", "larger number first");
        row("too often", "root ::= \"a\"{1000000}", "times");
        row("too large", "root ::= \"abcdefghij\"{50000}", "too large");
        row("left recursion", "root ::= a\na ::= a \"x\" | \"y\"", "\"a\" begins with itself");
        row("hidden left recursion", "root ::= a\na ::= \"q\"? b \"x\"\nb ::= \"z\"* a | \"w\"", "begins with itself");
        row("never ends", "root ::= \"a\" root", "can ever finish");
        row("tokens", "root ::= <think>", "angle brackets");
        row("stray", "root ::= \"a\" )", "\")\"");
        row("deep", "root ::= " + std::string(1000, '(') + "\"a\"" + std::string(1000, ')'), "deep");
        row("broken UTF-8", "root ::= [\xff]", "UTF-8");
    }

    void faultsAreSentencesWithTheirLine() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        const auto bytes = QTest::currentDataTag() == QByteArray("broken UTF-8") ? std::string("root ::= [\xff]") : text.toStdString();
        const auto given = grammar::fromGbnf(bytes);
        QVERIFY(!given.ok());
        QVERIFY2(QString::fromStdString(given.sentence()).contains(part), given.sentence().c_str());
    }

    // What the mask says is what each token says alone, at every place of a text.
    void masksAreExact() {
        std::mt19937 random(7);
        for (int round = 0; round < 60; ++round) {
            const std::string text = round == 0 ? kArithmetic : randomGrammar(random);
            const auto given = grammar::fromGbnf(text);
            QVERIFY2(given.ok(), (text + given.sentence()).c_str());
            grammar::Matcher matcher(*given, trie());
            for (int step = 0; step < 12; ++step) {
                const auto allowed = allowedTokens(matcher.mask());
                std::vector<TokenId> alone;
                for (size_t id = 0; id < trie()->vocabularySize(); ++id)
                    if (matcher.allows(static_cast<TokenId>(id))) alone.push_back(static_cast<TokenId>(id));
                QCOMPARE(allowed, alone);
                if (allowed.empty() || allowed == std::vector<TokenId>{0}) break;
                QVERIFY(matcher.accept(allowed[random() % allowed.size()]));
            }
        }
    }

    // Whatever is drawn at random among the allowed tokens is a text of the grammar, and is so in any other cut.
    void randomTextsAreAccepted() {
        std::mt19937 random(11);
        int finished = 0;
        for (int round = 0; round < 150; ++round) {
            const std::string text = randomGrammar(random);
            const auto given = grammar::fromGbnf(text);
            QVERIFY2(given.ok(), (text + given.sentence()).c_str());
            std::string problem;
            const auto found = randomText(*given, trie(), random, problem);
            QVERIFY2(problem.empty(), (text + problem).c_str());
            if (!found) continue;
            ++finished;
            QVERIFY2(accepts(*given, *found), (text + *found).c_str());
            for (int cut = 0; cut < 3; ++cut) QVERIFY2(acceptsInPieces(*given, trie(), *found, random), (text + *found).c_str());
        }
        QVERIFY2(finished > 100, qPrintable(QString::number(finished)));
    }

    void repliesEndOnlyWhereTheGrammarCan() {
        const auto given = grammar::fromGbnf("root ::= \"ab\" \"c\"?");
        grammar::Matcher matcher(*given, trie());
        QVERIFY(!matcher.allows(0));
        QVERIFY(!matcher.accept(0));
        QVERIFY(matcher.acceptText("ab"));
        QVERIFY(matcher.allows(0));
        QVERIFY(!matcher.allows(1)); // other control tokens never
        QVERIFY(matcher.acceptText("c"));
        QCOMPARE(allowedTokens(matcher.mask()), std::vector<TokenId>{0});
        QVERIFY(!matcher.acceptText("c"));
    }

    void aVocabularyThatCannotGoOnIsSaid() {
        const auto given = grammar::fromGbnf("root ::= \"a\"{100000}");
        QVERIFY(given.ok());
        class Empty : public SmallVocabulary {
            std::string bytes(TokenId, bool) const override { return {}; }
        };
        grammar::Matcher matcher(*given, grammar::TokenTrie::of(Empty()));
        QVERIFY(allowedTokens(matcher.mask()).empty());
        QVERIFY(!matcher.problem().empty());
    }

    // Depth has an end that a reply can always come back from.
    void deepNestingIsClosedAgain() {
        const auto given = grammar::fromGbnf("root ::= \"[\" root \"]\" | \"x\"");
        grammar::Matcher matcher(*given, trie());
        int depth = 0;
        while (depth < 100000 && matcher.acceptText("[")) ++depth;
        QVERIFY2(depth >= 400 && depth < 1000, qPrintable(QString::number(depth)));
        QVERIFY(matcher.acceptText("x" + std::string(static_cast<size_t>(depth), ']')));
        QVERIFY(matcher.canEnd());
    }

    void theTreeIsMadeBesideItsOwner() {
        grammar::TrieMaker maker;
        const auto vocabulary = std::make_shared<SmallVocabulary>();
        std::promise<std::thread::id> ready;
        const auto tell = [&] { ready.set_value(std::this_thread::get_id()); };
        QVERIFY(!maker.get(vocabulary, tell));
        QVERIFY(ready.get_future().get() != std::this_thread::get_id());
        const auto made = maker.get(vocabulary, tell); // which would fail if it told twice
        QVERIFY(made);
        QCOMPARE(made->tokens().size(), trie()->tokens().size());
        QCOMPARE(maker.get(vocabulary, tell), made);
    }

    void tooManyReadingsAreSaid() {
        const auto given = grammar::fromGbnf("root ::= a\na ::= \"x\" a \"1\" | \"x\" a \"2\" | \"y\"");
        QVERIFY(given.ok());
        grammar::Matcher matcher(*given, trie());
        int count = 0;
        while (count < 1000 && matcher.acceptText("x")) ++count;
        QVERIFY(count < 1000);
        QVERIFY2(matcher.problem().find("too many ways") != std::string::npos, matcher.problem().c_str());
    }

    // What was remembered is forgotten now and then, which changes nothing.
    void longTextsStayExact() {
        const auto given = grammar::fromGbnf("root ::= (\"(\" item \")\")*\nitem ::= [a-z]{0,2000} | root");
        QVERIFY(given.ok());
        grammar::Walker walker(*given);
        auto place = walker.start();
        for (int round = 0; round < 50; ++round) {
            for (const char c : "((" + std::string(500, 'k') + "))") {
                place = walker.step(place, static_cast<uint8_t>(c));
                QVERIFY(place != grammar::Walker::kNowhere);
                if (round % 7 == 3 && c == 'k') place = walker.forget(place);
            }
            QVERIFY(walker.canEnd(place));
            QVERIFY(walker.step(place, ')') == grammar::Walker::kNowhere);
        }
    }

    // With the vocabularies of real models, whose tokens cut characters and words anywhere.
    void masksOfRealVocabularies_data() {
        QTest::addColumn<QString>("vocabulary");
        for (const char* name : {"smollm2", "gemma-3"}) QTest::newRow(name) << name;
    }

    void masksOfRealVocabularies() {
        QFETCH(QString, vocabulary);
        const QString path = vocabularyFile(vocabulary);
        if (!QFile::exists(path)) QSKIP("the model is not here");
        const auto tokenizer = tokenizerOfFile(path);
        QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
        const auto given = grammar::fromGbnf("root ::= \"{\\\"\" [a-zé€]+ \"\\\": \" ([0-9]{1,4} | \"\\\"\" [^\"]* \"\\\"\") \"}\"");
        const auto whole = grammar::TokenTrie::of(**tokenizer);
        grammar::Matcher matcher(*given, whole);
        for (const char* part : {"", "{\"na", "\xC3", "\xA9\": ", "\"text ", "\xF0\x9F", "\x98\x8A\"", "}"}) {
            QVERIFY(matcher.acceptText(part));
            const auto mask = matcher.mask();
            size_t different = 0;
            for (size_t id = 0; id < whole->vocabularySize(); ++id)
                different += (mask[id / 64] >> (id % 64) & 1) != matcher.allows(static_cast<TokenId>(id));
            QCOMPARE(different, size_t(0));
        }
        QVERIFY(matcher.canEnd());
    }
};

QTEST_APPLESS_MAIN(TestGrammar)
#include "test_grammar.moc"
