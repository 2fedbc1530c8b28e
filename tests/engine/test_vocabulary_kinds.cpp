// The kinds of vocabularies beside byte pairs, on small ones made on the spot or with SentencePiece itself; added
// tokens that take blanks along; every name of a way to cut words.
#include "engine/tokenizer/pretokenizers.h"
#include "tests/engine/vocabulary_files.h"

#include <QtTest>

using namespace steelyard;
using Ids = std::vector<TokenId>;

namespace {

const std::string kBlank = "\xE2\x96\x81";
const char* const kBlanks[] = {"", " ", "  ", "\n", "\r\n", "\n\n", "\t", "\t\t"};

GgufWriter smallWordPieces() {
    return vocabularyWriter(
        "bert", {"[UNK]", "[CLS]", kBlank + "lush", "i", kBlank + "kan", "to", kBlank + "!", kBlank + "\xE6\x97\xA5"},
        {2, 3, 1, 1, 1, 1, 1, 1});
}

// Letters in the alphabet of bytes, so that texts of a, b and blanks can be read.
GgufWriter smallMaskVocabulary(const char* pre, const char* mask) {
    GgufWriter writer =
        vocabularyWriter("gpt2", {"a", "b", "\u0120", "\u010A", "\u010D", "\u0109", mask}, {1, 1, 1, 1, 1, 1, 3});
    writer.add("tokenizer.ggml.pre", pre);
    writer.add("tokenizer.ggml.merges", std::vector<std::string>());
    return writer;
}

} // namespace

class TestVocabularyKinds : public QObject {
    Q_OBJECT
private slots:
    void unigramAgreesWithSentencePiece_data();
    void unigramAgreesWithSentencePiece();
    void damagedCharacterMaps_data();
    void damagedCharacterMaps();
    void T16_accentsDoNotVanish();
    void wordPiecesOfTextsAndBack();
    void longestMatchWins();
    void bestCoverWins();
    void wordsOfBasesStandBetweenTheirTags();
    void T22_maskTakesBlanksBefore_data();
    void T22_maskTakesBlanksBefore();
    void T22_phiTokensTakeBlanksBehind();
    void T13_noBlankBehindControlTokens();
    void everyKnownNameHasAWayToCut();
    void mergesByIdsWhereAFileHasNone();
    void textsWithoutTokensAreRefused();
    void tokensOutsideTheAlphabetAreNotMerged();
};

void TestVocabularyKinds::unigramAgreesWithSentencePiece_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("unknown") << "unigram";
    QTest::newRow("bytes") << "unigram-bytes";
}

void TestVocabularyKinds::unigramAgreesWithSentencePiece() {
    QFETCH(QString, name);
    const QString folder = QStringLiteral(STEELYARD_TEST_DATA) + "/tokenizers/";
    const auto tokenizer = tokenizerOfFile(folder + name + ".gguf");
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    const auto data = readJsonFile(folder + "unigram.json");
    for (const auto& entry : data[name.toStdString()]) {
        const std::string text = entry["text"];
        QVERIFY2((*tokenizer)->tokenize(text, false) == entry["ids"].get<Ids>(), entry.dump().c_str());
    }
    QCOMPARE((*tokenizer)->detokenize((*tokenizer)->tokenize("kalo mi", false), false), std::string("kalo mi"));
}

void TestVocabularyKinds::damagedCharacterMaps_data() {
    QTest::addColumn<QByteArray>("map");
    QTest::newRow("V12 0") << QByteArray();
    QTest::newRow("V12 1") << QByteArray(1, '\0');
    QTest::newRow("V12 3") << QByteArray(3, '\0');
    QTest::newRow("V12 no table") << QByteArray(20, '\0');
    QTest::newRow("V12 table beyond the end") << QByteArray("\x40\0\0\0\0\0\0\0", 8);
    QTest::newRow("V12 odd table") << QByteArray("\x05\0\0\0\0\0\0\0\0\0\0\0", 12);
    QTest::newRow("V12 open text") << QByteArray("\x04\0\0\0\0\0\0\0abc", 11);
}

void TestVocabularyKinds::damagedCharacterMaps() {
    QFETCH(QByteArray, map);
    GgufWriter writer = vocabularyWriter("t5", {"<unk>", "a"}, {2, 1});
    writer.add("tokenizer.ggml.scores", std::vector<float>{0, -1});
    std::string bytes("\0\0\0\0", 4); // an array of u8
    const uint64_t count = static_cast<uint64_t>(map.size());
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    writer.addRaw("tokenizer.ggml.precompiled_charsmap", 9, bytes + map.toStdString());
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY(!tokenizer.ok());
    QVERIFY2(tokenizer.sentence().find("precompiled_charsmap") != std::string::npos, tokenizer.sentence().c_str());
}

void TestVocabularyKinds::T16_accentsDoNotVanish() {
    const auto tokenizer = tokenizerOf(smallWordPieces().bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("l\xC7\x9Cshi", false) == (Ids{2, 3}));
    QVERIFY((*tokenizer)->tokenize("Kant\xC5\x8D", false) == (Ids{4, 5}));
}

void TestVocabularyKinds::wordPiecesOfTextsAndBack() {
    const auto tokenizer = tokenizerOf(smallWordPieces().bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("LUSH!kan\xE6\x97\xA5 kan", false) == (Ids{2, 6, 4, 7, 4}));
    QVERIFY((*tokenizer)->tokenize("kanx lush", false) == (Ids{0, 2})); // a word that cannot be cut
    QVERIFY((*tokenizer)->tokenize(std::string(101, 'i'), false) == (Ids{0}));
    QVERIFY((*tokenizer)->tokenize("[CLS] lush", true) == (Ids{1, 2}));
    QCOMPARE((*tokenizer)->detokenize({2, 3, 4}, false), std::string("lushi kan"));
    GgufWriter cased = smallWordPieces();
    cased.add("tokenizer.ggml.normalizer.lowercase", false);
    QVERIFY((*tokenizerOf(cased.bytes()))->tokenize("Kan kan", false) == (Ids{0, 4}));
}

void TestVocabularyKinds::longestMatchWins() {
    const auto tokenizer = tokenizerOf(
        vocabularyWriter("rwkv", {"<s>", "a", "ab", "abc", "\\n", "\\xc3", "\\\\"}, {3, 1, 1, 1, 1, 1, 1}).bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("abcaba\n\\\xC3", false) == (Ids{3, 2, 1, 4, 6, 5}));
    QCOMPARE((*tokenizer)->detokenize({3, 4, 5}, false), std::string("abc\n\xC3"));
    const auto broken = tokenizerOf(vocabularyWriter("rwkv", {"a", "\\x0"}, {1, 1}).bytes());
    QVERIFY2(broken.sentence().find("Token 1") != std::string::npos, broken.sentence().c_str());
}

// PLaMo's kind: the best sum wins, the longer token where sums are equal, bytes where nothing covers.
void TestVocabularyKinds::bestCoverWins() {
    std::vector<std::string> texts{"<unk>", "a", "b", "ab", "ba", "aba", "\xC3\xA4", "x<y"};
    std::vector<int32_t> kinds{2, 1, 1, 1, 1, 1, 1, 3};
    std::vector<float> scores{0, -3, -3, -4, -4, -8, -1, 0};
    for (int byte = 0; byte < 256; ++byte) {
        texts.push_back(QString::asprintf("<0x%02X>", byte).toStdString());
        kinds.push_back(6);
        scores.push_back(0);
    }
    GgufWriter writer = vocabularyWriter("plamo2", texts, kinds);
    writer.add("tokenizer.ggml.scores", scores);
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("ab", false) == (Ids{3}));
    QVERIFY((*tokenizer)->tokenize("aba", false) == (Ids{3, 1})); // -7 against -8, and before a, ba
    QVERIFY((*tokenizer)->tokenize("abba", false) == (Ids{3, 4}));
    const TokenId bytes = 8;
    QVERIFY((*tokenizer)->tokenize("\xC3\xA4\xC3\xB6 ", false) == (Ids{6, bytes + 0xC3, bytes + 0xB6, bytes + ' '}));
    QVERIFY((*tokenizer)->tokenize("\xEF\xBB\xBF" "a\xFF", false) == (Ids{1, bytes + 0xFF}));
    QVERIFY((*tokenizer)->tokenize("x<y", true) == (Ids{7}));
    const std::string text = "abx<yb \xE6\x97\xA5";
    QCOMPARE((*tokenizer)->detokenize((*tokenizer)->tokenize(text, false), true), text);
}

void TestVocabularyKinds::wordsOfBasesStandBetweenTheirTags() {
    const std::string mark = "\uE000";
    GgufWriter writer = vocabularyWriter(
        "hybriddna", {"A", "C", "G", "T", "CC", "<dna>", "</dna>", "<oov>", "ACGTAC" + mark, "CCCCCC" + mark, "CAAAAA" + mark},
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    writer.add("tokenizer.ggml.pre", "gpt-2");
    writer.add("tokenizer.ggml.merges", std::vector<std::string>{"C C"});
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("CC<dna>acgtacCCCCCCc</dna>GC", false) == (Ids{4, 5, 8, 9, 10, 6, 2, 1}));
    QVERIFY((*tokenizer)->tokenize("<dna>NNNNNN", false) == (Ids{5, 7}));
    QCOMPARE((*tokenizer)->detokenize({5, 8, 9, 6}, false), std::string("<dna>ACGTACCCCCCC</dna>"));
}

void TestVocabularyKinds::T22_maskTakesBlanksBefore_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    for (size_t i = 0; i < std::size(kBlanks); ++i)
        for (size_t j = 0; j < std::size(kBlanks); ++j)
            QTest::addRow("%zu %zu", i, j) << QByteArray(kBlanks[i]) << QByteArray(kBlanks[j]);
}

void TestVocabularyKinds::T22_maskTakesBlanksBefore() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const std::string text = "a" + before.toStdString() + "<mask>" + after.toStdString() + "b";
    const auto stripping = tokenizerOf(smallMaskVocabulary("jina-v2-code", "<mask>").bytes());
    QVERIFY2(stripping.ok(), stripping.sentence().c_str());
    const auto ids = (*stripping)->tokenize(text, true);
    QCOMPARE((*stripping)->detokenize(ids, true), "a<mask>" + after.toStdString() + "b");
    const auto plain = tokenizerOf(smallMaskVocabulary("gpt-2", "<mask>").bytes());
    QCOMPARE((*plain)->detokenize((*plain)->tokenize(text, true), true), text);
}

void TestVocabularyKinds::T22_phiTokensTakeBlanksBehind() {
    GgufWriter writer = smallMaskVocabulary("gpt-2", "<|end|>");
    writer.add("general.name", "Phi-3 mini");
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    for (const char* blanks : kBlanks) {
        const auto ids = (*tokenizer)->tokenize("a" + std::string(blanks) + "<|end|>" + blanks + "b", true);
        QCOMPARE((*tokenizer)->detokenize(ids, true), "a" + std::string(blanks) + "<|end|>b");
    }
}

void TestVocabularyKinds::T13_noBlankBehindControlTokens() {
    GgufWriter writer =
        vocabularyWriter("llama", {"<pad>", "<eos>", "text", kBlank + "text", kBlank, "<unk>", "t", "e", "x", "te", "xt"},
                         {3, 3, 1, 1, 1, 2, 1, 1, 1, 1, 1});
    writer.add("tokenizer.ggml.scores", std::vector<float>{0, 0, -3, -4, -9, 0, -9, -9, -9, -1, -2});
    writer.add("tokenizer.ggml.add_space_prefix", false);
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("<pad>text<eos>", true) == (Ids{0, 2, 1}));
    GgufWriter spaced =
        vocabularyWriter("llama", {"<pad>", "<eos>", "text", kBlank + "text", kBlank, "<unk>", "t", "e", "x", "te", "xt"},
                         {3, 3, 1, 1, 1, 2, 1, 1, 1, 1, 1});
    spaced.add("tokenizer.ggml.scores", std::vector<float>{0, 0, -3, -4, -9, 0, -9, -9, -9, -1, -2});
    QVERIFY((*tokenizerOf(spaced.bytes()))->tokenize("<pad>text<eos>", true) == (Ids{0, 3, 1})); // where the file asks for it
}

void TestVocabularyKinds::everyKnownNameHasAWayToCut() {
    for (const char* name : {"a.x-4.0",
                             "afmoe",
                             "bailingmoe",
                             "bailingmoe2",
                             "bloom",
                             "chameleon",
                             "chatglm-bpe",
                             "codeshell",
                             "cohere2moe",
                             "command-r",
                             "dbrx",
                             "deepseek-coder",
                             "deepseek-llm",
                             "deepseek-r1-qwen",
                             "deepseek-v3",
                             "default",
                             "exaone",
                             "exaone-moe",
                             "exaone4",
                             "f2llmv2",
                             "falcon",
                             "falcon-h1",
                             "falcon3",
                             "gemma4",
                             "gigachat",
                             "glm4",
                             "glm5",
                             "gpt-2",
                             "gpt-4o",
                             "gpt3-finnish",
                             "granite-docling",
                             "granite-embed-multi-311m",
                             "granite-embed-multi-97m",
                             "grok-2",
                             "hunyuan",
                             "hunyuan-dense",
                             "hy_v4",
                             "jais",
                             "jais-2",
                             "jina-de",
                             "jina-es",
                             "jina-v1-en",
                             "jina-v2-code",
                             "jina-v2-de",
                             "jina-v2-es",
                             "jina-v5-nano",
                             "joyai-llm",
                             "kanana2",
                             "kimi-k2",
                             "kormo",
                             "laguna",
                             "lfm2",
                             "llada-moe",
                             "llama-bpe",
                             "llama-v3",
                             "llama3",
                             "llama4",
                             "megrez",
                             "mellum",
                             "mellum2",
                             "midm-2.0",
                             "minerva-7b",
                             "minicpm5",
                             "minimax-m2",
                             "modern-bert",
                             "mpt",
                             "olmo",
                             "phi-2",
                             "pixtral",
                             "poro-chat",
                             "qwen2",
                             "qwen35",
                             "refact",
                             "roberta-bpe",
                             "sarvam-moe",
                             "seed-coder",
                             "smaug-bpe",
                             "smollm",
                             "solar-open",
                             "spark2_5",
                             "stablelm2",
                             "starcoder",
                             "superbpe",
                             "talkie",
                             "tekken",
                             "tiny_aya",
                             "trillion",
                             "ufakzeka",
                             "viking",
                             "whitespace",
                             "youtu"})
        QVERIFY2(findPretokenizer(name), name);
    QVERIFY(!findPretokenizer("martian"));
}

void TestVocabularyKinds::mergesByIdsWhereAFileHasNone() {
    GgufWriter writer = vocabularyWriter("gpt2", {"a", "b", "c", "bc", "ab"}, {1, 1, 1, 1, 1});
    writer.add("tokenizer.ggml.pre", "kimi-k2");
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("abc", false) == (Ids{0, 3}));
}

void TestVocabularyKinds::textsWithoutTokensAreRefused() {
    for (const char* model : {"llama", "t5", "bert"}) {
        GgufWriter writer = vocabularyWriter(model, {"a", "b"}, {1, 1});
        writer.add("tokenizer.ggml.scores", std::vector<float>{0, 0});
        const auto tokenizer = tokenizerOf(writer.bytes());
        QVERIFY2(tokenizer.sentence().find("no token for byte 0") != std::string::npos, model); // gguf-V16
    }
}

void TestVocabularyKinds::tokensOutsideTheAlphabetAreNotMerged() {
    GgufWriter writer = vocabularyWriter(
        "gpt2", {"\u200D", "\u00E2", "\u0122", "\u012F", "\u00E2\u0122", "\u00E2\u0122\u012F"}, {1, 1, 1, 1, 1, 1});
    writer.add("tokenizer.ggml.pre", "gpt-2");
    writer.add("tokenizer.ggml.merges", std::vector<std::string>{"\u00E2 \u0122", "\u00E2\u0122 \u012F"});
    const auto tokenizer = tokenizerOf(writer.bytes());
    QVERIFY2(tokenizer.ok(), tokenizer.sentence().c_str());
    QVERIFY((*tokenizer)->tokenize("\u200D", false) == (Ids{5}));
    QCOMPARE((*tokenizer)->bytes(0, false), std::string("\u200D"));
}

QTEST_APPLESS_MAIN(TestVocabularyKinds)
#include "test_vocabulary_kinds.moc"
