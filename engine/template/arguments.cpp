#include "engine/template/builtins.h"

#include <algorithm>

namespace steelyard::jinja {

ArgumentReader::ArgumentReader(std::string function, const Arguments& arguments,
                               std::initializer_list<std::string_view> names)
    : m_function(std::move(function)), m_names(names), m_values(names.size(), nullptr) {
    if (arguments.positional.size() > m_names.size())
        fail("takes at most " + std::to_string(m_names.size()) + " arguments, not " +
             std::to_string(arguments.positional.size()) + ".");
    for (size_t i = 0; i < arguments.positional.size(); ++i)
        m_values[i] = &arguments.positional[i];
    for (const auto& entry : arguments.named) {
        const auto name = std::find(m_names.begin(), m_names.end(), entry.first);
        if (name == m_names.end()) fail("has no argument '" + entry.first + "'.");
        const Value*& value = m_values[static_cast<size_t>(name - m_names.begin())];
        if (value) fail("got two values for '" + entry.first + "'.");
        value = &entry.second;
    }
}

void ArgumentReader::fail(const std::string& what) const {
    throw TemplateError{"'" + m_function + "' " + what};
}

const Value& ArgumentReader::required(size_t place) const {
    if (!m_values[place]) fail("needs the argument '" + std::string(m_names[place]) + "'.");
    return *m_values[place];
}

int64_t ArgumentReader::integer(size_t place, int64_t standard) const {
    if (!m_values[place]) return standard;
    const auto value = m_values[place]->asInteger();
    if (!value)
        fail("needs a whole number as '" + std::string(m_names[place]) + "', not a " + typeName(*m_values[place]) +
             ".");
    return *value;
}

bool ArgumentReader::flag(size_t place, bool standard) const {
    return m_values[place] ? truth(*m_values[place]) : standard;
}

const Text& ArgumentReader::text(size_t place) const {
    const Value& value = required(place);
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
    if (!value.string()) fail("needs a text as '" + std::string(m_names[place]) + "', not a " + typeName(value) + ".");
    return value.string()->text;
}

std::optional<Text> ArgumentReader::optionalText(size_t place) const {
    if (!m_values[place] || m_values[place]->isNone()) return std::nullopt;
    return text(place);
}

} // namespace steelyard::jinja
