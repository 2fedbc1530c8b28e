// What several schemas say together: references, "allOf", and whether two exclude each other.
#include "engine/grammar/schema_compiler.h"

#include <algorithm>
#include <set>

namespace steelyard::grammar {

namespace {

constexpr int kDeepest = 64;

const char* const kTypes[] = {"null", "boolean", "integer", "number", "string", "array", "object"};

// How two values of a key become one; keys that are not named here must be equal.
SchemaJson larger(const SchemaJson& a, const SchemaJson& b) { return a.get<double>() >= b.get<double>() ? a : b; }
SchemaJson smaller(const SchemaJson& a, const SchemaJson& b) { return a.get<double>() <= b.get<double>() ? a : b; }

struct Combination {
    const char* key;
    SchemaJson (*combine)(const SchemaJson&, const SchemaJson&);
};
constexpr Combination kCombinations[] = {
    {"minimum", larger},   {"exclusiveMinimum", larger},  {"minLength", larger},  {"minItems", larger},  {"minProperties", larger},
    {"maximum", smaller},  {"exclusiveMaximum", smaller}, {"maxLength", smaller}, {"maxItems", smaller}, {"maxProperties", smaller},
};

SchemaJson mergedValue(const std::string& key, const SchemaJson& a, const SchemaJson& b) {
    if (a == b || isAnnotation(key)) return a;
    for (const auto& row : kCombinations)
        if (key == row.key && a.is_number() && b.is_number()) return row.combine(a, b);
    if (key == "properties" && a.is_object() && b.is_object()) {
        SchemaJson all = a;
        for (const auto& [name, schema] : b.items()) all[name] = all.contains(name) ? SchemaJson{{"allOf", {all[name], schema}}} : schema;
        return all;
    }
    if (key == "required" && a.is_array() && b.is_array()) {
        SchemaJson all = a;
        for (const auto& name : b)
            if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
        return all;
    }
    if (key == "enum" && a.is_array() && b.is_array()) {
        SchemaJson common = SchemaJson::array();
        for (const auto& value : a)
            if (std::find(b.begin(), b.end(), value) != b.end()) common.push_back(value);
        return common;
    }
    throw SchemaRefusal{"Two different values of \"" + key + "\" for the same value (\"allOf\" or beside \"$ref\", \"anyOf\") are not supported."};
}

// "additionalProperties" speaks of the keys that stand beside it, not of those of the other schema.
void checkAdditional(const SchemaJson& a, const SchemaJson& b) {
    const auto own = a.find("additionalProperties");
    const auto others = b.find("properties");
    if (own == a.end() || *own == true || others == b.end()) return;
    for (const auto& [name, schema] : others->items())
        if (!a.contains("properties") || !a["properties"].contains(name))
            throw SchemaRefusal{"\"additionalProperties\" in one part and the property \"" + name.substr(0, 60) + "\" in another part of \"allOf\" are not supported."};
}

SchemaJson valuesOf(const SchemaJson& schema) {
    if (schema.contains("const")) return SchemaJson::array({schema["const"]});
    return schema.contains("enum") && schema["enum"].is_array() ? schema["enum"] : SchemaJson();
}

} // namespace

bool isAnnotation(const std::string& key) {
    static const std::set<std::string> kAnnotations = {"title", "description", "default", "examples", "example", "$schema", "$id", "$comment", "$defs", "definitions",
                                                       "deprecated", "readOnly", "writeOnly", "$anchor", "contentEncoding", "contentMediaType", "nullable"};
    return kAnnotations.count(key) > 0 || key.rfind("x-", 0) == 0;
}

std::optional<uint32_t> countOf(const SchemaJson& schema, const char* key) {
    const auto found = schema.find(key);
    if (found == schema.end()) return std::nullopt;
    if (!found->is_number_unsigned() || found->get<uint64_t>() > 1000000) throw SchemaRefusal{std::string("\"") + key + "\" must be a whole number from 0 to 1000000."};
    return found->get<uint32_t>();
}

std::vector<std::string> requiredOf(const SchemaJson& schema) {
    std::vector<std::string> names;
    const auto found = schema.find("required");
    if (found == schema.end()) return names;
    if (!found->is_array()) throw SchemaRefusal{"\"required\" must be a list of names."};
    for (const auto& name : *found) {
        if (!name.is_string()) throw SchemaRefusal{"\"required\" must be a list of names."};
        names.push_back(name.get<std::string>());
    }
    return names;
}

bool isOfType(const SchemaJson& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    return type == "array" ? value.is_array() : type == "object" && value.is_object();
}

std::vector<std::string> typesOf(const SchemaJson& schema) {
    std::vector<std::string> types;
    const auto found = schema.find("type");
    if (found == schema.end()) return {std::begin(kTypes), std::end(kTypes)};
    const SchemaJson list = found->is_array() ? *found : SchemaJson::array({*found});
    for (const auto& type : list) {
        if (!type.is_string() || std::find(std::begin(kTypes), std::end(kTypes), type.get<std::string>()) == std::end(kTypes))
            throw SchemaRefusal{"The type " + type.dump(-1, ' ', true).substr(0, 60) + " is not known."};
        types.push_back(type.get<std::string>());
    }
    if (types.empty()) throw SchemaRefusal{"\"type\" names no type."};
    return types;
}

const SchemaJson& referencedSchema(const SchemaJson& document, const std::string& reference) {
    const Error missing{"The reference \"" + reference.substr(0, 200) + "\" points to nothing in the schema; only references like \"#/$defs/name\" are supported."};
    if (reference.empty() || reference[0] != '#') throw SchemaRefusal{missing.sentence};
    try {
        const SchemaJson::json_pointer place(reference.substr(1));
        if (document.contains(place)) return document.at(place);
    } catch (const SchemaJson::exception&) { // a malformed pointer
    }
    throw SchemaRefusal{missing.sentence};
}

SchemaJson flattenedSchema(const SchemaJson& document, const SchemaJson& schema, int depth) {
    if (depth > kDeepest) throw SchemaRefusal{"The schema refers to itself without end, or is nested more than " + std::to_string(kDeepest) + " deep."};
    if (!schema.is_object()) return schema;
    SchemaJson result = schema;
    result.erase("$ref");
    result.erase("allOf");
    if (schema.contains("$ref")) {
        if (!schema["$ref"].is_string()) throw SchemaRefusal{"\"$ref\" must be a text."};
        result = mergedSchema(result, flattenedSchema(document, referencedSchema(document, schema["$ref"].get<std::string>()), depth + 1));
    }
    if (schema.contains("allOf")) {
        if (!schema["allOf"].is_array()) throw SchemaRefusal{"\"allOf\" must be a list of schemas."};
        for (const auto& part : schema["allOf"]) result = mergedSchema(result, flattenedSchema(document, part, depth + 1));
    }
    return result;
}

SchemaJson mergedSchema(const SchemaJson& a, const SchemaJson& b) {
    if (a.is_boolean() || b.is_boolean()) return a == false || b == false ? SchemaJson(false) : a.is_boolean() ? b : a;
    if (!a.is_object() || !b.is_object()) throw SchemaRefusal{"A schema must be an object, true or false."};
    checkAdditional(a, b);
    checkAdditional(b, a);
    SchemaJson result = a;
    if (a.contains("type") && b.contains("type")) {
        const auto ofA = typesOf(a), ofB = typesOf(b);
        const auto has = [](const auto& types, const char* type) { return std::find(types.begin(), types.end(), type) != types.end(); };
        SchemaJson common = SchemaJson::array();
        for (const char* type : kTypes) {
            const bool whole = std::string(type) == "integer";
            const bool inA = has(ofA, type) || (whole && has(ofA, "number")), inB = has(ofB, type) || (whole && has(ofB, "number"));
            if (inA && inB && !(whole && has(ofA, "number") && has(ofB, "number"))) common.push_back(type);
        }
        if (common.empty()) return false;
        result["type"] = common.size() == 1 ? common[0] : common;
    }
    if ((a.contains("const") || a.contains("enum")) && (b.contains("const") || b.contains("enum"))) {
        result.erase("const");
        result["enum"] = mergedValue("enum", valuesOf(a), valuesOf(b));
        if (result["enum"].empty()) return false;
    }
    for (const auto& [key, value] : b.items()) {
        if ((key == "type" && a.contains("type")) || ((key == "const" || key == "enum") && (a.contains("const") || a.contains("enum")))) continue;
        result[key] = a.contains(key) ? mergedValue(key, a[key], value) : value;
    }
    return result;
}

bool neverFits(const SchemaJson& document, const SchemaJson& first, const SchemaJson& second, int depth) {
    if (depth > 3) return false;
    const SchemaJson a = flattenedSchema(document, first), b = flattenedSchema(document, second);
    if (!a.is_object() || !b.is_object()) return a == false || b == false;
    const SchemaJson values = valuesOf(a), others = valuesOf(b);
    const auto types = typesOf(b);
    const auto fitsType = [&](const std::string& type) {
        return std::any_of(types.begin(), types.end(), [&](const auto& other) { return other == type || (other == "number" && type == "integer") || (other == "integer" && type == "number"); });
    };
    if (values.is_array()) {
        const auto valueFits = [&](const SchemaJson& value) {
            if (others.is_array()) return std::find(others.begin(), others.end(), value) != others.end();
            return std::any_of(types.begin(), types.end(), [&](const auto& type) { return isOfType(value, type) || (type == "integer" && value.is_number()); });
        };
        return std::none_of(values.begin(), values.end(), valueFits);
    }
    const auto own = typesOf(a);
    if (std::none_of(own.begin(), own.end(), fitsType)) return true;
    if (others.is_array() || own != std::vector<std::string>{"object"}) return false;
    // Objects: a key that one always has and the other never, or whose values exclude each other.
    const auto propertiesOf = [](const SchemaJson& schema) { return schema.contains("properties") && schema["properties"].is_object() ? schema["properties"] : SchemaJson::object(); };
    const SchemaJson ofA = propertiesOf(a), ofB = propertiesOf(b);
    const bool writesOnlyNamed = !a.contains("additionalProperties") ? a.contains("properties") : a["additionalProperties"] == false;
    const auto requiredA = requiredOf(a), requiredB = requiredOf(b);
    for (const auto& name : requiredB) {
        const bool always = std::find(requiredA.begin(), requiredA.end(), name) != requiredA.end();
        if (writesOnlyNamed && !ofA.contains(name) && !always) return true;
    }
    for (const auto& name : requiredA) {
        if (b.contains("additionalProperties") && b["additionalProperties"] == false && !ofB.contains(name)) return true;
        if (ofA.contains(name) && ofB.contains(name) && neverFits(document, ofA[name], ofB[name], depth + 1)) return true;
    }
    return false;
}

} // namespace steelyard::grammar
