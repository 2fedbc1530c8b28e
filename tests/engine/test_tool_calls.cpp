// Earlier tool calls reach each template in the form that it wants: as the text that the client sent, or decoded once.
#include "engine/template/tool_calls.h"
#include "tests/engine/conformance_files.h"

#include <QtTest>

using namespace steelyard;
using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kNow = 1796040000; // 2026-11-30T12:00:00
constexpr const char* kCommand = R"({"command":"ls -la", "deep":{"a":[1]}})";

Json conversationWithCall() {
    const Json call = {{"type", "function"}, {"id", "abcdefghi"}, {"function", {{"name", "shell"}, {"arguments", kCommand}}}};
    const Json tool = {{"type", "function"}, {"function", {{"name", "shell"}, {"description", "Runs"}, {"parameters", {{"type", "object"}, {"properties", Json::object()}}}}}};
    return {{"messages", Json::array({{{"role", "user"}, {"content", "List"}},
                                      {{"role", "assistant"}, {"content", ""}, {"tool_calls", Json::array({call})}},
                                      {{"role", "tool"}, {"name", "shell"}, {"tool_call_id", "abcdefghi"}, {"content", "a.txt"}}})},
            {"tools", Json::array({tool})},
            {"add_generation_prompt", true},
            {"bos_token", ""},
            {"eos_token", ""}};
}

} // namespace

class TestToolCalls : public QObject {
    Q_OBJECT
private slots:
    void J14_argumentsOfCallsComeAsTheTemplateWantsThem_data();
    void J14_argumentsOfCallsComeAsTheTemplateWantsThem();
    void J14_realTemplatesNeverQuoteArgumentsTwice_data();
    void J14_realTemplatesNeverQuoteArgumentsTwice();
    void whatIsNoObjectStaysAsItIs();
};

void TestToolCalls::J14_argumentsOfCallsComeAsTheTemplateWantsThem_data() {
    QTest::addColumn<QByteArray>("use");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("written as JSON") << QByteArray("{{ a|tojson }}") << QByteArray(R"({"command": "ls -la", "deep": {"a": [1]}})");
    QTest::newRow("printed") << QByteArray("{{ a }}") << QByteArray(kCommand);
    QTest::newRow("gone through") << QByteArray("{% for k, v in a.items() %}{{ k }}={{ v }};{% endfor %}") << QByteArray("command=ls -la;deep={'a': [1]};");
    QTest::newRow("in braces of its own") << QByteArray("call{{ '{' }}{% if a is mapping %}{% for k, v in a|items %}{{ k }}:{{ v }},{% endfor %}{% else %}{{ a }}{% endif %}}") << QByteArray("call{command:ls -la,deep:{'a': [1]},}");
    QTest::newRow("either") << QByteArray("{{ a if a is string else a|tojson }}") << QByteArray(kCommand);
}

void TestToolCalls::J14_argumentsOfCallsComeAsTheTemplateWantsThem() {
    QFETCH(QByteArray, use);
    QFETCH(QByteArray, expected);
    const auto format = ChatFormat::compile("{% set a = messages[1].tool_calls[0].function.arguments %}" + use.toStdString());
    QVERIFY2(format.ok(), format.sentence().c_str());
    const auto pieces = format->render(withToolArguments(*format, conversationWithCall(), kNow), kNow);
    QVERIFY2(pieces.ok(), pieces.sentence().c_str());
    QCOMPARE(joined(*pieces), expected.toStdString());
}

void TestToolCalls::J14_realTemplatesNeverQuoteArgumentsTwice_data() {
    QTest::addColumn<QString>("file");
    const QDir folder(conformanceFolder() + "/templates");
    const auto files = folder.entryList({"*.jinja"});
    for (const QString& file : files) QTest::newRow(qPrintable(file)) << folder.filePath(file);
    if (files.isEmpty()) QTest::newRow("none") << QString();
}

void TestToolCalls::J14_realTemplatesNeverQuoteArgumentsTwice() {
    QFETCH(QString, file);
    if (file.isEmpty()) QSKIP("the conformance data of templates is not here");
    const auto format = ChatFormat::compile(readBytes(file).toStdString());
    QVERIFY2(format.ok(), format.sentence().c_str());
    const Json given = conversationWithCall();
    const Json variables = withToolArguments(*format, given, kNow);
    const auto pieces = format->render(variables, kNow);
    if (!pieces) return; // a template that knows no tools
    const std::string prompt = joined(*pieces);
    QVERIFY2(prompt.find("\\\"command") == std::string::npos && prompt.find("{{") == std::string::npos, prompt.c_str());
}

void TestToolCalls::whatIsNoObjectStaysAsItIs() {
    const auto format = ChatFormat::compile("{{ messages[0].tool_calls[0].function.arguments|tojson }}");
    QVERIFY2(format.ok(), format.sentence().c_str());
    for (const char* text : {"", "[1]", "{broken", "7"}) {
        const Json variables = {{"messages", Json::array({{{"role", "assistant"}, {"tool_calls", Json::array({{{"function", {{"arguments", text}}}}})}}})}};
        QVERIFY(withToolArguments(*format, variables, kNow) == variables);
    }
    for (const Json& odd : {Json(), Json::array({1}), Json{{"messages", 3}}, Json{{"messages", Json::array({1, Json{{"tool_calls", {2}}}})}}})
        QVERIFY(withToolArguments(*format, odd, kNow) == odd);
}

QTEST_APPLESS_MAIN(TestToolCalls)
#include "test_tool_calls.moc"
