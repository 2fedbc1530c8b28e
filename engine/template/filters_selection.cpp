// map, select, reject and their kin: filters that apply other filters and tests to each item.
#include "engine/template/interpreter.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

// The name in the first argument and the arguments behind it.
std::string takeName(const char* filter, Arguments& arguments) {
    if (arguments.positional.empty() || !arguments.positional[0].string())
        throw TemplateError{std::string("'") + filter + "' needs a name as its first argument."};
    std::string name = arguments.positional[0].string()->text.bytes();
    arguments.positional.erase(arguments.positional.begin());
    return name;
}

Value mapFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    const auto named = [&](std::string_view name) {
        return std::find_if(arguments.named.begin(), arguments.named.end(),
                            [&](const auto& entry) { return entry.first == name; });
    };
    std::vector<Value> results;
    if (arguments.positional.empty() && named("attribute") != arguments.named.end()) {
        const Value path = named("attribute")->second;
        const auto standard = named("default");
        if (arguments.named.size() > (standard != arguments.named.end() ? 2u : 1u))
            throw TemplateError{"'map' takes 'attribute' and 'default' only."};
        for (const auto& item : itemsOf(input)) {
            Value value = interpreter.path(item, path);
            if (value.isUndefined() && standard != arguments.named.end()) value = standard->second;
            results.push_back(std::move(value));
        }
    } else {
        const std::string name = takeName("map", arguments);
        for (const auto& item : itemsOf(input)) {
            Arguments copy = arguments;
            results.push_back(interpreter.filter(name, item, copy));
        }
    }
    return makeList(std::move(results), Flavor::Generator);
}

Value chosen(Interpreter& interpreter, const Value& input, Arguments& arguments, const Value* attribute, bool wanted) {
    const bool tested = !arguments.positional.empty();
    const std::string name = tested ? takeName("select", arguments) : std::string();
    std::vector<Value> results;
    for (const auto& item : itemsOf(input)) {
        const Value value = attribute ? interpreter.path(item, *attribute) : item;
        Arguments copy = arguments;
        interpreter.charge(1);
        if ((tested ? interpreter.test(name, value, copy) : truth(value)) == wanted) results.push_back(item);
    }
    return makeList(std::move(results), Flavor::Generator);
}

template <bool wanted>
Value selectFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    return chosen(interpreter, input, arguments, nullptr, wanted);
}

template <bool wanted>
Value selectAttributeFilter(Interpreter& interpreter, const Value& input, Arguments& arguments) {
    if (arguments.positional.empty()) throw TemplateError{"'selectattr' and 'rejectattr' need an attribute."};
    const Value attribute = arguments.positional[0];
    arguments.positional.erase(arguments.positional.begin());
    return chosen(interpreter, input, arguments, &attribute, wanted);
}

constexpr NamedRow<Filter> kFilters[] = {
    {"map", mapFilter},
    {"reject", selectFilter<false>},
    {"rejectattr", selectAttributeFilter<false>},
    {"select", selectFilter<true>},
    {"selectattr", selectAttributeFilter<true>},
};

} // namespace

std::span<const NamedRow<Filter>> selectionFilters() {
    return kFilters;
}

} // namespace steelyard::jinja
