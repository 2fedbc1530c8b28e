// The methods of lists and dicts. Those that would change one are refused: a template may only change namespaces.
#include "engine/template/interpreter.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

Value refuseChange(Interpreter&, const Value& self, Arguments&) {
    throw TemplateError{"A template may not change a " + typeName(self) + "; it may set attributes of a namespace."};
}

Value countItems(Interpreter&, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("count", arguments, {"value"});
    const auto& items = self.list()->items;
    return Value(static_cast<int64_t>(
        std::count_if(items.begin(), items.end(), [&](const Value& item) { return equal(item, reader.required(0)); })));
}

Value indexOfItem(Interpreter&, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("index", arguments, {"value", "start", "stop"});
    const auto& items = self.list()->items;
    const auto count = static_cast<int64_t>(items.size());
    const auto place = [&](size_t argument, int64_t standard) {
        const int64_t value = reader.integer(argument, standard);
        return std::clamp<int64_t>(value < 0 ? value + count : value, 0, count);
    };
    const int64_t end = place(2, count);
    for (int64_t i = place(1, 0); i < end; ++i)
        if (equal(items[static_cast<size_t>(i)], reader.required(0))) return Value(i);
    throw TemplateError{"The value that 'index' looks for is not in the list."};
}

Value copyOf(Interpreter&, const Value& self, Arguments&) {
    return self;
}

Value getEntry(Interpreter&, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("get", arguments, {"key", "default"});
    if (const Value* found = self.dict()->find(reader.required(0))) return *found;
    return reader[1] ? *reader[1] : Value();
}

template <Flavor flavor>
Value entriesOf(Interpreter& interpreter, const Value& self, Arguments& arguments) {
    const ArgumentReader reader("items, keys or values", arguments, {});
    std::vector<Value> items;
    interpreter.charge(static_cast<int64_t>(self.dict()->entries.size()));
    for (const auto& entry : self.dict()->entries)
        items.push_back(flavor == Flavor::Keys     ? entry.first
                        : flavor == Flavor::Values ? entry.second
                                                   : makeList({entry.first, entry.second}, Flavor::Tuple));
    return makeList(std::move(items), flavor);
}

constexpr NamedRow<Method> kListMethods[] = {
    {"append", refuseChange}, {"clear", refuseChange},   {"copy", copyOf},         {"count", countItems},
    {"extend", refuseChange}, {"index", indexOfItem},    {"insert", refuseChange}, {"pop", refuseChange},
    {"remove", refuseChange}, {"reverse", refuseChange}, {"sort", refuseChange},
};
constexpr NamedRow<Method> kDictMethods[] = {
    {"clear", refuseChange},
    {"copy", copyOf},
    {"get", getEntry},
    {"items", entriesOf<Flavor::Items>},
    {"keys", entriesOf<Flavor::Keys>},
    {"pop", refuseChange},
    {"popitem", refuseChange},
    {"setdefault", refuseChange},
    {"update", refuseChange},
    {"values", entriesOf<Flavor::Values>},
};

template <size_t N>
Method findRow(const NamedRow<Method> (&rows)[N], std::string_view name) {
    const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const auto& r) { return r.name == name; });
    return row == std::end(rows) ? nullptr : row->function;
}

} // namespace

Method findListMethod(std::string_view name) {
    return findRow(kListMethods, name);
}
Method findDictMethod(std::string_view name) {
    return findRow(kDictMethods, name);
}

} // namespace steelyard::jinja
