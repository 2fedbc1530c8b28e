#include "engine/grammar/grammar.h"
#include "engine/grammar/schema_compiler.h"

#include <algorithm>

namespace steelyard::grammar {

namespace {

constexpr size_t kLongestText = 1 << 20, kMostExpressions = 200000;
constexpr int kDeepest = 64, kDeepestJson = 300;

const char* const kUnsupported[] = {"not", "if", "then", "else", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies",
                                    "unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains", "$dynamicRef", "$recursiveRef"};

// Keys that tell of which type a value is where the schema does not say.
struct Hint {
    const char* type;
    std::vector<const char*> keys;
};
const std::vector<Hint>& hints() {
    static const std::vector<Hint> kHints = {
        {"object", {"properties", "required", "additionalProperties", "minProperties", "maxProperties"}},
        {"array", {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "additionalItems"}},
        {"string", {"minLength", "maxLength", "pattern", "format"}},
        {"number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
    };
    return kHints;
}

void refuseUnsupported(const SchemaJson& schema) {
    for (const char* key : kUnsupported)
        if (schema.contains(key)) throw SchemaRefusal{std::string("\"") + key + "\" is not supported."};
    if (schema.contains("uniqueItems") && schema["uniqueItems"] != false) throw SchemaRefusal{"\"uniqueItems\" is not supported."};
    if (schema.contains("multipleOf")) {
        const auto types = typesOf(schema);
        if (schema["multipleOf"] != 1 || types != std::vector<std::string>{"integer"}) throw SchemaRefusal{"\"multipleOf\" is not supported."};
    }
}

bool hasOnlyAnnotationsBeside(const SchemaJson& schema, const char* key) {
    for (const auto& item : schema.items())
        if (item.key() != key && !isAnnotation(item.key())) return false;
    return true;
}

size_t lineOf(std::string_view text, size_t byte) { return 1 + static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n')); }

} // namespace

RuleId SchemaCompiler::compile() {
    const RuleId root = m_rules.rule("root");
    m_rules.define(root, value(m_document, 0));
    return root;
}

ExpressionId SchemaCompiler::asRule(ExpressionId body) {
    const RuleId rule = m_rules.rule("part " + std::to_string(++m_fresh));
    m_rules.define(rule, body);
    return m_rules.reference(rule);
}

ExpressionId SchemaCompiler::shared(const char* name, Make make) {
    const RuleId rule = m_rules.rule(name);
    if (!m_rules.isDefined(rule)) {
        m_rules.define(rule, m_rules.text("")); // it may be asked for while it is made
        m_rules.define(rule, (this->*make)());
    }
    return m_rules.reference(rule);
}

// One blank, or a new line with as many blanks as deep nesting asks for: without a bound a reply could go on with blanks for ever.
ExpressionId SchemaCompiler::makeGap() {
    const ExpressionId indented = m_rules.sequence({m_rules.text("\n"), m_rules.repeat(m_rules.characters({{'\t', '\t'}, {' ', ' '}}), 0, 40)});
    return m_rules.optional(m_rules.choice({m_rules.text(" "), indented}));
}

ExpressionId SchemaCompiler::makeValue() {
    std::vector<ExpressionId> choices;
    for (const char* literal : {"null", "true", "false"}) choices.push_back(m_rules.text(literal));
    choices.push_back(anyNumber());
    choices.push_back(anyString());
    const ExpressionId item = m_rules.reference(m_rules.rule("value"));
    choices.push_back(m_rules.sequence({m_rules.text("["), gap(), list(item, 0, std::nullopt), gap(), m_rules.text("]")}));
    choices.push_back(m_rules.sequence({m_rules.text("{"), gap(), list(member(anyString(), item), 0, std::nullopt), gap(), m_rules.text("}")}));
    return m_rules.choice(std::move(choices));
}

ExpressionId SchemaCompiler::value(const SchemaJson& schema, int depth) {
    if (depth > kDeepest) throw SchemaRefusal{"The schema is nested more than " + std::to_string(kDeepest) + " deep."};
    if (m_rules.size() > kMostExpressions) throw SchemaRefusal{"The schema is too large."};
    if (schema.is_boolean()) return schema == true ? anyValue() : m_rules.choice({});
    if (!schema.is_object()) throw SchemaRefusal{"A schema must be an object, true or false."};
    if (schema.contains("$ref") && schema["$ref"].is_string() && hasOnlyAnnotationsBeside(schema, "$ref")) return referenced(schema["$ref"].get<std::string>(), depth);
    if (schema.contains("$ref") || schema.contains("allOf")) return value(flattenedSchema(m_document, schema), depth + 1);
    refuseUnsupported(schema);
    for (const char* key : {"anyOf", "oneOf"})
        if (schema.contains(key)) return alternatives(schema, key, depth);
    if (schema.contains("const")) return oneOfValues(schema, SchemaJson::array({schema["const"]}));
    if (schema.contains("enum")) return oneOfValues(schema, schema["enum"]);
    if (schema.contains("type")) {
        std::vector<ExpressionId> choices;
        for (const auto& type : typesOf(schema)) choices.push_back(ofType(type, schema, depth));
        return m_rules.choice(std::move(choices));
    }
    for (const auto& hint : hints())
        for (const char* key : hint.keys)
            if (schema.contains(key)) return ofType(hint.type, schema, depth);
    return anyValue();
}

ExpressionId SchemaCompiler::ofType(const std::string& type, const SchemaJson& schema, int depth) {
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "string") return string(schema);
    if (type == "integer") return integer(schema);
    if (type == "number") return number(schema);
    if (type == "boolean") return m_rules.choice({m_rules.text("true"), m_rules.text("false")});
    return m_rules.text("null");
}

ExpressionId SchemaCompiler::oneOfValues(const SchemaJson& schema, const SchemaJson& values) {
    if (!values.is_array() || values.empty()) throw SchemaRefusal{"\"enum\" must be a list of values."};
    for (const auto& hint : hints())
        for (const char* key : hint.keys)
            if (schema.contains(key)) throw SchemaRefusal{std::string("\"") + key + "\" beside \"enum\" or \"const\" is not supported."};
    const auto types = typesOf(schema);
    std::vector<ExpressionId> choices;
    for (const auto& one : values)
        if (std::any_of(types.begin(), types.end(), [&](const auto& type) { return isOfType(one, type); })) choices.push_back(m_rules.text(one.dump()));
    if (choices.empty()) throw SchemaRefusal{"No value of \"enum\" or \"const\" has the type that the schema asks for."};
    return m_rules.choice(std::move(choices));
}

// What stands beside the alternatives holds for each of them.
ExpressionId SchemaCompiler::alternatives(const SchemaJson& schema, const char* key, int depth) {
    const SchemaJson& list = schema[key];
    if (!list.is_array() || list.empty()) throw SchemaRefusal{std::string("\"") + key + "\" must be a list of schemas."};
    SchemaJson beside = schema;
    beside.erase(key);
    const bool alone = hasOnlyAnnotationsBeside(schema, key);
    std::vector<ExpressionId> choices;
    for (const auto& one : list) choices.push_back(value(alone ? one : mergedSchema(beside, flattenedSchema(m_document, one)), depth + 1));
    if (std::string_view(key) == "oneOf")
        for (const auto& a : list)
            for (const auto& b : list)
                if (&a != &b && !neverFits(m_document, a, b))
                    throw SchemaRefusal{"Alternatives of \"oneOf\" that may fit the same value are not supported; \"anyOf\" may say what is meant."};
    return m_rules.choice(std::move(choices));
}

ExpressionId SchemaCompiler::referenced(const std::string& reference, int depth) {
    const RuleId rule = m_rules.rule(reference);
    if (m_targets.emplace(reference, rule).second) {
        const SchemaJson& target = referencedSchema(m_document, reference);
        m_rules.define(rule, value(target, depth + 1));
    }
    return m_rules.reference(rule);
}

Result<RootedRules> rulesOfJsonSchema(std::string_view text) {
    if (text.size() > kLongestText) return Error{"The JSON schema is longer than " + std::to_string(kLongestText) + " bytes."};
    SchemaJson document;
    try {
        // What is nested deeper than any schema would be could not even be copied.
        document = SchemaJson::parse(text, [](int depth, SchemaJson::parse_event_t, SchemaJson&) { return depth > kDeepestJson ? throw SchemaRefusal{} : true; });
    } catch (const SchemaRefusal&) {
        return Error{"The JSON schema is nested more than " + std::to_string(kDeepestJson) + " deep."};
    } catch (const SchemaJson::parse_error& error) {
        return Error{"Line " + std::to_string(lineOf(text, error.byte > 0 ? error.byte - 1 : 0)) + " of the JSON schema is no valid JSON."};
    } catch (const SchemaJson::exception&) {
        return Error{"The JSON schema is no valid JSON."};
    }
    try {
        SchemaCompiler compiler(document);
        RootedRules result;
        result.root = compiler.compile();
        result.rules = compiler.takeRules();
        return result;
    } catch (const SchemaRefusal& refusal) {
        return Error{"The JSON schema cannot be used: " + refusal.sentence};
    } catch (const SchemaJson::exception&) {
        return Error{"The JSON schema cannot be used: a part of it has the wrong form."};
    }
}

} // namespace steelyard::grammar
