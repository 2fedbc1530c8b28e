#include "engine/template/value.h"

#include "engine/template/characters.h"

#include <algorithm>
#include <cmath>

namespace steelyard::jinja {

namespace {

// -1, 0, 1 of an integer against a float, exactly.
int compareMixed(int64_t left, double right) {
    if (std::isnan(right)) return -2;
    if (right >= 9223372036854775808.0) return -1;
    if (right < -9223372036854775808.0) return 1;
    const double whole = std::floor(right);
    const auto integer = static_cast<int64_t>(whole);
    if (left != integer) return left < integer ? -1 : 1;
    return right > whole ? -1 : 0;
}

// -1, 0, 1, or -2 where nothing is true (NaN).
int compareNumbers(const Value& left, const Value& right) {
    const auto a = left.asInteger(), b = right.asInteger();
    if (a && b) return *a < *b ? -1 : *a > *b ? 1 : 0;
    if (a) return compareMixed(*a, right.real());
    if (b) {
        const int reversed = compareMixed(*b, left.real());
        return reversed == -2 ? -2 : -reversed;
    }
    if (std::isnan(left.real()) || std::isnan(right.real())) return -2;
    return left.real() < right.real() ? -1 : left.real() > right.real() ? 1 : 0;
}

// Values are compared, printed and destroyed by recursion.
constexpr int kDeepestValue = 256;

int depthOf(const Value& value) {
    if (const auto* list = value.list()) return list->depth;
    return value.dict() ? value.dict()->depth : 0;
}

// The same value may stand in a list many times, so the size of what it prints can exceed that of its memory by far.
constexpr int64_t kHeaviestValue = int64_t(1) << 24;

void requireBounded(int depth, int64_t weight) {
    if (weight > kHeaviestValue)
        throw TemplateError{"The template's budget is exceeded: a list or dict became too large."};
    if (depth > kDeepestValue)
        throw TemplateError{"The template is too deep: values are nested more than " + std::to_string(kDeepestValue) +
                            " times."};
}

size_t combine(size_t seed, size_t hash) {
    return seed * 1000003 ^ hash;
}

size_t hashOf(const Value& key) {
    if (const auto* string = key.string()) return std::hash<std::string>()(string->text.bytes());
    if (const auto integer = key.asInteger()) return std::hash<int64_t>()(*integer);
    if (key.isFloat()) {
        const double real = key.real();
        if (real == std::floor(real) && std::fabs(real) < 9e18) return std::hash<int64_t>()(static_cast<int64_t>(real));
        return std::hash<double>()(real);
    }
    if (const auto* list = key.list(); list && list->flavor == Flavor::Tuple) {
        size_t seed = 17;
        for (const auto& item : list->items)
            seed = combine(seed, hashOf(item));
        return seed;
    }
    if (key.list() || key.isDict()) throw TemplateError{"A " + typeName(key) + " cannot be a key of a dict."};
    return 1; // none, functions and the like: told apart by equal()
}

bool equalLists(const List& left, const List& right) {
    const auto plain = [](Flavor flavor) { return flavor == Flavor::Group ? Flavor::Tuple : flavor; };
    if (plain(left.flavor) != plain(right.flavor) || left.items.size() != right.items.size()) return false;
    return std::equal(left.items.begin(), left.items.end(), right.items.begin(), equal);
}

bool equalDicts(const Dict& left, const Dict& right) {
    if (left.entries.size() != right.entries.size()) return false;
    return std::all_of(left.entries.begin(), left.entries.end(), [&](const auto& entry) {
        const Value* other = right.find(entry.first);
        return other && equal(entry.second, *other);
    });
}

} // namespace

bool String::ascii() const {
    if (asciiKnown < 0)
        asciiKnown = std::all_of(text.bytes().begin(), text.bytes().end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    return asciiKnown == 1;
}

Value* Object::find(std::string_view name) {
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const auto& entry) { return entry.first == name; });
    return found == attributes.end() ? nullptr : &found->second;
}

void Object::set(const std::string& name, Value value) {
    if (Value* found = find(name))
        *found = std::move(value);
    else
        attributes.emplace_back(name, std::move(value));
}

Value::Value(List list) {
    list.weight = 1;
    for (const auto& item : list.items) {
        list.depth = std::max(list.depth, depthOf(item) + 1);
        list.weight += weightOf(item);
    }
    requireBounded(list.depth, list.weight);
    m_state = std::make_shared<const List>(std::move(list));
}

Value::Value(Dict dict) {
    dict.weight = 1;
    for (const auto& entry : dict.entries) {
        dict.depth = std::max({dict.depth, depthOf(entry.first) + 1, depthOf(entry.second) + 1});
        dict.weight += weightOf(entry.first) + weightOf(entry.second);
    }
    requireBounded(dict.depth, dict.weight);
    m_state = std::make_shared<const Dict>(std::move(dict));
}

std::optional<int64_t> Value::asInteger() const {
    if (isInteger()) return integer();
    if (isBool()) return boolean() ? 1 : 0;
    return std::nullopt;
}

std::optional<double> Value::asFloat() const {
    if (isFloat()) return real();
    if (const auto integer = asInteger()) return static_cast<double>(*integer);
    return std::nullopt;
}

bool Value::sameAs(const Value& other) const {
    if (m_state.index() != other.m_state.index()) return false;
    if (isNone()) return true;
    if (isNumber() || isString()) return equal(*this, other);
    return m_state == other.m_state;
}

const Value* Dict::find(const Value& key) const {
    const auto [from, to] = index.equal_range(hashOf(key));
    for (auto it = from; it != to; ++it)
        if (equal(entries[it->second].first, key)) return &entries[it->second].second;
    return nullptr;
}

const Value* Dict::find(std::string_view key) const {
    const auto [from, to] = index.equal_range(std::hash<std::string_view>()(key));
    for (auto it = from; it != to; ++it) {
        const auto* string = entries[it->second].first.string();
        if (string && string->text.bytes() == key) return &entries[it->second].second;
    }
    return nullptr;
}

void Dict::set(Value key, Value value) {
    if (Value* found = const_cast<Value*>(find(key))) {
        *found = std::move(value);
        return;
    }
    index.emplace(hashOf(key), entries.size());
    entries.emplace_back(std::move(key), std::move(value));
}

int64_t weightOf(const Value& value) {
    if (const auto* string = value.string()) return 1 + static_cast<int64_t>(string->text.size() / 32);
    if (const auto* list = value.list()) return list->weight;
    return value.dict() ? value.dict()->weight : 1;
}

bool truth(const Value& value) {
    if (value.isUndefined() || value.isNone()) return false;
    if (const auto integer = value.asInteger()) return *integer != 0;
    if (value.isFloat()) return value.real() != 0;
    if (const auto* string = value.string()) return !string->text.empty();
    if (const auto* list = value.list()) return list->flavor == Flavor::Generator || !list->items.empty();
    if (const auto* dict = value.dict()) return !dict->entries.empty();
    return true;
}

bool equal(const Value& left, const Value& right) {
    if (left.isNumber() && right.isNumber()) return compareNumbers(left, right) == 0;
    if (left.string() && right.string()) return left.string()->text.bytes() == right.string()->text.bytes();
    if (left.list() && right.list()) return left.list() == right.list() || equalLists(*left.list(), *right.list());
    if (left.dict() && right.dict()) return left.dict() == right.dict() || equalDicts(*left.dict(), *right.dict());
    if (left.isUndefined() && right.isUndefined()) return true;
    return left.sameAs(right);
}

int compare(const Value& left, const Value& right) {
    if (left.isNumber() && right.isNumber()) return compareNumbers(left, right);
    if (left.string() && right.string()) return left.string()->text.bytes().compare(right.string()->text.bytes());
    const auto* a = left.list();
    const auto* b = right.list();
    if (a && b && (a->flavor == b->flavor || (a->flavor != Flavor::List && b->flavor != Flavor::List))) {
        for (size_t i = 0; i < std::min(a->items.size(), b->items.size()); ++i)
            if (!equal(a->items[i], b->items[i])) return compare(a->items[i], b->items[i]);
        return a->items.size() < b->items.size() ? -1 : a->items.size() > b->items.size() ? 1 : 0;
    }
    for (const auto* side : {&left, &right})
        if (side->isUndefined()) throw TemplateError{side->undefined()->what + "."};
    throw TemplateError{"A " + typeName(left) + " and a " + typeName(right) + " have no order."};
}

std::string typeName(const Value& value) {
    if (value.isUndefined()) return "undefined value";
    if (value.isNone()) return "NoneType";
    if (value.isBool()) return "bool";
    if (value.isInteger()) return "int";
    if (value.isFloat()) return "float";
    if (value.isString()) return "str";
    if (value.isDict()) return "dict";
    if (const auto* object = value.object()) return object->kind;
    if (value.callable()) return "function";
    switch (value.list()->flavor) {
    case Flavor::List:
        return "list";
    case Flavor::Tuple:
    case Flavor::Group:
        return "tuple";
    case Flavor::Range:
        return "range";
    case Flavor::Keys:
        return "dict_keys";
    case Flavor::Values:
        return "dict_values";
    case Flavor::Items:
        return "dict_items";
    case Flavor::Generator:
        return "generator";
    }
    return "value";
}

std::vector<Value> itemsOf(const Value& value) {
    if (value.isUndefined()) return {};
    if (const auto* list = value.list()) {
        if (list->flavor != Flavor::Generator) return list->items;
        std::vector<Value> rest(list->items.begin() + static_cast<std::ptrdiff_t>(list->consumed), list->items.end());
        list->consumed = list->items.size();
        return rest;
    }
    std::vector<Value> items;
    if (const auto* dict = value.dict()) {
        for (const auto& entry : dict->entries)
            items.push_back(entry.first);
        return items;
    }
    if (const auto* string = value.string()) {
        forEachCharacter(string->text.bytes(), [&](size_t from, size_t to) {
            items.push_back(Value(String{string->text.slice(from, to), string->markup}));
        });
        return items;
    }
    throw TemplateError{"A " + typeName(value) + " cannot be walked through."};
}

std::optional<int64_t> lengthOf(const Value& value) {
    if (value.isUndefined()) return 0;
    if (const auto* string = value.string()) return static_cast<int64_t>(characterCount(string->text.bytes()));
    if (const auto* dict = value.dict()) return static_cast<int64_t>(dict->entries.size());
    if (const auto* list = value.list(); list && list->flavor != Flavor::Generator)
        return static_cast<int64_t>(list->items.size());
    return std::nullopt;
}

} // namespace steelyard::jinja
