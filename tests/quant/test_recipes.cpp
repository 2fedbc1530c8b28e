// Recipes: which tensors are turned, and which type each gets in a file of each name.
#include "engine/format/gguf_writer.h"
#include "engine/quant/recipes.h"

#include <QtTest>

using namespace steelyard;

namespace {

struct Tensor {
    const char* name;
    std::vector<uint64_t> shape;
};

// The head of a model without data.
GgufFile headOf(GgufWriter writer, const std::vector<Tensor>& tensors) {
    for (const auto& tensor : tensors)
        if (!writer.declareTensor(tensor.name, TensorType::F32, tensor.shape)) qFatal("a tensor that cannot be");
    const std::string head = writer.head();
    auto file = GgufFile::parse({reinterpret_cast<const uint8_t*>(head.data()), head.size()}, writer.fileBytes().value(), false);
    if (!file) qFatal("%s", file.sentence().c_str());
    return std::move(*file);
}

TensorType typeOf(const char* recipe, const GgufFile& file, const std::string& tensor, bool importance = false) {
    const auto types = typesIn(**recipeOf(recipe), file, importance);
    return types[static_cast<size_t>(file.findTensor(tensor) - file.tensors().data())];
}

} // namespace

class TestRecipes : public QObject {
    Q_OBJECT

private slots:
    void whatIsTurned_data();
    void whatIsTurned();
    void namesAreReadInAnyCase();
    void rowsThatAreNoWholeBlocksFallBack();
};

void TestRecipes::whatIsTurned_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("turned");
    const auto row = [](const char* name, int rows, bool turned) { QTest::addRow("%s %d", name, rows) << QString(name) << rows << turned; };
    for (const char* name : {"token_embd.weight", "output.weight", "blk.0.attn_q.weight", "blk.10.ffn_down_exps.weight",
                             "blk.2.ffn_gate_up_exps.weight", "blk.1.ssm_in.weight", "per_layer_token_embd.weight"})
        row(name, 2, true);
    row("blk.0.attn_q.weight", 1, false);
    for (const char* name : {"blk.0.attn_q.bias", "blk.0.attn_norm.weight", "blk.0.ffn_gate_inp.weight", "blk.0.ssm_conv1d.weight",
                             "blk.0.shortconv.conv.weight", "blk.0.ssm_a", "position_embd.weight", "token_types.weight",
                             "per_layer_model_proj.weight", "v.position_embd.weight"})
        row(name, 4, false);
}

void TestRecipes::whatIsTurned() {
    QFETCH(QString, name);
    QFETCH(int, rows);
    QFETCH(bool, turned);
    const GgufTensor tensor{name.toStdString(), TensorType::F32, {32, static_cast<uint64_t>(rows)}, 0, 0};
    QCOMPARE(isTurned(tensor), turned);
}

void TestRecipes::namesAreReadInAnyCase() {
    for (const char* name : {"Q8_0", "q8_0", "bf16", "Bf16", "F32", "q4_k_m", "Q2_K"})
        QVERIFY2(recipeOf(name).ok(), name);
    QCOMPARE((*recipeOf("q4_k"))->name, std::string_view("Q4_K_M"));
    const std::string sentence = recipeOf("Q9_K").sentence();
    for (const char* part : {"Q9_K", "F32", "F16", "BF16", "Q8_0", "Q4_K_M"})
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
}

void TestRecipes::rowsThatAreNoWholeBlocksFallBack() {
    const GgufFile file = headOf(GgufWriter(), {{"a.weight", {33, 4}}, {"b.weight", {64, 4}}, {"a.bias", {64, 4}}, {"c.weight", {512, 4}}});
    QCOMPARE(typeOf("Q8_0", file, "a.weight"), TensorType::F16);
    QCOMPARE(typeOf("Q8_0", file, "b.weight"), TensorType::Q8_0);
    QCOMPARE(typeOf("Q8_0", file, "a.bias"), TensorType::F32);
    for (const auto& [name, small] : {std::pair("Q2_K", TensorType::Q4_0), std::pair("Q3_K_S", TensorType::Q4_0), std::pair("Q4_K_S", TensorType::Q5_0),
                                      std::pair("Q5_K_S", TensorType::Q5_1), std::pair("Q6_K", TensorType::Q8_0)}) {
        QCOMPARE(typeOf(name, file, "a.weight"), TensorType::F16);
        QCOMPARE(typeOf(name, file, "b.weight"), small);
        QCOMPARE(info(typeOf(name, file, "c.weight")).blockValues, 256u);
    }
}

QTEST_APPLESS_MAIN(TestRecipes)
#include "test_recipes.moc"
