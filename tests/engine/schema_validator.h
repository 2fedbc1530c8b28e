// Whether a JSON value satisfies a schema, written plainly and apart from the engine, so that one does not repeat the faults of the other.
// Knows the keys that the tests use. Source: JSON Schema, drafts 7 and 2020-12.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <string>

namespace steelyard {

class SchemaValidator {
public:
    explicit SchemaValidator(const nlohmann::json& document) : m_document(document) {}

    bool fits(const nlohmann::json& value) const { return fits(value, m_document); }

private:
    using Json = nlohmann::json;

    static size_t characters(const std::string& text) {
        return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    }
    static bool isType(const Json& value, const std::string& type) {
        if (type == "integer") return value.is_number_integer() || (value.is_number() && value.get<double>() == static_cast<double>(static_cast<int64_t>(value.get<double>())));
        if (type == "number") return value.is_number();
        if (type == "string") return value.is_string();
        if (type == "boolean") return value.is_boolean();
        if (type == "null") return value.is_null();
        return type == "array" ? value.is_array() : value.is_object();
    }

    bool fits(const Json& value, const Json& schema) const {
        if (schema.is_boolean()) return schema.get<bool>();
        if (schema.contains("$ref")) {
            const std::string place = schema["$ref"].get<std::string>().substr(1);
            if (!fits(value, place.empty() ? m_document : m_document.at(Json::json_pointer(place)))) return false;
        }
        if (schema.contains("type")) {
            const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
            if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return isType(value, type.get<std::string>()); })) return false;
        }
        if (schema.contains("const") && value != schema["const"]) return false;
        if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) return false;
        const auto count = [&](const char* key) {
            int fitting = 0;
            for (const auto& part : schema[key]) fitting += fits(value, part);
            return fitting;
        };
        if (schema.contains("allOf") && count("allOf") != static_cast<int>(schema["allOf"].size())) return false;
        if (schema.contains("anyOf") && count("anyOf") == 0) return false;
        if (schema.contains("oneOf") && count("oneOf") != 1) return false;
        if (value.is_string()) return fitsString(value.get<std::string>(), schema);
        if (value.is_number()) return fitsNumber(value.get<double>(), schema);
        if (value.is_array()) return fitsArray(value, schema);
        return !value.is_object() || fitsObject(value, schema);
    }

    static bool fitsString(const std::string& text, const Json& schema) {
        const size_t length = characters(text);
        if (length < schema.value("minLength", size_t(0)) || length > schema.value("maxLength", SIZE_MAX)) return false;
        return !schema.contains("pattern") || std::regex_search(text, std::regex(schema["pattern"].get<std::string>(), std::regex::ECMAScript));
    }

    static bool fitsNumber(double number, const Json& schema) {
        if (schema.contains("minimum") && number < schema["minimum"].get<double>()) return false;
        if (schema.contains("maximum") && number > schema["maximum"].get<double>()) return false;
        if (schema.contains("exclusiveMinimum") && number <= schema["exclusiveMinimum"].get<double>()) return false;
        return !schema.contains("exclusiveMaximum") || number < schema["exclusiveMaximum"].get<double>();
    }

    bool fitsArray(const Json& list, const Json& schema) const {
        if (list.size() < schema.value("minItems", size_t(0)) || list.size() > schema.value("maxItems", SIZE_MAX)) return false;
        const Json tuple = schema.value("prefixItems", Json::array());
        for (size_t i = 0; i < list.size(); ++i) {
            if (i < tuple.size() ? !fits(list[i], tuple[i]) : schema.contains("items") && !fits(list[i], schema["items"])) return false;
        }
        return true;
    }

    bool fitsObject(const Json& object, const Json& schema) const {
        if (object.size() < schema.value("minProperties", size_t(0)) || object.size() > schema.value("maxProperties", SIZE_MAX)) return false;
        for (const auto& name : schema.value("required", Json::array()))
            if (!object.contains(name.get<std::string>())) return false;
        for (const auto& [name, value] : object.items()) {
            if (schema.contains("properties") && schema["properties"].contains(name)) {
                if (!fits(value, schema["properties"][name])) return false;
            } else if (schema.contains("additionalProperties") && !fits(value, schema["additionalProperties"])) {
                return false;
            }
        }
        return true;
    }

    const Json m_document;
};

} // namespace steelyard
