// What stands behind a dot and between brackets. Only values of the language are reached: a name that is no method of
// the value and no key of a dict is undefined.
#include "engine/template/characters.h"
#include "engine/template/interpreter.h"

#include <algorithm>

namespace steelyard::jinja {

namespace {

Value bound(std::string_view name, Method method, const Value& self) {
    return Value(Callable{std::string(name),
                          [method, self](Interpreter& interpreter, Arguments& arguments) {
                              interpreter.charge(weightOf(self));
                              return method(interpreter, self, arguments);
                          },
                          nullptr});
}

Method findMethod(const Value& value, std::string_view name) {
    if (value.string()) return findStringMethod(name);
    if (value.dict()) return findDictMethod(name);
    const auto* list = value.list();
    if (list && (list->flavor == Flavor::List || list->flavor == Flavor::Tuple || list->flavor == Flavor::Group))
        return findListMethod(name);
    return nullptr;
}

Value missing(const Value& value, const std::string& name) {
    return Value(Undefined{"A " + typeName(value) + " has no attribute '" + name + "'"});
}

// A slice's places in order, as Python counts them.
std::vector<size_t> slicePlaces(int64_t count, const Value* from, const Value* to, int64_t step) {
    const auto clamped = [&](const Value* value, int64_t standard) {
        if (!value || value->isNone()) return standard;
        const auto integer = value->asInteger();
        if (!integer) throw TemplateError{"The borders of a slice must be whole numbers."};
        int64_t place = *integer;
        if (place < 0) place = place < -count ? -1 : place + count; // -1: before the first
        const int64_t lowest = step < 0 ? -1 : 0, highest = step < 0 ? count - 1 : count;
        return std::clamp(place, lowest, highest);
    };
    const int64_t start = clamped(from, step < 0 ? count - 1 : 0), end = clamped(to, step < 0 ? -1 : count);
    std::vector<size_t> places;
    if (step > 0)
        for (int64_t i = start; i<end; i = step> end - i ? end : i + step)
            places.push_back(static_cast<size_t>(i));
    else
        for (int64_t i = start; i > end; i = step < end - i ? end : i + step)
            places.push_back(static_cast<size_t>(i));
    return places;
}

} // namespace

Value Interpreter::attribute(const Value& value, const std::string& name) {
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
    if (const Method method = findMethod(value, name)) return bound(name, method, value);
    if (const auto* dict = value.dict()) {
        const Value* found = dict->find(name);
        return found ? *found : missing(value, name);
    }
    if (auto* object = value.object()) {
        const Value* found = object->find(name);
        return found ? *found : missing(value, name);
    }
    if (const auto* callable = value.callable(); callable && callable->attribute) return callable->attribute(name);
    if (const auto* list = value.list(); list && list->flavor == Flavor::Group) {
        if (name == "grouper") return list->items[0];
        if (name == "list") return list->items[1];
    }
    return missing(value, name);
}

Value Interpreter::item(const Value& value, const Value& key) {
    charge(1);
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
    if (const auto* dict = value.dict()) {
        if (const Value* found = dict->find(key)) return *found;
    } else if (const auto index = key.asInteger()) {
        const auto* list = value.list();
        const bool indexed = list && list->flavor != Flavor::Generator && list->flavor != Flavor::Keys &&
                             list->flavor != Flavor::Values && list->flavor != Flavor::Items;
        if (indexed || value.string()) {
            if (value.string()) charge(weightOf(value));
            const int64_t count = *lengthOf(value), place = *index < 0 ? *index + count : *index;
            if (place < 0 || place >= count)
                return Value(Undefined{"There is no item " + std::to_string(*index) + " in a " + typeName(value) +
                                       " of " + std::to_string(count)});
            if (indexed) return list->items[static_cast<size_t>(place)];
            const auto& text = value.string()->text;
            const size_t from = value.string()->ascii() ? static_cast<size_t>(place)
                                                        : byteOfCharacter(text.bytes(), static_cast<size_t>(place));
            return Value(String{text.slice(from, from + characterLength(std::string_view(text.bytes()).substr(from))),
                                value.string()->markup});
        }
    }
    if (const auto* name = key.string()) return attribute(value, name->text.bytes());
    return Value(Undefined{"A " + typeName(value) + " has no such item"});
}

Value Interpreter::slice(const Value& value, const Value* from, const Value* to, const Value* stepValue) {
    if (value.isUndefined()) throw TemplateError{value.undefined()->what + "."};
    int64_t step = 1;
    if (stepValue && !stepValue->isNone()) {
        const auto integer = stepValue->asInteger();
        if (!integer || *integer == 0)
            throw TemplateError{"The step of a slice must be a whole number other than zero."};
        step = *integer;
    }
    charge(weightOf(value));
    const auto* list = value.list();
    if (list && (list->flavor == Flavor::List || list->flavor == Flavor::Tuple || list->flavor == Flavor::Group ||
                 list->flavor == Flavor::Range)) {
        std::vector<Value> items;
        for (const size_t place : slicePlaces(static_cast<int64_t>(list->items.size()), from, to, step))
            items.push_back(list->items[place]);
        return makeList(std::move(items), list->flavor == Flavor::Group ? Flavor::Tuple : list->flavor);
    }
    const auto* string = value.string();
    if (!string) return Value(Undefined{"A " + typeName(value) + " has no slices"});
    const auto& text = string->text;
    std::vector<size_t> starts;
    forEachCharacter(text.bytes(), [&](size_t begin, size_t) { starts.push_back(begin); });
    const auto count = static_cast<int64_t>(starts.size());
    starts.push_back(text.size());
    Text part;
    for (const size_t place : slicePlaces(count, from, to, step))
        part.append(text, starts[place], starts[place + 1]);
    return this->string(std::move(part), string->markup);
}

Value Interpreter::path(const Value& value, const Value& path) {
    if (!path.string()) return item(value, path);
    Value current = value;
    const std::string& names = path.string()->text.bytes();
    for (size_t from = 0; from <= names.size();) {
        const size_t dot = std::min(names.find('.', from), names.size());
        const std::string name = names.substr(from, dot - from);
        const bool number = !name.empty() && name.size() < 10 &&
                            std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        current = number ? item(current, Value(int64_t(std::stol(name)))) : item(current, Value::text(name));
        from = dot + 1;
    }
    return current;
}

} // namespace steelyard::jinja
