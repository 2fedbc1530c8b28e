// Small texts that other engines got wrong in public, with the right ids; the rows bear the names of the list of cases.
#include "engine/tokenizer/incremental_decoder.h"
#include "engine/tokenizer/pretokenizers.h"
#include "tests/engine/vocabulary_files.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace steelyard;

namespace {

// Each vocabulary is read once.
TokenizerPtr vocabulary(const QString& name) {
    static std::map<QString, TokenizerPtr> loaded;
    if (!loaded.count(name)) {
        const auto tokenizer = tokenizerOfFile(vocabularyFile(name));
        loaded[name] = tokenizer ? *tokenizer : nullptr;
    }
    return loaded[name];
}

using Ids = std::vector<TokenId>;

struct IdCase {
    const char *name, *vocabulary, *text;
    bool special;
    Ids ids;
};

std::string repeated(const char* text, size_t count) {
    std::string all;
    while (count-- > 0)
        all += text;
    return all;
}

QString textOf(const Ids& ids) {
    QString text;
    for (const TokenId id : ids)
        text += QString::number(id) + " ";
    return text;
}

} // namespace

class TestTokenizerCases : public QObject {
    Q_OBJECT
private slots:
    void ids_data();
    void ids();
    void roundTrips_data();
    void roundTrips();
    void T26_blankBehindQuoteComesBack();
    void T31_streamTakesOneBlankOnly();
    void T31_streamOfBytePairsKeepsItsBlank();
    void T07_longWordsAreCutWithoutRecursion();
    void T17_compatibilityFormsWhereTheFileHasThem();
    void T19_blankBehindAnAddedTokenIsNotAdded();
    void G23_everyEndTokenOfTheFamilyEndsAReply();
    void T35_bosIsAskedForWhereTheVocabularyHasOne();
    void wordsAreCut_data();
    void wordsAreCut();
    void longRunsEnd_data();
    void longRunsEnd();
};

void TestTokenizerCases::ids_data() {
    QTest::addColumn<QString>("vocabularyName");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("special");
    QTest::addColumn<QList<int>>("expected");
    const IdCase cases[] = {
        {"T01", "llama-spm", "This is \xF0\x9F\xA6\x99.cpp", false, {910, 338, 29871, 243, 162, 169, 156, 29889, 8223}},
        {"T02 none", "llama-spm", "Hello", false, {15043}},
        {"T02 one", "llama-spm", " Hello", false, {29871, 15043}},
        {"T02 two", "llama-spm", "  Hello", false, {259, 15043}},
        {"T02 three", "llama-spm", "   Hello", false, {1678, 15043}},
        {"T02 four", "llama-spm", "    Hello", false, {268, 15043}},
        {"T04 two", "llama-bpe", "<|end_header_id|>\n\nx", true, {128007, 271, 87}},
        {"T04 four", "llama-bpe", "<|end_header_id|>\n\n\n\nx", true, {128007, 1038, 87}},
        {"T05 llama 3", "llama-bpe", "3333+777", false, {8765, 18, 10, 15831}},
        {"T05 qwen 2", "qwen2", "3333+777", false, {18, 18, 18, 18, 10, 22, 22, 22}},
        {"T14", "gemma-3", "a  b and    c", false, {236746, 138, 236763, 532, 140, 236755}},
        {"T17 kept", "llama-bpe", "\xC2\xBD", false, {27154}},
        {"T20", "llama-spm", "<s>G", true, {1, 402}},
        {"T22 both sides", "phi-3", "a </s> b", true, {263, 29871, 2, 289}},
        {"T22 begin", "phi-3", "<s>a", true, {1, 263}},
        {"T22 unknown keeps blanks", "phi-3", "a <unk> b", true, {263, 29871, 0, 29871, 289}},
        {"T22 all kinds of blanks", "phi-3", "a\t</s>\n\nb", true, {263, 12, 2, 289}},
        {"T22 end of message", "phi-3", "a<|end|>  b", true, {263, 32007, 289}},
        {"T23", "phi-3", "<|user|>\nHi<|end|>\n<|assistant|>\n", true, {32010, 6324, 32007, 32001}},
        {"T25", "llama-bpe", "hello !", false, {15339, 758}},
        {"T32 on", "qwen2", "<|im_start|>Hello World<|im_end|>", true, {151644, 9707, 4337, 151645}},
        {"T32 off",
         "qwen2",
         "<|im_start|>Hello World<|im_end|>",
         false,
         {27, 91, 318, 4906, 91, 29, 9707, 4337, 27, 91, 318, 6213, 91, 29}},
        {"T34 on", "gemma-4", "<|channel><channel|>", true, {100, 101}},
        {"T34 off", "gemma-4", "<|channel><channel|>", false, {236820, 236909, 12027, 1798, 12027, 111038}},
    };
    for (const auto& row : cases)
        QTest::newRow(row.name) << QString(row.vocabulary) << QByteArray(row.text) << row.special
                                << QList<int>(row.ids.begin(), row.ids.end());
}

void TestTokenizerCases::ids() {
    QFETCH(QString, vocabularyName);
    QFETCH(QByteArray, text);
    QFETCH(bool, special);
    QFETCH(QList<int>, expected);
    const auto tokenizer = vocabulary(vocabularyName);
    if (!tokenizer) QSKIP("the vocabulary is not here");
    QCOMPARE(textOf(tokenizer->tokenize(text.toStdString(), special)), textOf(Ids(expected.begin(), expected.end())));
}

void TestTokenizerCases::roundTrips_data() {
    QTest::addColumn<QString>("vocabularyName");
    QTest::addColumn<QByteArray>("text");
    const std::pair<const char*, const char*> texts[] = {
        {"T19", "<|from|>system"},
        {"T25", "hello !"},
        {"T28 for", "for 'manual'"},
        {"T28 the", "the word 'social'"},
        {"T28 plunged", " plunged the long 'sword' into"},
        {"T29", " ..."},
    };
    for (const auto& text : texts)
        for (const char* name : {"llama-bpe", "llama-spm", "qwen2", "gemma-4"})
            QTest::addRow("%s %s", text.first, name) << QString(name) << QByteArray(text.second);
}

void TestTokenizerCases::roundTrips() {
    QFETCH(QString, vocabularyName);
    QFETCH(QByteArray, text);
    const auto tokenizer = vocabulary(vocabularyName);
    if (!tokenizer) QSKIP("the vocabulary is not here");
    const auto ids = tokenizer->tokenize(text.toStdString(), true);
    QCOMPARE(tokenizer->detokenize(ids, true), text.toStdString());
    // The first token of a reply keeps its blank.
    IncrementalDecoder decoder(tokenizer, false);
    std::string streamed;
    for (const TokenId id : ids)
        streamed += decoder.push(id);
    QVERIFY(streamed.find(text.toStdString()) != std::string::npos);
}

void TestTokenizerCases::T26_blankBehindQuoteComesBack() {
    const auto tokenizer = vocabulary("llama-bpe");
    if (!tokenizer) QSKIP("the vocabulary is not here");
    QCOMPARE(tokenizer->detokenize({1232, 364, 1874}, false), std::string("': 'search"));
}

void TestTokenizerCases::T31_streamTakesOneBlankOnly() {
    // The pieces marker, marker + "leading", marker + "x".
    GgufWriter writer =
        vocabularyWriter("llama", {"<unk>", "\xE2\x96\x81", "\xE2\x96\x81leading", "\xE2\x96\x81x"}, {2, 1, 1, 1});
    writer.add("tokenizer.ggml.scores", std::vector<float>{0, -1, -2, -3});
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    IncrementalDecoder decoder(*tokenizer, true);
    std::string streamed;
    for (const TokenId id : {1, 2, 3})
        streamed += decoder.push(id);
    QCOMPARE(streamed, std::string(" leading x"));
    QCOMPARE((*tokenizer)->detokenize({1, 2, 3}, false), std::string(" leading x"));
}

void TestTokenizerCases::T31_streamOfBytePairsKeepsItsBlank() {
    const auto tokenizer = vocabulary("qwen2");
    if (!tokenizer) QSKIP("the vocabulary is not here");
    IncrementalDecoder decoder(tokenizer, true);
    std::string streamed;
    for (const TokenId id : tokenizer->tokenize(" leading x", false))
        streamed += decoder.push(id);
    QCOMPARE(streamed, std::string(" leading x"));
}

// The reference's vocabulary is Mistral NeMo's, which is not here; its way to cut words is.
void TestTokenizerCases::T07_longWordsAreCutWithoutRecursion() {
    GgufWriter writer = vocabularyWriter("gpt2", {"u", "s", "us", "usus"}, {1, 1, 1, 1});
    writer.add("tokenizer.ggml.pre", "tekken");
    writer.add("tokenizer.ggml.merges", std::vector<std::string>{"u s", "us us"});
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    for (const size_t count : {300u, 100000u})
        QVERIFY((*tokenizer)->tokenize(repeated("us", 2 * count), false) == Ids(count, 3));
}

// The map of the file says what becomes of a half; a vocabulary without one keeps it (the row "T17 kept").
void TestTokenizerCases::T17_compatibilityFormsWhereTheFileHasThem() {
    const auto tokenizer = tokenizerOfFile(QStringLiteral(STEELYARD_TEST_DATA) + "/tokenizers/unigram-bytes.gguf");
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QCOMPARE(textOf((*tokenizer)->tokenize("ied 4 \xC2\xBD months", false)),
             textOf((*tokenizer)->tokenize("ied 4 1\xE2\x81\x84" "2 months", false)));
}

// Functionary's vocabulary is Mistral's with this token added at its end.
void TestTokenizerCases::T19_blankBehindAnAddedTokenIsNotAdded() {
    GgufWriter writer = vocabularyWriter(
        "llama", {"<unk>", "<s>", "\xE2\x96\x81", "s", "y", "t", "e", "m", "\xE2\x96\x81s", "<|from|>"},
        {2, 3, 1, 1, 1, 1, 1, 1, 1, 3});
    writer.add("tokenizer.ggml.scores", std::vector<float>{0, 0, -1, -1, -1, -1, -1, -1, -2, 0});
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    const std::string text = "<|from|>system";
    QCOMPARE((*tokenizer)->detokenize((*tokenizer)->tokenize(text, true), true), text);
}

// Files of Llama 3 name the end of text, and replies end with the end of a turn.
void TestTokenizerCases::G23_everyEndTokenOfTheFamilyEndsAReply() {
    const auto tokenizer = vocabulary("llama-bpe");
    if (!tokenizer) QSKIP("the vocabulary is not here");
    const auto& ends = tokenizer->special().endOfReply;
    for (const TokenId id : {128001, 128009})
        QVERIFY2(std::find(ends.begin(), ends.end(), id) != ends.end(), qPrintable(QString::number(id)));
}

void TestTokenizerCases::T35_bosIsAskedForWhereTheVocabularyHasOne() {
    const std::pair<const char*, bool> rows[] = {{"llama-bpe", true}, {"llama-spm", true}, {"gemma-4", true},
                                                 {"qwen2", false},    {"gpt-oss", false},  {"gpt-2", false}};
    for (const auto& row : rows) {
        const auto tokenizer = vocabulary(row.first);
        if (!tokenizer) QSKIP("the vocabulary is not here");
        QVERIFY2(tokenizer->special().addBos == row.second, row.first);
    }
}

void TestTokenizerCases::wordsAreCut_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const char* text, const QStringList& words) {
        QTest::addRow("%s", name) << QString(name) << QString::fromUtf8(text) << words;
    };
    const QString marks = QString::fromUtf8("नमस्ते");
    row("gpt-4o", "नमस्ते", {marks}); // T11: combining marks stay with their letters
    row("qwen35", "नमस्ते", {marks});
    row("gpt-2", "it's 1234  x", {"it", "'s", " 1234", " ", " x"});
    row("llama-bpe", "IT'S 1234", {"IT", "'S", " ", "123", "4"});
    row("qwen2", "a12\n\n b", {"a", "1", "2", "\n\n", " b"});
    row("smollm", "a 12", {"a", " ", "1", "2"});
    row("command-r", "a12", {"a", "1", "2"});
    row("falcon", "a1234!", {"a", "123", "4", "!"});
    row("tekken", "camelCase12", {"camel", "Case", "1", "2"});
    row("deepseek-v3", "中文1234ok", {"中文", "123", "4", "ok"});
    row("deepseek-coder", "a 12\n", {"a", " ", "1", "2", "\n"});
    row("deepseek-llm", "a 12\n  ", {"a", " ", "12", "\n", "  "});
    row("superbpe", "1234567", {"1", "234", "567"});
    // Digits of other scripts group too, other numbers only lie among them (as Hugging Face cuts, not the peer).
    row("superbpe mixed", "40①2917²a", {"40①2", "917²", "a"});
    row("superbpe two runs", "6७4²123", {"6७4²", "123"});
    row("tiny_aya", "1234 1234a", {"1", "234", " ", "123", "4", "a"});
    row("tiny_aya mixed", "४²2a7038๓७-9", {"४²2", "a", "703", "8๓७", "-", "9"});
    row("tiny_aya circle", "7①4", {"7", "①", "4"});
    row("afmoe", "ကမ1234", {"ကမ", "1", "234"});
    row("exaone-moe", "one two 12\n\n", {"one two", " ", "1", "2", "\n\n"});
    row("jais-2", "a          b", {"a", "        ", " ", " b"});
    row("chameleon", "IMGIMGABZ x", {"IMGIMGABZ", " x"});
    row("kimi-k2", "中文ab", {"中文", "ab"});
    row("bloom", "a, b", {"a", ",", " b"});
    row("viking", "a12", {"a", "1", "2"});
    row("youtu", "한글中文", {"한글", "中文"});
    row("spark2_5", "a\n\nb", {"a", "\n", "\n", "b"});
    row("gemma4", "a b\nc", {"a b", "\n", "c"});
}

void TestTokenizerCases::wordsAreCut() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    const Pretokenizer* pretokenizer = findPretokenizer(name.section(' ', 0, 0).toStdString());
    QVERIFY(pretokenizer);
    const std::string bytes = text.toStdString();
    QStringList cut;
    forEachPiece(*pretokenizer, bytes,
                 [&](size_t from, size_t to) { cut.append(QString::fromStdString(bytes.substr(from, to - from))); });
    QCOMPARE(cut, words);
}

void TestTokenizerCases::longRunsEnd_data() {
    QTest::addColumn<QString>("vocabularyName");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("T07") << "gpt-oss" << QByteArray::fromStdString(repeated("us", 500));
    QTest::newRow("T08") << "deepseek-v3" << QByteArray(131072, 'Z');
    QTest::newRow("T10") << "qwen2" << QByteArray(40000, '\n');
    for (const char* name : {"llama-bpe", "llama-spm", "gemma-4"})
        QTest::addRow("a megabyte %s", name) << QString(name) << QByteArray(1 << 20, ' ');
}

void TestTokenizerCases::longRunsEnd() {
    QFETCH(QString, vocabularyName);
    QFETCH(QByteArray, text);
    const auto tokenizer = vocabulary(vocabularyName);
    if (!tokenizer) QSKIP("the vocabulary is not here");
    const auto ids = tokenizer->tokenize(text.toStdString(), false);
    QVERIFY(!ids.empty());
    QCOMPARE(tokenizer->detokenize(ids, false), text.toStdString());
}

QTEST_APPLESS_MAIN(TestTokenizerCases)
#include "test_tokenizer_cases.moc"
