// Filters over lists, dicts and what else can be walked through.
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"
#include "engine/template/string_operations.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

// How filters compare: texts without regard to case, unless told otherwise.
Value sortKey(Interpreter& interpreter, const Value& value, bool caseSensitive) {
    if (caseSensitive || !value.string()) return value;
    return interpreter.string(mapped(value.string()->text, lowerCase));
}

Value keyed(Interpreter& interpreter, const Value& item, const Value* attribute, bool caseSensitive) {
    return sortKey(interpreter, attribute && !attribute->isNone() ? interpreter.path(item, *attribute) : item,
                   caseSensitive);
}

struct Keyed {
    Value key, item;
};

void sortKeyed(Interpreter& interpreter, std::vector<Keyed>& entries, bool reverse) {
    int64_t weight = 0;
    for (const auto& entry : entries)
        weight += weightOf(entry.key);
    interpreter.charge(weight * 16);
    std::stable_sort(entries.begin(), entries.end(), [&](const Keyed& a, const Keyed& b) {
        return reverse ? compare(b.key, a.key) < 0 : compare(a.key, b.key) < 0;
    });
}

Value itemsInOrder(std::vector<Keyed> entries) {
    std::vector<Value> items;
    for (auto& entry : entries)
        items.push_back(std::move(entry.item));
    return makeList(std::move(items));
}

Value sortFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("sort", arguments, {"reverse", "case_sensitive", "attribute"});
    const bool caseSensitive = reader.flag(1, false);
    std::vector<Keyed> entries;
    for (auto& item : itemsOf(input)) {
        Value key;
        if (reader[2] && reader[2]->string() && reader[2]->string()->text.bytes().find(',') != std::string::npos) {
            const Text comma(",", true);
            std::vector<Value> keys;
            for (const auto& path : splitText(reader.text(2), &comma, -1, false))
                keys.push_back(sortKey(interpreter, interpreter.path(item, Value(path)), caseSensitive));
            key = makeList(std::move(keys), Flavor::Tuple);
        } else {
            key = keyed(interpreter, item, reader[2], caseSensitive);
        }
        entries.push_back({std::move(key), std::move(item)});
    }
    sortKeyed(interpreter, entries, reader.flag(0, false));
    return itemsInOrder(std::move(entries));
}

Value uniqueFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("unique", arguments, {"case_sensitive", "attribute"});
    Dict seen;
    std::vector<Value> items;
    for (auto& item : itemsOf(input)) {
        Value key = keyed(interpreter, item, reader[1], reader.flag(0, false));
        if (seen.find(key)) continue;
        seen.set(std::move(key), Value());
        items.push_back(std::move(item));
    }
    return makeList(std::move(items), Flavor::Generator);
}

template <bool largest>
Value extremeFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader(largest ? "max" : "min", arguments, {"case_sensitive", "attribute"});
    std::optional<Keyed> best;
    for (auto& item : itemsOf(input)) {
        Value key = keyed(interpreter, item, reader[1], reader.flag(0, false));
        if (!best || (largest ? compare(key, best->key) > 0 : compare(key, best->key) < 0))
            best = Keyed{std::move(key), std::move(item)};
    }
    return best ? best->item : Value(Undefined{"There is no item in an empty list"});
}

Value dictSortFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("dictsort", arguments, {"case_sensitive", "by", "reverse"});
    const std::string by = reader[1] ? reader.text(1).bytes() : "key";
    if (by != "key" && by != "value") throw TemplateError{"'dictsort' sorts by \"key\" or \"value\"."};
    if (!input.dict()) throw TemplateError{"'dictsort' needs a dict, not a " + typeName(input) + "."};
    std::vector<Keyed> entries;
    for (const auto& entry : input.dict()->entries)
        entries.push_back({sortKey(interpreter, by == "key" ? entry.first : entry.second, reader.flag(0, false)),
                           makeList({entry.first, entry.second}, Flavor::Tuple)});
    sortKeyed(interpreter, entries, reader.flag(2, false));
    return itemsInOrder(std::move(entries));
}

Value groupByFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("groupby", arguments, {"attribute", "default", "case_sensitive"});
    const bool caseSensitive = reader.flag(2, false);
    std::vector<Keyed> entries;
    for (auto& item : itemsOf(input)) {
        Value key = interpreter.path(item, reader.required(0));
        if (key.isUndefined() && reader[1]) key = *reader[1];
        entries.push_back({sortKey(interpreter, key, caseSensitive), std::move(item)});
    }
    sortKeyed(interpreter, entries, false);
    std::vector<Value> groups;
    for (size_t at = 0; at < entries.size();) {
        size_t end = at;
        std::vector<Value> items;
        for (; end < entries.size() && equal(entries[end].key, entries[at].key); ++end)
            items.push_back(entries[end].item);
        Value grouper = entries[at].key;
        if (!caseSensitive && !entries[at].item.isUndefined()) {
            const Value original = interpreter.path(entries[at].item, reader.required(0));
            if (!original.isUndefined()) grouper = original; // in its own spelling
        }
        groups.push_back(makeList({grouper, makeList(std::move(items))}, Flavor::Group));
        at = end;
    }
    return makeList(std::move(groups));
}

Value batchFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("batch", arguments, {"linecount", "fill_with"});
    const int64_t size = reader.integer(0, 0);
    if (size <= 0) throw TemplateError{"'batch' needs a count above zero."};
    std::vector<Value> batches, current;
    for (auto& item : itemsOf(input)) {
        current.push_back(std::move(item));
        if (static_cast<int64_t>(current.size()) < size) continue;
        batches.push_back(makeList(std::move(current)));
        current.clear();
    }
    if (!current.empty()) {
        if (reader[1] && !reader[1]->isNone()) {
            interpreter.charge(size);
            current.resize(static_cast<size_t>(size), *reader[1]);
        }
        batches.push_back(makeList(std::move(current)));
    }
    return makeList(std::move(batches), Flavor::Generator);
}

Value sliceFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("slice", arguments, {"slices", "fill_with"});
    const int64_t slices = reader.integer(0, 0);
    if (slices <= 0) throw TemplateError{"'slice' needs a count above zero."};
    interpreter.charge(slices);
    const auto items = itemsOf(input);
    const auto length = static_cast<int64_t>(items.size());
    const int64_t each = length / slices, longer = length % slices;
    std::vector<Value> result;
    int64_t at = 0;
    for (int64_t i = 0; i < slices; ++i) {
        const int64_t end = at + each + (i < longer ? 1 : 0);
        std::vector<Value> part(items.begin() + at, items.begin() + end);
        if (reader[1] && !reader[1]->isNone() && i >= longer) part.push_back(*reader[1]);
        result.push_back(makeList(std::move(part)));
        at = end;
    }
    return makeList(std::move(result), Flavor::Generator);
}

Value sumFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("sum", arguments, {"attribute", "start"});
    Value total = reader[1] ? *reader[1] : Value(int64_t(0));
    if (total.string()) throw TemplateError{"'sum' cannot add texts; 'join' can."};
    for (const auto& item : itemsOf(input)) {
        interpreter.charge(weightOf(total));
        total = interpreter.arithmetic(Operator::Add, total,
                                       reader[0] && !reader[0]->isNone() ? interpreter.path(item, *reader[0]) : item);
    }
    return total;
}

Value joinFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const ArgumentReader reader("join", arguments, {"d", "attribute"});
    const Text separator = reader[0] ? interpreter.textOf(*reader[0]) : Text();
    Text text;
    bool first = true;
    for (const auto& item : itemsOf(input)) {
        if (!first) text.append(separator);
        text.append(interpreter.textOf(reader[1] && !reader[1]->isNone() ? interpreter.path(item, *reader[1]) : item));
        interpreter.checkSize(text.size());
        first = false;
    }
    return interpreter.string(std::move(text));
}

Value listFilter(Interpreter&, const Value& input, Arguments&) {
    return makeList(itemsOf(input));
}

Value lengthFilter(Interpreter&, const Value& input, Arguments&) {
    const auto length = lengthOf(input);
    if (!length) throw TemplateError{"A " + typeName(input) + " has no length."};
    return Value(*length);
}

Value firstFilter(Interpreter&, const Value& input, Arguments&) {
    const auto* list = input.list();
    if (list && list->flavor == Flavor::Generator) { // takes one and leaves the rest
        if (list->consumed == list->items.size()) return Value(Undefined{"There is no first item"});
        return list->items[list->consumed++];
    }
    const auto items = itemsOf(input);
    return items.empty() ? Value(Undefined{"There is no first item"}) : items.front();
}

Value lastFilter(Interpreter&, const Value& input, Arguments&) {
    if (const auto* list = input.list(); list && list->flavor == Flavor::Generator)
        throw TemplateError{"'last' needs a list; 'list' makes one of a generator."};
    const auto items = itemsOf(input);
    return items.empty() ? Value(Undefined{"There is no last item"}) : items.back();
}

// The order of a text's characters, or of a list's items.
Value reverseFilter(Interpreter& interpreter, const Value& input, Arguments&) {
    auto items = itemsOf(input);
    std::reverse(items.begin(), items.end());
    if (!input.string()) return makeList(std::move(items), Flavor::Generator);
    Text text;
    for (const auto& item : items)
        text.append(item.string()->text);
    return interpreter.string(std::move(text));
}

// A template must give the same prompt each time, so chance always picks the first.
Value randomFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    return firstFilter(interpreter, input, arguments);
}

Value itemsFilter(Interpreter&, const Value& input, Arguments&) {
    std::vector<Value> items;
    if (!input.isUndefined()) {
        if (!input.dict()) throw TemplateError{"'items' needs a dict, not a " + typeName(input) + "."};
        for (const auto& entry : input.dict()->entries)
            items.push_back(makeList({entry.first, entry.second}, Flavor::Tuple));
    }
    return makeList(std::move(items), Flavor::Generator);
}

constexpr NamedRow<Filter> kFilters[] = {
    {"batch", batchFilter},     {"count", lengthFilter},    {"dictsort", dictSortFilter}, {"first", firstFilter},
    {"groupby", groupByFilter}, {"items", itemsFilter},     {"join", joinFilter},         {"last", lastFilter},
    {"length", lengthFilter},   {"list", listFilter},       {"max", extremeFilter<true>}, {"min", extremeFilter<false>},
    {"random", randomFilter},   {"reverse", reverseFilter}, {"slice", sliceFilter},       {"sort", sortFilter},
    {"sum", sumFilter},         {"unique", uniqueFilter},
};

} // namespace

std::span<const NamedRow<Filter>> sequenceFilters() {
    return kFilters;
}

} // namespace steelyard::jinja
