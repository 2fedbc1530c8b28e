// Chat templates: the reference programs and conversations byte for byte, marks of trust, budgets, errors.
#include "engine/template/chat_format.h"
#include "tests/engine/conformance_files.h"

#include <QtTest>

using namespace steelyard;
using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kNow = 1796040000; // 2026-11-30T12:00:00

Result<std::vector<RenderedPiece>> rendered(const std::string& source, const Json& variables = Json::object()) {
    auto format = ChatFormat::compile(source);
    if (!format) return format.error();
    return format->render(variables, kNow);
}

// The text, or the sentence behind an exclamation mark.
std::string shown(const std::string& source, const Json& variables = Json::object()) {
    const auto pieces = rendered(source, variables);
    return pieces ? joined(*pieces) : "!" + pieces.sentence();
}

std::string trustedText(const std::vector<RenderedPiece>& pieces) {
    std::string text;
    for (const auto& piece : pieces)
        if (piece.trusted) text += piece.text;
    return text;
}

} // namespace

class TestChatFormat : public QObject {
    Q_OBJECT
private slots:
    void programs_data();
    void programs();
    void conversations_data();
    void conversations();
    void smallCases_data();
    void smallCases();
    void textFromVariablesIsNeverTrusted();
    void rolesAndTokensOfTheProgramAreTrusted();
    void budgetsEndHostileTemplates_data();
    void budgetsEndHostileTemplates();
    void loopsEndWithTheirBudget();
    void everyPrefixEndsWithTextOrSentence();
    void errorsNameThePlace();
    void J25_hostObjectsCannotBeReached();
    void J28_brokenTextDoesNoHarm();
};

void TestChatFormat::programs_data() {
    QTest::addColumn<int>("index");
    const Json data = readJsonFile(QStringLiteral(STEELYARD_TEST_DATA) + "/jinja.json");
    int index = 0;
    for (const auto& entry : data["cases"])
        QTest::addRow("%d", entry["id"].get<int>()) << index++;
}

void TestChatFormat::programs() {
    QFETCH(int, index);
    static const Json data = readJsonFile(QStringLiteral(STEELYARD_TEST_DATA) + "/jinja.json");
    const Json& entry = data["cases"][static_cast<size_t>(index)];
    const std::string got = shown(entry["template"], data["variables"]);
    if (entry.contains("rendered"))
        QCOMPARE(got, entry["rendered"].get<std::string>());
    else
        QVERIFY2(got.substr(0, 1) == "!" && got.size() > 10, got.c_str());
}

void TestChatFormat::conversations_data() {
    QTest::addColumn<QString>("file");
    const QDir folder(conformanceFolder() + "/templates");
    const auto files = folder.entryList({"*.json"});
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
    if (files.isEmpty()) QTest::newRow("none") << QString();
}

void TestChatFormat::conversations() {
    QFETCH(QString, file);
    if (file.isEmpty()) QSKIP("the conformance data of templates is not here");
    const Json data = readJsonFile(file);
    const auto format = ChatFormat::compile(readBytes(QString(file).replace(".json", ".jinja")).toStdString());
    QVERIFY2(format.ok(), format.sentence().c_str());
    for (const auto& entry : data["cases"]) {
        Json variables = {{"bos_token", data["bos_token"]}, {"eos_token", data["eos_token"]}};
        for (const auto& member : entry.items())
            if (member.key() != "name" && member.key() != "rendered" && member.key() != "error" &&
                !member.value().is_null())
                variables[member.key()] = member.value();
        const auto pieces = format->render(variables, kNow);
        const std::string name = entry["name"];
        QVERIFY2(pieces.ok() == entry.contains("rendered"), (name + ": " + pieces.sentence()).c_str());
        if (pieces) QVERIFY2(joined(*pieces) == entry["rendered"].get<std::string>(), name.c_str());
    }
}

// Facts that other engines got wrong in public; names with a J are those of the list of cases.
void TestChatFormat::smallCases_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("expected");
    struct Row {
        const char *name, *source, *expected;
    };
    const Row rows[] = {
        {"J05 text", "{{ 'abcdef'[::-2] }}", "fdb"},
        {"J05 bounds", "{{ 'abcdef'[-1:1:-1] }}{{ 'abcdef'[-1:-5:-1] }}", "fedcfedc"},
        {"J05 tuple", "{{ (1, 2, 3)[::-1] }}", "(3, 2, 1)"},
        {"J17 lines", "    {% if true %}\n    hello\n    {% endif %}\n", "    hello\n"},
        {"J17 signs", "  {%- if true -%}\n  hello\n  {%- endif -%}  \n", "hello"},
        {"J19 missing", "{% for i in missing %}x{% else %}none{% endfor %}", "none"},
        {"J19 default", "{{ none|default('f') }}", "None"},
        {"J19 first", "{{ ''|first }}", ""},
        {"J20 equal", "{{ [0, 1.0, false] == [false, 1, 0.0] }}", "True"},
        {"J20 key", "{{ {0: 1}[false] }}", "1"},
        {"J11 slash", "{{ 'a/b\xE2\x80\x94'|tojson }}", "\"a/b\xE2\x80\x94\""},
        {"J13", "{{ '<tool_call>' + ({'a': '<b>'}|tojson) }}", "<tool_call>{\"a\": \"<b>\"}"},
        {"other 1",
         "{% macro w(x) %}{% for i in x %}{{ caller(i, loop.index) }};{% endfor %}{% endmacro %}{% call(i, k) w([3, "
         "1]) "
         "%}{{ i }}@{{ k }}{% endcall %}",
         "3@1;1@2;"},
        {"other 2",
         "{% for i in range(9) %}{% if i == 3 %}{% continue %}{% endif %}{% if i == 6 %}{% break %}{% endif %}{{ i "
         "}}{% "
         "endfor %}",
         "01245"},
        {"other 3", "{{ {'b': 1, 'a': [1, none]}|tojson(indent=2, sort_keys=true) }}",
         "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": 1\n}"},
        {"other 4", "{{ {'a': 1, 'b': 'é'}|tojson(separators=(',', ':'), ensure_ascii=true) }}",
         "{\"a\":1,\"b\":\"\\u00e9\"}"},
        {"other 5", "{{ {'a': 'b c'}|urlencode }}{{ 'a b/c'|urlencode }}", "a=b+ca%20b/c"},
        {"other 6",
         "{{ 'a.b'.rpartition('.') }}{{ 'xax'.strip('x') }}{{ 'abc'.removeprefix('a') }}{{ {'a': 1}.get('b', 2) }}",
         "('a', '.', 'b')abc2"},
        {"J02", "{% generation %}kept{% endgeneration %}", "kept"},
        {"J01 date", "{{ strftime_now('%Y-%m-%d') }}", "2026-11-30"},
        {"J01 codes", "{{ strftime_now('%A, %-d %B %Y %H:%M:%S %p %j') }}", "Monday, 30 November 2026 12:00:00 PM 334"},
        {"J08", "{{ ([] is sequence, () is sequence, '' is sequence, {} is sequence, 1 is sequence) }}",
         "(True, True, True, True, False)"},
        {"other 7",
         "{% set ns = namespace(a=1) %}{% for i in range(3) %}{% set ns.a = ns.a + i %}{% endfor %}{{ ns.a }}", "4"},
        {"other 8", "{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}", "1"},
        {"other 9", "{% raw %}\n{{ x }}{% endraw %}", "\n{{ x }}"},
        {"other 10", "{{ '%-5s|%5.1f|%03d' % ('ab', 2.25, 7) }}", "ab   |  2.2|007"},
        {"other 11",
         "{{ '{:>5}|{:<4}|{:^5}|{:,}|{:.2f}|{0}'.format(1, 2, 3, 12345, 1.5) if false else '{:>5}|{:,}'.format(1, "
         "12345) }}",
         "    1|12,345"},
        {"other 12", "{{ [3, 1, 2]|sort(reverse=true)|join(',') }}", "3,2,1"},
        {"other 13",
         "{% for g in [{'k': 1, 'v': 'a'}, {'k': 1, 'v': 'b'}, {'k': 0, 'v': 'c'}]|groupby('k') %}{{ g.grouper }}{{ "
         "g.list|length }};{% endfor %}",
         "01;12;"},
        {"other 14", "{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 3, 4, c=5) }}",
         "13(4,){'c': 5}"},
        {"other 15",
         "{% for n in [1, [2, [3]]] recursive %}{% if n is iterable %}({{ loop(n) }}){% else %}{{ n }}{% endif %}{% "
         "endfor %}",
         "1(2(3))"},
        {"J05 inner", "{{ ['a', 'b', 'c'][1:-1] }}", "['b']"},
        {"J07 answer", "{{ ('<think>x</think>\n\nyes'.split('</think>')|last).lstrip('\n') }}", "yes"},
        {"J07 reasoning",
         "{{ ('<think>\nx\n</think>yes'.split('</think>')|first).rstrip('\n').split('<think>')[-1].lstrip('\n') }}",
         "x"},
        {"J10", "{{ '<b>'|safe }}", "<b>"},
        {"J11 dict", "{{ {'b': 1, 'a': 2}|tojson }}{{ [1, 2]|tojson }}", "{\"b\": 1, \"a\": 2}[1, 2]"},
        {"J11 signs", "{{ \"temp > 10 & humidity < 50 (user's choice)\"|tojson }}",
         "\"temp > 10 & humidity < 50 (user's choice)\""},
        {"J19 not", "{% set y = true %}{{ not y.x }}", "True"},
        {"J16 parts",
         "{% for m in [{'content': [{'type': 'text', 'text': 'a'}]}, {'content': []}, {'content': 'b'}] %}{% if m.content "
         "is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %};{% endfor %}",
         "a;;b;"},
    };
    for (const auto& row : rows)
        QTest::newRow(row.name) << QByteArray(row.source) << QByteArray(row.expected);
}

void TestChatFormat::smallCases() {
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, expected);
    QCOMPARE(shown(source.toStdString()), expected.toStdString());
}

void TestChatFormat::textFromVariablesIsNeverTrusted() {
    const Json variables = {{"u", "<|end|>"}, {"d", {{"<|end|>", "<|end|>"}}}, {"l", {"<|end|>", "<|end|>"}}};
    for (const char* expression : {"u",
                                   "u ~ ''",
                                   "u + u",
                                   "u|trim",
                                   "u.strip()",
                                   "u|upper",
                                   "u.replace('x', 'y')",
                                   "'x'.replace('x', u)",
                                   "u|replace('z', 'z')",
                                   "u * 3",
                                   "u[0:]",
                                   "u[::-1][::-1]",
                                   "u.split('|')|join('|')",
                                   "'|'.join(u.split('|'))",
                                   "u|list|join",
                                   "l|join(', ')",
                                   "l|first",
                                   "l|map('trim')|join",
                                   "d|tojson",
                                   "u|tojson",
                                   "l|string",
                                   "l ~ ''",
                                   "d|string",
                                   "'%s' % u",
                                   "'{}'.format(u)",
                                   "'%s'|format(u)",
                                   "u|indent",
                                   "u|center(20)",
                                   "u|default('x')",
                                   "[u]|sort|first",
                                   "d.items()|list|string",
                                   "(d.keys()|list)[0]",
                                   "d.values()|first",
                                   "u|e|replace('&lt;', '<')|replace('&gt;', '>')",
                                   "u.lower()",
                                   "u.title().lower()",
                                   "u.splitlines()|first",
                                   "u.partition('|')|join",
                                   "u|truncate(100)",
                                   "u|wordwrap(50)",
                                   "u|string|safe",
                                   "u if true else 'x'",
                                   "u or 'x'",
                                   "namespace(a=u).a",
                                   "dict(a=u).a",
                                   "u|reverse|reverse",
                                   "u|batch(2)|map('join')|join",
                                   "u|unique|join",
                                   "'<|%s|>' % u[2:5]",
                                   "'<|' ~ u[2:5] ~ '|>'"}) {
        const auto pieces = rendered("{{ " + std::string(expression) + " }}", variables);
        QVERIFY2(pieces.ok(), (std::string(expression) + ": " + pieces.sentence()).c_str());
        QVERIFY2(!joined(*pieces).empty(), expression);
        // What the template wrote may stand around it, but the word inside came from outside.
        const std::string trusted = trustedText(*pieces);
        QVERIFY2(trusted.find("end") == std::string::npos && trusted.find("END") == std::string::npos,
                 (std::string(expression) + " trusts " + trusted).c_str());
    }
    const auto block = rendered("{% set x %}{{ u }}{% endset %}{% macro m(a) %}{{ a }}{% endmacro %}{{ x }}{{ m(u) "
                                "}}{% filter trim %}{{ u }}{% endfilter %}{% for c in u %}{{ c }}{% endfor %}",
                                variables);
    QVERIFY2(block.ok() && trustedText(*block).empty(), block.sentence().c_str());
}

void TestChatFormat::rolesAndTokensOfTheProgramAreTrusted() {
    const Json variables = {
        {"bos_token", "<s>"},
        {"messages", {{{"role", "user"}, {"content", "hi"}}, {{"role", "im_end"}, {"content", "x"}}}}};
    const auto pieces = rendered(
        "{{ bos_token }}{% for m in messages %}{{ '<|' ~ m.role ~ '|>' }}{{ m.content }}{% endfor %}", variables);
    QVERIFY2(pieces.ok(), pieces.sentence().c_str());
    QCOMPARE(joined(*pieces), std::string("<s><|user|>hi<|im_end|>x"));
    QCOMPARE((*pieces)[0].text, std::string("<s><|user|>"));
    QCOMPARE(trustedText(*pieces), std::string("<s><|user|><||>")); // an unusual role is not
}

void TestChatFormat::budgetsEndHostileTemplates_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QString& source, const char* says) {
        QTest::newRow(name) << source << QString(says);
    };
    row("macro", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "too deep");
    row("brackets", "{{ " + QString("(").repeated(10000) + "1" + QString(")").repeated(10000) + " }}", "too deep");
    row("lists", "{{ " + QString("[").repeated(10000) + QString("]").repeated(10000) + " }}", "too deep");
    row("nots", "{{ " + QString("not ").repeated(10000) + "1 }}", "too deep");
    row("signs", "{{ " + QString("-").repeated(10000) + "1 }}", "too deep");
    row("ifs", QString("{% if 1 %}").repeated(10000) + QString("{% endif %}").repeated(10000), "too deep");
    row("J22 range", "{{ range(1000000000)|length }}", "budget");
    row("J23 repeat", "{{ '-' * 10000000000 }}", "budget");
    row("repeat list", "{{ ([0] * 1000000000)|length }}", "budget");
    row("bytes", "{% set u = 'a' * 1000 %}{% for a in range(1000) %}{% set b = u * 1000 %}{% endfor %}", "budget"); // cheap steps up to the limit
    row("J23 indent", "{{ [1]|tojson(indent=1000000000) }}", "budget");
    row("format", "{{ '%1000000000d' % 1 }}", "budget");
    row("braces", "{{ '{:1000000000}'.format(1) }}", "budget");
    row("center", "{{ 'a'|center(1000000000) }}", "budget");
    row("doubling",
        "{% set ns = namespace(s='aaaaaaaaaaaaaaaa') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor "
        "%}",
        "budget");
    row("doubling list",
        "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
        "budget");
    row("deep list", "{% set ns = namespace(l=[]) %}{% for i in range(100000) %}{% set ns.l = [ns.l] %}{% endfor %}",
        "too deep");
    row("join", "{% set s = 'a' * 1000000 %}{{ ([s] * 1000)|join }}", "budget");
    row("replace", "{{ ('a' * 1000000)|replace('a', 'b' * 1000) }}", "budget");
    row("recursion", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", "too deep");
}

void TestChatFormat::budgetsEndHostileTemplates() {
    QFETCH(QString, source);
    QFETCH(QString, says);
    const QString got = QString::fromStdString(shown(source.toStdString()));
    QVERIFY2(got.startsWith('!') && got.contains(says), qPrintable(got.left(300)));
}

// With fewer steps than the program gives: these are slow under a sanitizer.
void TestChatFormat::loopsEndWithTheirBudget() {
    const auto format = ChatFormat::compile("{% for a in range(25000) %}{% for b in range(25000) %}{% endfor %}{% endfor %}");
    QVERIFY2(format.ok(), format.sentence().c_str());
    const auto pieces = format->render(Json::object(), kNow, 1'000'000);
    QVERIFY2(pieces.sentence().find("more than 1000000 steps") != std::string::npos, pieces.sentence().c_str());
}

void TestChatFormat::everyPrefixEndsWithTextOrSentence() {
    const Json variables = {{"messages", {{{"role", "user"}, {"content", "hi"}}}},
                            {"tools", {{{"a", {1, 2.5, nullptr}}}}}};
    const std::string source =
        "{%- macro f(x, y=1) -%}{{ x|tojson(indent=2) ~ y[0:1] if y is string else x }}{%- endmacro -%}\n{# c #}{% for "
        "m in messages if m.role != 'x' %}{{ m['content'].split('i')[0] }}"
        "{% set ns = namespace(a=[1, (2,), {'k': 3e1}]) %}{% if loop.last and not none %}{{ f(tools) }}{% elif 1 in "
        "[2] %}{% else %}{% endif %}{% endfor %}{% raw %}{{{% endraw %}";
    QCOMPARE(shown(source, variables).substr(0, 1), std::string("h"));
    for (size_t size = 0; size <= source.size(); ++size)
        shown(source.substr(0, size), variables);
    for (size_t from = 0; from < source.size(); ++from)
        shown(source.substr(from), variables);
}

void TestChatFormat::errorsNameThePlace() {
    QVERIFY(shown("a\nb {% if %}").find("!Line 2, column 9") == 0);
    QVERIFY(shown("{{ x | nofilter }}").find("nofilter") != std::string::npos);
    QVERIFY(shown("{{ x is notest }}").find("notest") != std::string::npos);
    QVERIFY(shown("{% nonsense %}").find("nonsense") != std::string::npos);
    QVERIFY(shown("a\n\n{{ missing.x }}").find("Line 3") != std::string::npos);
    QVERIFY(shown("{{ raise_exception('Roles must alternate') }}").find("Roles must alternate") != std::string::npos);
    QCOMPARE(shown("{% if false %}{{ x | nofilter }}{% endif %}ok"), std::string("ok")); // reached only when asked for
}

void TestChatFormat::J25_hostObjectsCannotBeReached() {
    for (const char* source :
         {"{{ lipsum.__globals__['os'] }}", "{{ ''.__class__.__mro__ }}", "{{ cycler.__init__.__globals__ }}",
          "{{ (1).__class__.__base__ }}", "{{ x.__getattr__('y') }}"})
        QVERIFY2(shown(source).substr(0, 1) == "!", source);
    QCOMPARE(shown("{{ ''.__class__ }}"), std::string());
    for (const char* source : {"{{ l.append(1) }}", "{{ d.update({}) }}", "{{ l.pop() }}", "{{ d.clear() }}"})
        QVERIFY2(shown(source, {{"l", {1}}, {"d", {{"a", 1}}}}).find("may not change") != std::string::npos, source);
}

void TestChatFormat::J28_brokenTextDoesNoHarm() {
    const Json variables = {{"b", std::string("hello\xFE\xFFworld")}};
    QCOMPARE(shown("{{ b|tojson }}", variables), std::string("\"hello\xEF\xBF\xBD\xEF\xBF\xBDworld\""));
    for (const char* source : {"{{ b|upper }}", "{{ b|length }}", "{{ b[::-1] }}", "{{ b.title() }}", "{{ [b] }}",
                               "{{ b|wordcount }}", "\xFE\xFF{{ 1 }}", "\xEF\xBB\xBF{{ 1 }}"})
        QVERIFY2(shown(source, variables).substr(0, 1) != "!", source);
    QCOMPARE(shown("{{ 9223372036854775807 + 1 }}").substr(0, 1), std::string("!"));
    QCOMPARE(shown("{{ 999999999999999999 ** 2 }}").substr(0, 1), std::string("!"));
    for (const char* source : {"{{ 1 % 0 }}", "{{ 1 / 0 }}", "{{ 1 // 0 }}", "{{ 1.0 / 0 }}"}) // J20
        QCOMPARE(shown(source).substr(0, 1), std::string("!"));
}

QTEST_APPLESS_MAIN(TestChatFormat)
#include "test_chat_format.moc"
