// JSON schemas as grammars: whatever may be written is JSON that the schema accepts, texts that people would write may be written, and what
// cannot be described is refused by name.
#include "tests/engine/schema_validator.h"
#include "tests/engine/small_vocabulary.h"

#include <QtTest>

using namespace steelyard;
using Json = nlohmann::json;

namespace {

struct SchemaCase {
    const char* name;
    const char* schema;
    QStringList right; // texts that must be possible
    QStringList wrong; // and that must not
};

const std::vector<SchemaCase>& cases() {
    static const std::vector<SchemaCase> kCases = {
        {"anything", "{}", {"null", "{\"a\": [1, 2.5e3, \"x\", {}]}", "[]", "-0.5"}, {"nul", "01", "{\"a\"}"}},
        {"true", "true", {"true", "[1,2]"}, {""}},
        {"person",
         R"s({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "id": {"type": "boolean"}}, "required": ["name"]})s",
         {"{\"name\": \"Zo\u00eb \\\"Z\\\" \\u00e9\", \"age\": 12}", "{\"name\":\"\"}", "{\n  \"name\": \"x\",\n  \"id\": true\n}"},
         {"{}", "{\"age\": 1}", "{\"name\": 3}", "{\"name\": \"x\", \"other\": 1}", "{\"name\": \"x\",}"}},
        {"all optional", R"s({"properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}}})s", {"{}", "{\"a\": 1}", "{\"b\": 2}", "{\"a\":1, \"c\": 3}"}, {"{\"a\": 2}", "{,\"b\": 2}"}},
        {"others", R"s({"type": "object", "properties": {"ab": {"type": "integer"}}, "required": ["ab"], "additionalProperties": {"type": "null"}})s",
         {"{\"ab\": 1, \"a\": null, \"abc\": null}", "{\"ab\": 0}"}, {"{\"ab\": 1, \"ab\": null}", "{\"ab\": 1, \"x\": 1}", "{\"a\": null}"}},
        {"a map", R"s({"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1, "maxProperties": 2})s", {"{\"k\": 1}", "{\"a\": 1, \"b\": -20}"}, {"{}", "{\"a\": \"1\"}"}},
        {"required without a description", R"s({"type": "object", "required": ["x"]})s", {"{\"x\": [true]}"}, {"{}"}},
        {"list", R"s({"type": "array", "items": {"type": "string", "maxLength": 2}, "minItems": 1, "maxItems": 3})s", {"[\"\"]", "[\"ab\", \"\u20ac\u20ac\", \"\\n\"]"}, {"[]", "[\"abc\"]", "[\"\",\"\",\"\",\"\"]"}},
        {"tuple", R"s({"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false})s", {"[1, \"a\"]"}, {"[\"a\", 1]", "[1, \"a\", 2]"}},
        {"tuple and more", R"s({"prefixItems": [{"type": "null"}], "items": {"type": "boolean"}, "minItems": 2})s", {"[null, true]", "[null, false, true]"}, {"[null]", "[true]"}},
        {"enum", R"s({"enum": ["red", "gr\u00fcn", 3, null, {"a": [1]}]})s", {"\"red\"", "\"gr\u00fcn\"", "3", "null", "{\"a\":[1]}"}, {"\"blue\"", "4"}},
        {"types", R"s({"type": ["string", "null"]})s", {"null", "\"x\""}, {"1"}},
        {"typed enum", R"s({"type": "string", "enum": ["a", 1]})s", {"\"a\""}, {"1"}},
        {"lengths", R"s({"type": "string", "minLength": 2, "maxLength": 4})s", {"\"ab\"", "\"\u20ac\U0001F600xy\"", "\"a\\u00e9\""}, {"\"a\"", "\"abcde\""}},
        {"pattern", R"s({"type": "string", "pattern": "^[A-Z]{2}-\\d+(\\.x|y)?$"})s", {"\"AB-1\"", "\"XY-123.x\"", "\"XY-1y\""}, {"\"ab-1\"", "\"AB-\"", "\"AB-1.\""}},
        {"pattern anywhere", R"s({"type": "string", "pattern": "b[^a]+c"})s", {"\"bxc\"", "\"aab\\\"cd\""}, {"\"bac\"", "\"\""}},
        {"either end", R"s({"type": "string", "pattern": "^a|b$"})s", {"\"ax\"", "\"xb\""}, {"\"xax\"", "\"bx\""}},
        {"integers", R"s({"type": "integer", "minimum": -12, "maximum": 345})s", {"-12", "-9", "0", "7", "99", "345"}, {"-13", "346", "1.0", "007", "-0"}},
        {"integers from", R"s({"type": "integer", "exclusiveMinimum": 99})s", {"100", "123456"}, {"99", "-100"}},
        {"integers to", R"s({"type": "integer", "maximum": -5})s", {"-5", "-10", "-123"}, {"-4", "5", "0"}},
        {"one integer", R"s({"type": "integer", "minimum": 7, "maximum": 7})s", {"7"}, {"6", "8", "77"}},
        {"numbers", R"s({"type": "number", "minimum": -1.25, "maximum": 20.5})s", {"-1.25", "-1.2", "-0.3", "0", "0.001", "19.999", "20.5", "20", "20.49"}, {"-1.26", "-2", "20.51", "21", "1e1"}},
        {"numbers above", R"s({"type": "number", "exclusiveMinimum": 0})s", {"0.01", "12.5", "1"}, {"0", "0.00", "-1"}},
        {"numbers below", R"s({"type": "number", "exclusiveMaximum": 2.5, "minimum": 1})s", {"1", "2.499", "2", "1.7"}, {"2.5", "2.6", "0.9", "2.50"}},
        {"any of", R"s({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]})s", {"1", "[1, 2]"}, {"\"x\""}},
        {"one of kinds",
         R"s({"oneOf": [{"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind"]}, {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]}, {"type": "string"}]})s",
         {"{\"kind\": \"a\", \"x\": 1}", "{\"kind\": \"b\"}", "\"s\""}, {"{\"kind\": \"c\"}", "1"}},
        {"beside any of", R"s({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "anyOf": [{"required": ["a"]}, {"properties": {"b": {"type": "null"}}, "required": ["b"]}]})s",
         {"{\"id\": 1, \"a\": 2}", "{\"id\": 1, \"b\": null}"}, {"{\"id\": 1}", "{\"a\": 1}"}},
        {"all of", R"s({"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}], "$defs": {"base": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}})s",
         {"{\"name\": \"x\", \"age\": 3}"}, {"{\"name\": \"x\"}", "{\"age\": -1, \"name\": \"x\"}"}},
        {"a tree", R"s({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"x": {"type": "integer"}, "next": {"type": "array", "items": {"$ref": "#/$defs/node"}}}, "required": ["x"]}}})s",
         {"{\"x\": 1}", "{\"x\": 1, \"next\": [{\"x\": 2, \"next\": []}, {\"x\": 3}]}"}, {"{\"next\": []}"}},
        {"refers to itself", R"s({"type": "array", "items": {"$ref": "#"}})s", {"[]", "[[], [[]]]"}, {"[1]"}},
        {"escaped names", "{\"type\": \"object\", \"properties\": {\"a/b\\\"\\n\": {\"$ref\": \"#/$defs/x~1y\"}}, \"required\": [\"a/b\\\"\\n\"], \"$defs\": {\"x/y\": {\"type\": \"null\"}}}", {"{\"a/b\\\"\\n\": null}"}, {"{}"}},
        {"date", R"s({"type": "string", "format": "date"})s", {"\"2026-09-14\""}, {"\"2026-13-14\"", "\"14.9.2026\""}},
        {"time", R"s({"type": "string", "format": "date-time"})s", {"\"2026-09-14T10:20:30Z\"", "\"2026-09-14T10:20:30.25+02:00\""}, {"\"2026-09-14 10:20\""}},
        {"uuid", R"s({"type": "string", "format": "uuid"})s", {"\"01234567-89ab-cdef-0123-456789abcdef\""}, {"\"0123\""}},
        {"notes do not matter", R"s({"title": "t", "description": "d", "default": 1, "examples": [1], "x-note": 1, "type": "integer"})s", {"5"}, {"\"5\""}},
    };
    return kCases;
}

std::shared_ptr<const grammar::TokenTrie> trie() {
    static const auto kTrie = grammar::TokenTrie::of(SmallVocabulary({"kind", "next", "AB", "-1"}));
    return kTrie;
}

struct Refusal {
    const char *schema, *part; // what the sentence names
};

const std::vector<Refusal>& refusals() {
    static const std::vector<Refusal> kRefusals = {
        {"{\n\"type\": \"object\",\n}", "Line 3"},
        {"[1]", "must be an object"},
        {R"s({"type": "text"})s", "\"text\""},
        {R"s({"not": {"type": "null"}})s", "\"not\""},
        {R"s({"if": {}, "then": {}})s", "\"if\""},
        {R"s({"type": "object", "patternProperties": {}})s", "patternProperties"},
        {R"s({"type": "array", "uniqueItems": true})s", "uniqueItems"},
        {R"s({"type": "number", "multipleOf": 5})s", "multipleOf"},
        {R"s({"type": "array", "contains": {}})s", "contains"},
        {R"s({"type": "string", "format": "iri"})s", "\"iri\""},
        {R"s({"type": "string", "pattern": "(?=x)"})s", "(?=x)"},
        {R"s({"type": "string", "pattern": "(a)\\1"})s", "escape"},
        {R"s({"type": "string", "pattern": "a", "minLength": 3})s", "together"},
        {R"s({"$ref": "#/$defs/missing"})s", "missing"},
        {R"s({"$ref": "https://example.com/x.json"})s", "example.com"},
        {R"s({"$ref": "#"})s", "begins with itself"},
        {R"s({"oneOf": [{"type": "integer"}, {"type": "number"}]})s", "oneOf"},
        {R"s({"allOf": [{"pattern": "a"}, {"pattern": "b"}]})s", "\"pattern\""},
        {R"s({"allOf": [{"properties": {"a": {}}, "additionalProperties": false}, {"properties": {"b": {}}}]})s", "additionalProperties"},
        {R"s({"type": "object", "properties": {"a": {}}, "required": ["b"], "additionalProperties": false})s", "\"b\" is required"},
        {R"s({"type": "integer", "minimum": 5, "maximum": 4})s", "above its maximum"},
        {R"s({"type": "string", "minLength": -1})s", "minLength"},
        {R"s({"enum": []})s", "\"enum\""},
        {"false", "can ever finish"},
        {R"s({"type": "array", "items": {"type": "string", "maxLength": 40000}, "maxItems": 900000})s", "too large"},
    };
    return kRefusals;
}

// Twice as much at each level, without end.
const char* const kDoubling = R"s({"type": "object", "properties": {"l": {"$ref": "#", "type": "object"}, "r": {"$ref": "#", "type": "object"}}})s";

void addNames() {
    QTest::addColumn<int>("row");
    for (size_t row = 0; row < cases().size(); ++row) QTest::newRow(cases()[row].name) << static_cast<int>(row);
}

} // namespace

class TestJsonSchema : public QObject {
    Q_OBJECT

private slots:
    void whatPeopleWriteIsPossible_data() { addNames(); }
    void whatPeopleWriteIsPossible() {
        QFETCH(int, row);
        const auto& given = cases()[static_cast<size_t>(row)];
        const auto form = grammar::fromJsonSchema(given.schema);
        QVERIFY2(form.ok(), form.sentence().c_str());
        std::mt19937 random(3);
        const SchemaValidator validator(Json::parse(given.schema));
        for (const auto& text : given.right) {
            QVERIFY2(validator.fits(Json::parse(text.toStdString())), qPrintable("the test itself is wrong: " + text));
            for (int cut = 0; cut < 4; ++cut) QVERIFY2(acceptsInPieces(*form, trie(), text.toStdString(), random), qPrintable(text));
        }
        for (const auto& text : given.wrong) QVERIFY2(!acceptsInPieces(*form, trie(), text.toStdString(), random), qPrintable(text));
    }

    void whateverIsWrittenFits_data() { addNames(); }
    void whateverIsWrittenFits() {
        QFETCH(int, row);
        const auto& given = cases()[static_cast<size_t>(row)];
        const auto form = grammar::fromJsonSchema(given.schema);
        QVERIFY2(form.ok(), form.sentence().c_str());
        const SchemaValidator validator(Json::parse(given.schema));
        std::mt19937 random(static_cast<unsigned>(row));
        int finished = 0;
        for (int round = 0; round < 25; ++round) {
            std::string problem;
            const auto text = randomText(*form, trie(), random, problem);
            QVERIFY2(problem.empty(), problem.c_str());
            if (!text) continue;
            ++finished;
            const Json value = Json::parse(*text, nullptr, false);
            QVERIFY2(!value.is_discarded(), text->c_str());
            QVERIFY2(validator.fits(value), text->c_str());
        }
        QVERIFY2(finished > 12, qPrintable(QString::number(finished)));
    }

    // Integers between all pairs of small limits: exactly those.
    void integersBetweenLimits() {
        const std::vector<int> limits{-1000, -100, -99, -10, -9, -1, 0, 1, 5, 9, 10, 19, 99, 100, 101, 230, 999};
        for (const int low : limits)
            for (const int high : limits) {
                if (low > high) continue;
                const auto form = grammar::fromJsonSchema(Json{{"type", "integer"}, {"minimum", low}, {"maximum", high}}.dump());
                QVERIFY2(form.ok(), form.sentence().c_str());
                for (int value = -1101; value <= 1101; value += value > -120 && value < 120 ? 1 : 7) {
                    grammar::Matcher matcher(*form, trie());
                    const bool accepted = matcher.acceptText(std::to_string(value)) && matcher.canEnd();
                    QVERIFY2(accepted == (value >= low && value <= high), qPrintable(QString("%1 in %2..%3").arg(value).arg(low).arg(high)));
                }
            }
    }

    void numbersBetweenLimits() {
        const std::vector<const char*> limits{"-20.5", "-1.25", "-1", "-0.5", "0", "0.05", "1", "1.5", "9.99", "10", "123.4"};
        for (const auto* low : limits)
            for (const auto* high : limits) {
                if (std::stod(low) > std::stod(high)) continue;
                const auto form = grammar::fromJsonSchema(std::string("{\"type\": \"number\", \"minimum\": ") + low + ", \"maximum\": " + high + "}");
                if (!form.ok()) { // two limits between the same whole numbers
                    QVERIFY2(form.sentence().find("between the same two whole numbers") != std::string::npos, form.sentence().c_str());
                    continue;
                }
                for (int hundredth = -2200; hundredth <= 12500; hundredth += hundredth > -300 && hundredth < 300 ? 5 : 50) {
                    char text[32];
                    std::snprintf(text, sizeof text, "%s%d.%02d", hundredth < 0 ? "-" : "", std::abs(hundredth) / 100, std::abs(hundredth) % 100);
                    grammar::Matcher matcher(*form, trie());
                    const bool accepted = matcher.acceptText(text) && matcher.canEnd();
                    const bool right = hundredth >= std::lround(std::stod(low) * 100) && hundredth <= std::lround(std::stod(high) * 100);
                    QVERIFY2(accepted == right, qPrintable(QString("%1 in %2..%3").arg(text, low, high)));
                }
            }
    }

    void whatCannotBeDescribedIsNamed_data() {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QString>("part");
        for (const auto& one : refusals()) QTest::newRow(one.part) << one.schema << one.part;
    }

    void whatCannotBeDescribedIsNamed() {
        QFETCH(QString, schema);
        QFETCH(QString, part);
        const auto form = grammar::fromJsonSchema(schema.toStdString());
        QVERIFY(!form.ok());
        QVERIFY2(QString::fromStdString(form.sentence()).contains(part), form.sentence().c_str());
    }

    void depthHasAnEnd() {
        QVERIFY(!grammar::fromJsonSchema(std::string(100000, '[')).ok());
        std::string deep = "{}";
        for (int i = 0; i < 100; ++i) deep = "{\"items\": " + deep + "}";
        QVERIFY2(grammar::fromJsonSchema(deep).sentence().find("deep") != std::string::npos, grammar::fromJsonSchema(deep).sentence().c_str());
        const auto doubling = grammar::fromJsonSchema(kDoubling);
        QVERIFY(!doubling.ok());
    }
};

QTEST_APPLESS_MAIN(TestJsonSchema)
#include "test_json_schema.moc"
