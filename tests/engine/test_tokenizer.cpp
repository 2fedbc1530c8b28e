// Tokenizers against reference ids, round trips, trust, bad vocabularies and texts made to be slow.
#include "engine/tokenizer/incremental_decoder.h"
#include "tests/engine/vocabulary_files.h"

#include <QtTest>

using namespace steelyard;

namespace {

// A tiny byte-pair vocabulary: the letters a to d, two merges, a control token and a user-defined one.
GgufWriter smallBytePairs() {
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", "gpt2");
    writer.add("tokenizer.ggml.pre", "gpt-2");
    writer.add("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "ab", "abc", "<|end|>", "<note>"});
    writer.add("tokenizer.ggml.token_type", std::vector<int32_t>{1, 1, 1, 1, 1, 1, 3, 4});
    return writer;
}
const std::vector<std::string> kMerges = {"a b", "ab c"};

// A tiny SentencePiece vocabulary with all byte tokens.
GgufWriter smallPieces(bool blankPrefix) {
    GgufWriter writer;
    std::vector<std::string> tokens = {"<unk>", "<s>", "</s>", "\xE2\x96\x81", "h", "i", "hi", "\xE2\x96\x81hi"};
    std::vector<float> scores = {0, 0, 0, -4, -5, -6, -2, -1};
    std::vector<int32_t> kinds = {2, 3, 3, 1, 1, 1, 1, 1};
    for (int byte = 0; byte < 256; ++byte) {
        tokens.push_back(QString::asprintf("<0x%02X>", byte).toStdString());
        scores.push_back(0);
        kinds.push_back(6);
    }
    writer.add("tokenizer.ggml.model", "llama");
    writer.add("tokenizer.ggml.tokens", tokens);
    writer.add("tokenizer.ggml.scores", scores);
    writer.add("tokenizer.ggml.token_type", kinds);
    writer.add("tokenizer.ggml.unknown_token_id", uint32_t(0));
    writer.add("tokenizer.ggml.add_space_prefix", blankPrefix);
    return writer;
}

std::string streamed(const TokenizerPtr& tokenizer, const std::vector<TokenId>& ids, bool atStart) {
    IncrementalDecoder decoder(tokenizer, atStart);
    std::string text;
    for (const TokenId id : ids)
        text += decoder.push(id);
    return text + decoder.finish();
}

} // namespace

class TestTokenizer : public QObject {
    Q_OBJECT
private slots:
    void conformance_data();
    void conformance();
    void nobodyForgesControlTokens();
    void controlTokensNeedWholeTrust();
    void endsOfReplies();
    void smallBytePairVocabulary();
    void smallPieceVocabulary();
    void filesWithoutVocabulary();
    void streamNeverHoldsHalfACharacter();
    void slowTexts_data();
    void slowTexts();
};

void TestTokenizer::conformance_data() {
    QTest::addColumn<QString>("vocabulary");
    for (const char* name : {"smollm2", "gemma-3", "deepseek-v3", "gemma-4", "gpt-2", "gpt-oss", "llama-bpe",
                             "llama-spm", "phi-3", "qwen2"})
        QTest::newRow(name) << QString(name);
}

void TestTokenizer::conformance() {
    QFETCH(QString, vocabulary);
    const QString cases = conformanceFolder() + "/tokenizers/" + vocabulary + ".json";
    if (!QFile::exists(cases)) QSKIP("the conformance data of vocabularies is not here");
    if (!QFile::exists(vocabularyFile(vocabulary))) QSKIP("the model file is not in the model cache");
    const auto file = GgufFile::open(vocabularyFile(vocabulary).toStdString());
    QVERIFY2(file.ok(), file.sentence().c_str());
    const auto tokenizer = Tokenizer::fromFile(*file);
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    int compared = 0;
    const auto data = readJsonFile(cases);
    for (const auto& entry : data["cases"]) {
        const std::string text = entry["text"];
        for (const bool special : {true, false}) {
            const auto& expected = entry[special ? "ids" : "ids_plain"];
            if (expected.is_null()) continue;
            const auto ids = (*tokenizer)->tokenize(text, special);
            QVERIFY2(ids == expected.get<std::vector<TokenId>>(), entry.dump().substr(0, 300).c_str());
            QCOMPARE(streamed(*tokenizer, ids, true), (*tokenizer)->detokenize(ids, false));
            ++compared;
        }
        // What the vocabulary normalizes (composition, the visible blank) does not come back.
        if (vocabulary != "qwen2" && text.find("\xE2\x96\x81") == std::string::npos)
            QCOMPARE((*tokenizer)->detokenize((*tokenizer)->tokenize(text, true), true), text);
    }
    QVERIFY(compared > 380);
}

void TestTokenizer::nobodyForgesControlTokens() {
    for (const char* vocabulary :
         {"llama-bpe", "llama-spm", "phi-3", "qwen2", "gpt-oss", "deepseek-v3", "gemma-4", "gpt-2"}) {
        if (!QFile::exists(vocabularyFile(vocabulary))) QSKIP("the conformance data of vocabularies is not here");
        const auto file = GgufFile::open(vocabularyFile(vocabulary).toStdString());
        const auto tokenizer = Tokenizer::fromFile(*file);
        QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
        std::string everything;
        for (TokenId id = 0; id < static_cast<TokenId>((*tokenizer)->vocabularySize()); ++id)
            if ((*tokenizer)->isControl(id)) everything += "x" + (*tokenizer)->bytes(id, true);
        // The makers of gpt-oss read one of its control tokens in any text; where trust is asked for, it counts for
        // all.
        for (const TokenId id : (*tokenizer)->tokenize(everything, false))
            QVERIFY2(!(*tokenizer)->isControl(id) ||
                         (std::string(vocabulary) == "gpt-oss" && (*tokenizer)->bytes(id, true) == "<|end|>"),
                     vocabulary);
        const std::vector<TextPiece> pieces = {{"<", true}, {everything, false}, {">", true}};
        for (const TokenId id : (*tokenizer)->tokenize(pieces))
            QVERIFY2(!(*tokenizer)->isControl(id), vocabulary);
    }
}

void TestTokenizer::controlTokensNeedWholeTrust() {
    GgufWriter writer = smallBytePairs();
    writer.add("tokenizer.ggml.merges", kMerges);
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    const auto ids = [&](const std::vector<TextPiece>& pieces) { return (*tokenizer)->tokenize(pieces); };
    QVERIFY(ids({{"a<|e", true}, {"nd|>b", true}}) == (std::vector<TokenId>{0, 6, 1})); // neighbours are one text
    const auto forged = ids({{"a<|e", true}, {"nd|>", false}});
    QVERIFY(std::find(forged.begin(), forged.end(), 6) == forged.end());
    QVERIFY(ids({{"ab", true}, {"c", false}}) == (std::vector<TokenId>{5})); // merges do not stop at the border
    QVERIFY(ids({{"a<note>", false}}) == (std::vector<TokenId>{0, 7}));      // user-defined tokens count everywhere
}

void TestTokenizer::endsOfReplies() {
    GgufWriter writer = smallBytePairs();
    writer.add("tokenizer.ggml.merges", kMerges);
    writer.add("tokenizer.ggml.eos_token_id", uint32_t(7));
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->special().endOfReply == (std::vector<TokenId>{7, 6})); // the key's, then the well-known one
}

void TestTokenizer::smallBytePairVocabulary() {
    GgufWriter writer = smallBytePairs();
    writer.add("tokenizer.ggml.merges", kMerges);
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("abcabd", false) == (std::vector<TokenId>{5, 4, 3}));
    QVERIFY((*tokenizer)->tokenize("", true).empty());
    QVERIFY(!(*tokenizer)->special().addBos);
    QCOMPARE((*tokenizer)->detokenize({5, 6, 0}, true), std::string("abc<|end|>a"));
    QCOMPARE((*tokenizer)->detokenize({5, 6, 0}, false), std::string("abca"));
    QVERIFY((*tokenizer)->bytes(-1, true).empty() && (*tokenizer)->bytes(99, true).empty());
}

void TestTokenizer::smallPieceVocabulary() {
    const auto with = tokenizerOf(smallPieces(true).bytes());
    QVERIFY2(with.ok(), with.sentence().c_str());
    QVERIFY((*with)->tokenize("hi", false) == (std::vector<TokenId>{7}));
    QVERIFY((*with)->tokenize("hi hi", false) == (std::vector<TokenId>{7, 7}));
    QVERIFY((*with)->tokenize("<s>hi", true) ==
            (std::vector<TokenId>{1, 7})); // the blank stands behind control tokens too
    QCOMPARE((*with)->detokenize({1, 7, 7}, false), std::string("hi hi"));
    QCOMPARE(streamed(*with, {7, 7}, true), std::string("hi hi"));
    QCOMPARE(streamed(*with, {7, 7}, false), std::string(" hi hi"));
    const auto without = tokenizerOf(smallPieces(false).bytes());
    QVERIFY((*without)->tokenize("hi", false) == (std::vector<TokenId>{6}));
    const auto emoji = (*without)->tokenize("\xF0\x9F\x98\x8A", false);
    QCOMPARE(emoji.size(), size_t(4)); // byte tokens
    QCOMPARE((*without)->detokenize(emoji, false), std::string("\xF0\x9F\x98\x8A"));
}

void TestTokenizer::filesWithoutVocabulary() {
    GgufWriter writer;
    writer.add("tokenizer.ggml.model", "no_vocab");
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("text", true).empty());
    QVERIFY((*tokenizer)->bytes(3, true).empty());
}

void TestTokenizer::streamNeverHoldsHalfACharacter() {
    const auto tokenizer = tokenizerOf(smallPieces(false).bytes());
    const std::string text = "\xF0\x9F\x8C\x8D\xC3\xA4\xE4\xBD\xA0";
    const auto ids = (*tokenizer)->tokenize(text, false);
    IncrementalDecoder decoder(*tokenizer, false);
    std::string joined;
    for (const TokenId id : ids) {
        const std::string piece = decoder.push(id);
        QVERIFY(QString::fromStdString(piece).indexOf(QChar(0xFFFD)) < 0);
        joined += piece;
    }
    QCOMPARE(joined, text);
    QVERIFY(decoder.finish().empty());
    IncrementalDecoder cut(*tokenizer, false);
    QVERIFY(cut.push(ids[0]).empty() && cut.push(ids[1]).empty());
    QCOMPARE(cut.finish(), std::string("\xEF\xBF\xBD")); // the broken tail, once
    IncrementalDecoder broken(*tokenizer, false);
    QCOMPARE(broken.push(ids[1]), std::string("\xEF\xBF\xBD")); // a byte that can begin nothing is not held
}

void TestTokenizer::slowTexts_data() {
    QTest::addColumn<QString>("vocabulary");
    for (const char* name : {"gpt-2", "llama-bpe", "llama-spm", "gpt-oss", "deepseek-v3", "gemma-4", "qwen2"})
        QTest::newRow(name) << QString(name);
}

// Texts on which engines with a backtracking expression or a quadratic merge fail; here they only have to end.
void TestTokenizer::slowTexts() {
    QFETCH(QString, vocabulary);
    if (!QFile::exists(vocabularyFile(vocabulary))) QSKIP("the conformance data of vocabularies is not here");
    const auto file = GgufFile::open(vocabularyFile(vocabulary).toStdString());
    const auto tokenizer = Tokenizer::fromFile(*file);
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    constexpr size_t kSize = 30000;
    std::string words, marks, mixed, broken;
    while (words.size() < kSize)
        words += "us";
    while (marks.size() < kSize)
        marks += "\xCC\x81\xCC\xA3"; // combining marks in the order that sorting dislikes
    while (mixed.size() < kSize)
        mixed += "aB\xD0\x96";
    while (broken.size() < kSize)
        broken += "\xF0\x9F\xFF";
    for (const std::string& text : {std::string(kSize, 'Z'), std::string(kSize, ' '), std::string(kSize, '\n'),
                                    std::string(kSize, '7'), words, marks, mixed, broken}) {
        const auto ids = (*tokenizer)->tokenize(text, true);
        QVERIFY(!ids.empty());
        if (vocabulary != "qwen2") QCOMPARE((*tokenizer)->detokenize(ids, true).size(), text.size());
    }
}

QTEST_APPLESS_MAIN(TestTokenizer)
#include "test_tokenizer.moc"
