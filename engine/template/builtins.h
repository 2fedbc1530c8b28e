// What the language brings along: filters, tests, functions, methods; each in one row of a table.
#pragma once

#include "engine/template/value.h"

#include <initializer_list>
#include <span>

namespace steelyard::jinja {

using Filter = Value (*)(Interpreter&, const Value& input, Arguments& arguments);
using Test = bool (*)(Interpreter&, const Value& input, Arguments& arguments);
using Method = Value (*)(Interpreter&, const Value& self, Arguments& arguments);

template <class Function>
struct NamedRow {
    std::string_view name;
    Function function;
};

// Null when there is none of the name.
Filter findFilter(std::string_view name);
Test findTest(std::string_view name);
Method findStringMethod(std::string_view name);
Method findListMethod(std::string_view name);
Method findDictMethod(std::string_view name);
// range, dict, namespace, ...; nothing when there is none of the name.
std::optional<Value> findGlobal(std::string_view name);

// The tables that findFilter looks through.
std::span<const NamedRow<Filter>> textFilters();
std::span<const NamedRow<Filter>> sequenceFilters();
std::span<const NamedRow<Filter>> selectionFilters();
std::span<const NamedRow<Filter>> valueFilters();

// The arguments of a call by place or name, with their standard values. Throws TemplateError for arguments that the
// function does not have, or that are of the wrong kind.
class ArgumentReader {
public:
    ArgumentReader(std::string function, const Arguments& arguments, std::initializer_list<std::string_view> names);

    // Null when it was not given.
    const Value* operator[](size_t place) const { return m_values[place]; }
    const Value& required(size_t place) const;
    int64_t integer(size_t place, int64_t standard) const;
    bool flag(size_t place, bool standard) const;
    // The text of a string argument.
    const Text& text(size_t place) const;
    std::optional<Text> optionalText(size_t place) const; // nothing when none or not given

private:
    [[noreturn]] void fail(const std::string& what) const;

    std::string m_function;
    std::vector<std::string_view> m_names;
    std::vector<const Value*> m_values;
};

} // namespace steelyard::jinja
