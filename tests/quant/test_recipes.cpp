// Recipes: which tensors are turned, and which type each gets in a file of each name.
#include "engine/format/gguf_writer.h"
#include "engine/quant/file_type.h"
#include "engine/quant/recipes.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>

using namespace steelyard;

namespace {

struct Tensor {
    std::string name;
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

// What the field's tool gives each tensor of made-up models, in the order of their files.
QJsonObject reference() {
    QFile file(STEELYARD_TEST_DATA "/quantization/recipe_types.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

// The tensors of a made-up model.
std::vector<Tensor> tensorsOf(const QJsonObject& model) {
    const QJsonObject shape = model["tensors"].toObject();
    const auto columns = static_cast<uint64_t>(shape["columns"].toInt()), stack = static_cast<uint64_t>(shape["stack"].toInt());
    std::vector<Tensor> tensors{{"token_embd.weight", {columns, 32}}};
    for (int layer = 0; layer < model["layers"].toInt(); ++layer)
        for (const auto& part : shape["names"].toArray()) {
            const QString name = part.toString();
            std::vector<uint64_t> sizes{columns, 2};
            if (name.contains("norm")) sizes.pop_back();
            if (name.contains("exps")) sizes.push_back(stack);
            tensors.push_back({QString("blk.%1.%2.weight").arg(layer).arg(name).toStdString(), sizes});
        }
    tensors.push_back({"output_norm.weight", {columns}});
    if (!shape["tied"].toBool()) tensors.push_back({"output.weight", {columns, 32}});
    return tensors;
}

GgufWriter keysOf(const QJsonObject& model) {
    GgufWriter writer;
    const std::string name = model["architecture"].toString().toStdString();
    const auto number = [&](const char* key, const char* value) { writer.add(name + key, static_cast<uint32_t>(model[value].toInt())); };
    writer.add("general.architecture", name);
    number(".block_count", "layers");
    number(".attention.head_count", "heads");
    number(".attention.head_count_kv", "key_heads");
    if (model["experts"].toInt() > 0) number(".expert_count", "experts");
    return writer;
}

} // namespace

class TestRecipes : public QObject {
    Q_OBJECT

private slots:
    void whatIsTurned_data();
    void whatIsTurned();
    void namesAreReadInAnyCase();
    void rowsThatAreNoWholeBlocksFallBack();
    void typesAreThoseOfTheFieldsTool_data();
    void typesAreThoseOfTheFieldsTool();
    void everyRecipeHasAFileType();
    void theOrderOfTensorsInTheFileDoesNotMatter();
    void expertsInMxfp4();
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

void TestRecipes::typesAreThoseOfTheFieldsTool_data() {
    QTest::addColumn<int>("model");
    QTest::addColumn<QString>("recipe");
    const QJsonArray models = reference()["models"].toArray();
    QVERIFY(models.size() > 5);
    for (int i = 0; i < models.size(); ++i)
        for (const QString& recipe : models[i].toObject()["recipes"].toObject().keys())
            QTest::newRow(qPrintable(models[i].toObject()["name"].toString() + " " + recipe)) << i << recipe;
}

void TestRecipes::typesAreThoseOfTheFieldsTool() {
    QFETCH(int, model);
    QFETCH(QString, recipe);
    const QJsonArray names = reference()["types"].toArray();
    const QJsonObject object = reference()["models"].toArray()[model].toObject();
    const GgufFile file = headOf(keysOf(object), tensorsOf(object));
    const QByteArray right = object["recipes"].toObject()[recipe].toString().toLatin1();
    const bool importance = recipe.endsWith('+'); // such rows were made with importance
    const auto found = recipeOf((importance ? recipe.chopped(1) : recipe).toStdString());
    QVERIFY2(found.ok(), found.sentence().c_str());
    const auto types = typesIn(**found, file, importance);
    QCOMPARE(static_cast<qsizetype>(types.size()), right.size());
    for (size_t i = 0; i < types.size(); ++i) {
        const QString name = names[right[static_cast<qsizetype>(i)] - 'a'].toString();
        QVERIFY2(info(types[i]).name == name.toStdString(),
                 qPrintable(QString("%1 is %2, not %3").arg(file.tensors()[i].name.c_str(), info(types[i]).name.data(), name)));
    }
}

void TestRecipes::everyRecipeHasAFileType() {
    for (const auto& recipe : recipes()) {
        const auto number = fileTypeNumber(recipe.name);
        QVERIFY2(number, recipe.name.data());
        QVERIFY2(canBeMade(recipe), recipe.name.data());
        QVERIFY(fileTypeName(*number) == recipe.name || recipe.name == "MXFP4_MOE");
    }
}

void TestRecipes::theOrderOfTensorsInTheFileDoesNotMatter() {
    const QJsonObject object = reference()["models"].toArray()[0].toObject();
    auto tensors = tensorsOf(object);
    const GgufFile straight = headOf(keysOf(object), tensors);
    std::reverse(tensors.begin(), tensors.end());
    const GgufFile reversed = headOf(keysOf(object), tensors);
    for (const auto& tensor : tensors)
        QVERIFY2(typeOf("Q4_K_M", straight, tensor.name) == typeOf("Q4_K_M", reversed, tensor.name), tensor.name.c_str());
}

// MXFP4 is for the experts where there are some, else for all matrices but the embedding and the output.
void TestRecipes::expertsInMxfp4() {
    GgufWriter keys;
    keys.add("general.architecture", "llama");
    const std::vector<Tensor> dense{{"token_embd.weight", {64, 4}}, {"output.weight", {64, 4}}, {"blk.0.attn_q.weight", {64, 4}}};
    const GgufFile plain = headOf(keys, dense);
    QCOMPARE(typeOf("MXFP4", plain, "blk.0.attn_q.weight"), TensorType::MXFP4);
    QCOMPARE(typeOf("NVFP4", plain, "blk.0.attn_q.weight"), TensorType::NVFP4);
    QCOMPARE(typeOf("MXFP4", plain, "output.weight"), TensorType::Q8_0);
    QCOMPARE(typeOf("MXFP4", plain, "token_embd.weight"), TensorType::Q8_0);
    QCOMPARE(typeOf("MXFP4_MOE", plain, "blk.0.attn_q.weight"), TensorType::Q8_0);
    keys.add("llama.expert_count", uint32_t(4));
    auto mixed = dense;
    mixed.push_back({"blk.0.ffn_up_exps.weight", {64, 4, 4}});
    const GgufFile experts = headOf(keys, mixed);
    for (const char* recipe : {"MXFP4", "MXFP4_MOE"}) {
        QCOMPARE(typeOf(recipe, experts, "blk.0.attn_q.weight"), TensorType::Q8_0);
        QCOMPARE(typeOf(recipe, experts, "blk.0.ffn_up_exps.weight"), TensorType::MXFP4);
    }
}

QTEST_APPLESS_MAIN(TestRecipes)
#include "test_recipes.moc"
