// A JSON schema as rules: the text of every reply is JSON that the schema accepts.
//
// The rules may describe less than the schema accepts (keys come in the order of the schema, blanks are few, numbers have no needless
// digits), never more. What cannot be described so is refused by name. Inside the parser a refusal is an exception.
// Source: JSON Schema, drafts 7 and 2020-12.
#pragma once

#include "engine/grammar/rules.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace steelyard::grammar {

using SchemaJson = nlohmann::ordered_json;

// Leaves the compiler from any depth; caught in json_schema.cpp.
struct SchemaRefusal {
    std::string sentence;
};

class SchemaCompiler {
public:
    explicit SchemaCompiler(const SchemaJson& document) : m_document(document) {}

    RuleId compile();
    Rules takeRules() { return std::move(m_rules); }

private:
    // json_schema.cpp
    ExpressionId value(const SchemaJson& schema, int depth);
    ExpressionId ofType(const std::string& type, const SchemaJson& schema, int depth);
    ExpressionId oneOfValues(const SchemaJson& schema, const SchemaJson& values);
    ExpressionId alternatives(const SchemaJson& schema, const char* key, int depth);
    ExpressionId referenced(const std::string& reference, int depth);

    // schema_containers.cpp
    ExpressionId object(const SchemaJson& schema, int depth);
    ExpressionId members(const SchemaJson& schema, const std::vector<std::string>& names, const SchemaJson& additional, int depth);
    ExpressionId member(ExpressionId key, ExpressionId content);
    ExpressionId keyBesides(const std::vector<std::string>& names);
    ExpressionId array(const SchemaJson& schema, int depth);
    ExpressionId list(ExpressionId item, uint32_t least, std::optional<uint32_t> most);
    ExpressionId comma() { return m_rules.sequence({m_rules.text(","), gap()}); }

    // schema_scalars.cpp
    ExpressionId string(const SchemaJson& schema);
    ExpressionId number(const SchemaJson& schema);
    ExpressionId integer(const SchemaJson& schema);
    ExpressionId format(const std::string& name);

    // Pieces that are made once, as a rule of that name.
    using Make = ExpressionId (SchemaCompiler::*)();
    ExpressionId shared(const char* name, Make make);
    ExpressionId gap() { return shared("blank", &SchemaCompiler::makeGap); } // between two signs of JSON
    ExpressionId character() { return shared("character", &SchemaCompiler::makeCharacter); } // of a string
    ExpressionId anyString() { return shared("string", &SchemaCompiler::makeString); }
    ExpressionId anyNumber() { return shared("number", &SchemaCompiler::makeNumber); }
    ExpressionId anyInteger() { return shared("integer", &SchemaCompiler::makeInteger); }
    ExpressionId anyValue() { return shared("value", &SchemaCompiler::makeValue); }
    ExpressionId makeGap();
    ExpressionId makeCharacter();
    ExpressionId makeString();
    ExpressionId makeNumber();
    ExpressionId makeInteger();
    ExpressionId makeValue();

    ExpressionId quoted(ExpressionId content) { return m_rules.sequence({m_rules.text("\""), content, m_rules.text("\"")}); }
    ExpressionId asRule(ExpressionId body); // to be used several times

    const SchemaJson& m_document;
    Rules m_rules;
    std::map<std::string, RuleId> m_targets; // by reference
    size_t m_fresh = 0;
};

// schema_merge.cpp. All throw SchemaRefusal.
// What a local reference ("#/$defs/name") points to.
const SchemaJson& referencedSchema(const SchemaJson& document, const std::string& reference);
// The schema without references and "allOf" at its top.
SchemaJson flattenedSchema(const SchemaJson& document, const SchemaJson& schema, int depth = 0);
// What satisfies both; neither has references or "allOf" at its top.
SchemaJson mergedSchema(const SchemaJson& a, const SchemaJson& b);
// Whether it is certain that no text made for `a` satisfies `b`.
bool neverFits(const SchemaJson& document, const SchemaJson& a, const SchemaJson& b, int depth = 0);
// The types that a schema names, in words of JSON schemas; all of them where it names none.
std::vector<std::string> typesOf(const SchemaJson& schema);
bool isOfType(const SchemaJson& value, const std::string& type);
// Says nothing about which values are right.
bool isAnnotation(const std::string& key);
std::vector<std::string> requiredOf(const SchemaJson& schema);
std::optional<uint32_t> countOf(const SchemaJson& schema, const char* key);

// Characters as they stand inside the quotes of a JSON string, with the escapes that JSON needs. `set` holds what may stand for itself or
// by a short escape.
ExpressionId stringCharacters(Rules& rules, const CharacterSet& set);

// regex.cpp: what a regular expression matches anywhere in a string, as content of a JSON string. Throws SchemaRefusal.
ExpressionId patternContent(Rules& rules, const std::string& pattern);

// number_range.cpp: the whole numbers from least to most, either of which may be missing; decimal numbers between two texts like "-1.25".
struct NumberLimit {
    std::string digits; // sign, digits, perhaps a point and digits
    bool isExclusive = false;
};
ExpressionId wholeNumbers(Rules& rules, std::optional<int64_t> least, std::optional<int64_t> most);
ExpressionId decimalNumbers(Rules& rules, const std::optional<NumberLimit>& least, const std::optional<NumberLimit>& most);

} // namespace steelyard::grammar
