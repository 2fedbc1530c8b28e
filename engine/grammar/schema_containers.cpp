// Objects and arrays of a JSON schema.
#include "engine/grammar/schema_compiler.h"

#include "engine/core/utf8.h"

#include <algorithm>
#include <functional>

namespace steelyard::grammar {

namespace {

// Characters that stand for themselves in a key.
CharacterSet keyCharacters() { return complement(normalized({{0, 0x1F}, {'"', '"'}, {'\\', '\\'}, {0x7F, 0x7F}})); }

} // namespace

// Keys of the schema come in its order. Others come only where "additionalProperties" says so, or where the schema names no keys at all.
ExpressionId SchemaCompiler::object(const SchemaJson& schema, int depth) {
    std::vector<std::string> names;
    const auto properties = schema.find("properties");
    if (properties != schema.end()) {
        if (!properties->is_object()) throw SchemaRefusal{"\"properties\" must be an object."};
        for (const auto& [name, property] : properties->items()) names.push_back(name);
    }
    const auto required = requiredOf(schema);
    const bool namesKeys = !names.empty();
    for (const auto& name : required)
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    const auto own = schema.find("additionalProperties");
    const SchemaJson additional = own != schema.end() ? *own : SchemaJson(!namesKeys && properties == schema.end() && required.empty());
    const auto least = countOf(schema, "minProperties"), most = countOf(schema, "maxProperties");
    const bool bounded = least.value_or(0) > required.size() || (most && (*most < names.size() || additional != false));
    if (!bounded || names.empty()) {
        const ExpressionId open = m_rules.sequence({m_rules.text("{"), gap()}), close = m_rules.sequence({gap(), m_rules.text("}")});
        if (!bounded) return m_rules.sequence({open, members(schema, names, additional, depth), close});
        if (additional != false && least.value_or(0) <= 1) { // two of the same key would count once
            const ExpressionId one = asRule(member(keyBesides({}), value(additional, depth + 1)));
            return m_rules.sequence({open, list(one, least.value_or(0), most), close});
        }
    }
    throw SchemaRefusal{"\"minProperties\" and \"maxProperties\" are not supported here; \"required\" may help."};
}

ExpressionId SchemaCompiler::member(ExpressionId key, ExpressionId content) { return m_rules.sequence({key, m_rules.text(":"), gap(), content}); }

ExpressionId SchemaCompiler::members(const SchemaJson& schema, const std::vector<std::string>& names, const SchemaJson& additional, int depth) {
    const auto required = requiredOf(schema);
    ExpressionId first = m_rules.text(""), after = m_rules.text(""); // what may come when nothing, or something, stands before
    if (additional != false) {
        const ExpressionId other = asRule(member(keyBesides(names), value(additional, depth + 1)));
        after = m_rules.repeat(m_rules.sequence({comma(), other}), 0, std::nullopt);
        first = list(other, 0, std::nullopt);
    }
    for (size_t i = names.size(); i-- > 0;) {
        const auto& name = names[i];
        const bool isNamed = schema.contains("properties") && schema["properties"].contains(name);
        if (!isNamed && additional == false && schema.contains("additionalProperties"))
            throw SchemaRefusal{"The property \"" + name.substr(0, 60) + "\" is required, but no property of this name is allowed."};
        const SchemaJson content = isNamed ? schema["properties"][name] : additional != false ? additional : SchemaJson(true);
        const ExpressionId one = asRule(member(m_rules.text(SchemaJson(name).dump()), value(content, depth + 1)));
        const ExpressionId rest = asRule(after);
        const bool must = std::find(required.begin(), required.end(), name) != required.end();
        const ExpressionId begins = m_rules.sequence({one, rest}), follows = m_rules.sequence({comma(), one});
        first = must ? begins : m_rules.choice({begins, asRule(first)});
        after = m_rules.sequence({must ? follows : m_rules.optional(follows), rest});
    }
    return first;
}

// A key that is none of the names; written without escapes, so that no other spelling of a name is one.
ExpressionId SchemaCompiler::keyBesides(const std::vector<std::string>& names) {
    const ExpressionId more = m_rules.repeat(m_rules.characters(keyCharacters()), 0, std::nullopt);
    // Along the tree of the names: at each place all characters but those that go on a name.
    const std::function<ExpressionId(const std::vector<std::string>&, int)> besides = [&](const std::vector<std::string>& left, int depth) {
        if (depth > 200) throw SchemaRefusal{"A name of a property beside \"additionalProperties\" is too long."};
        std::map<uint32_t, std::vector<std::string>> next;
        bool isName = false;
        for (const auto& name : left) {
            if (name.empty()) {
                isName = true;
                continue;
            }
            const size_t length = utf8Length(name);
            next[utf8Code(name, length)].push_back(name.substr(length));
        }
        std::vector<CharacterRange> taken;
        std::vector<ExpressionId> choices;
        for (const auto& [code, rest] : next) {
            taken.push_back({code, code});
            const CharacterSet own = intersection(keyCharacters(), {{code, code}});
            if (!own.empty()) choices.push_back(m_rules.sequence({m_rules.characters(own), besides(rest, depth + 1)}));
        }
        const CharacterSet free = intersection(keyCharacters(), complement(normalized(std::move(taken))));
        choices.push_back(m_rules.sequence({m_rules.characters(free), more}));
        if (!isName) choices.push_back(m_rules.text(""));
        return m_rules.choice(std::move(choices));
    };
    return quoted(besides(names, 0));
}

ExpressionId SchemaCompiler::list(ExpressionId item, uint32_t least, std::optional<uint32_t> most) {
    if (most && *most == 0) return m_rules.text("");
    const ExpressionId more = m_rules.sequence({comma(), item});
    const ExpressionId some = m_rules.sequence({item, m_rules.repeat(more, least > 0 ? least - 1 : 0, most ? std::optional(*most - 1) : std::nullopt)});
    return least == 0 ? m_rules.optional(some) : some;
}

ExpressionId SchemaCompiler::array(const SchemaJson& schema, int depth) {
    const bool oldTuple = schema.contains("items") && schema["items"].is_array(); // up to draft 2019-09
    const SchemaJson tuple = oldTuple ? schema["items"] : schema.value("prefixItems", SchemaJson::array());
    const SchemaJson rest = oldTuple ? schema.value("additionalItems", SchemaJson(true)) : schema.value("items", SchemaJson(true));
    if (!tuple.is_array()) throw SchemaRefusal{"\"prefixItems\" must be a list of schemas."};
    const auto least = countOf(schema, "minItems"), most = countOf(schema, "maxItems");
    if (most && *most < least.value_or(0)) throw SchemaRefusal{"\"minItems\" is above \"maxItems\"."};
    const size_t fixed = most ? std::min<size_t>(tuple.size(), *most) : tuple.size();
    std::vector<ExpressionId> parts{m_rules.text("["), gap()};
    for (size_t i = 0; i < fixed; ++i) {
        if (i > 0) parts.push_back(comma());
        parts.push_back(value(tuple[i], depth + 1));
    }
    const auto behind = [&](uint32_t count) { return count > fixed ? count - static_cast<uint32_t>(fixed) : 0; };
    const uint32_t leastMore = behind(least.value_or(0));
    const auto mostMore = most ? std::optional(behind(*most)) : std::nullopt;
    const bool goesOn = rest != false && mostMore != 0u;
    if (!goesOn && leastMore > 0) throw SchemaRefusal{"\"minItems\" asks for more items than the schema describes."};
    if (goesOn) {
        const ExpressionId item = asRule(value(rest, depth + 1));
        parts.push_back(fixed == 0 ? list(item, leastMore, mostMore) : m_rules.repeat(m_rules.sequence({comma(), item}), leastMore, mostMore));
    }
    parts.push_back(gap());
    parts.push_back(m_rules.text("]"));
    return m_rules.sequence(std::move(parts));
}

} // namespace steelyard::grammar
