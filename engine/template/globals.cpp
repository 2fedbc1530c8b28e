// The functions that every template finds: range, namespace, raise_exception and so on.
#include "engine/template/calendar.h"
#include "engine/template/interpreter.h"

#include <algorithm>
#include <utility>

namespace steelyard::jinja {

namespace {

Value rangeFunction(Interpreter& interpreter, Arguments& arguments) {
    if (arguments.positional.empty() || arguments.positional.size() > 3 || !arguments.named.empty())
        throw TemplateError{"'range' takes one to three numbers."};
    const ArgumentReader reader("range", arguments, {"start", "stop", "step"});
    const bool single = arguments.positional.size() == 1;
    const int64_t start = single ? 0 : reader.integer(0, 0), stop = reader.integer(single ? 0 : 1, 0),
                  step = reader.integer(2, 1);
    if (step == 0) throw TemplateError{"The step of 'range' must not be zero."};
    List list;
    list.flavor = Flavor::Range;
    const auto most = static_cast<size_t>(interpreter.budget().rangeItems);
    for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
        if (list.items.size() >= most)
            throw TemplateError{"The template's budget is exceeded: a range has more than " + std::to_string(most) +
                                " items."};
        list.items.push_back(Value(i));
        const bool beyond = step > 0 ? i > INT64_MAX - step : i < INT64_MIN - step;
        if (beyond) break;
        i += step;
    }
    interpreter.charge(static_cast<int64_t>(list.items.size()));
    list.shown = "range(" + std::to_string(start) + ", " + std::to_string(stop) +
                 (step == 1 ? "" : ", " + std::to_string(step)) + ")";
    return Value(std::move(list));
}

// Entries of a dict or of pairs, then those with names.
std::vector<std::pair<Value, Value>> entriesOf(const char* name, const Arguments& arguments) {
    if (arguments.positional.size() > 1)
        throw TemplateError{std::string("'") + name + "' takes at most one value without a name."};
    std::vector<std::pair<Value, Value>> entries;
    if (!arguments.positional.empty()) {
        const Value& source = arguments.positional[0];
        if (const auto* dict = source.dict()) {
            entries = dict->entries;
        } else {
            for (const auto& pair : itemsOf(source)) {
                auto parts = itemsOf(pair);
                if (parts.size() != 2) throw TemplateError{std::string("'") + name + "' needs pairs."};
                entries.emplace_back(std::move(parts[0]), std::move(parts[1]));
            }
        }
    }
    for (const auto& entry : arguments.named)
        entries.emplace_back(Value::text(entry.first), entry.second);
    return entries;
}

Value dictFunction(Interpreter& interpreter, Arguments& arguments) {
    Dict dict;
    for (auto& entry : entriesOf("dict", arguments)) {
        interpreter.charge(1);
        dict.set(std::move(entry.first), std::move(entry.second));
    }
    return Value(std::move(dict));
}

Value namespaceFunction(Interpreter& interpreter, Arguments& arguments) {
    auto object = interpreter.makeObject("namespace");
    for (auto& entry : entriesOf("namespace", arguments)) {
        interpreter.charge(static_cast<int64_t>(object->attributes.size()));
        if (const auto* name = entry.first.string()) object->set(name->text.bytes(), std::move(entry.second));
    }
    return Value(std::move(object));
}

Value raiseFunction(Interpreter& interpreter, Arguments& arguments) {
    const ArgumentReader reader("raise_exception", arguments, {"message"});
    throw TemplateError{interpreter.textOf(reader.required(0)).bytes()};
}

Value timeFunction(Interpreter& interpreter, Arguments& arguments) {
    const ArgumentReader reader("strftime_now", arguments, {"format"});
    return interpreter.string(Text(formatTime(reader.text(0).bytes(), interpreter.nowSeconds()), true));
}

// An object with functions over a place that they share.
Value cyclerFunction(Interpreter& interpreter, Arguments& arguments) {
    if (arguments.positional.empty()) throw TemplateError{"'cycler' needs something to cycle through."};
    auto place = std::make_shared<size_t>(0);
    const auto items = arguments.positional;
    auto object = interpreter.makeObject("cycler");
    object->set("current", items[0]);
    // The object outlives its functions' calls: the interpreter holds it until the end of the run.
    Object* self = object.get();
    const auto move = [place, items, self](size_t to) {
        *place = to % items.size();
        self->set("current", items[*place]);
    };
    object->set("next", Value(Callable{"next",
                                       [place, items, move](Interpreter&, Arguments&) {
                                           const Value current = items[*place];
                                           move(*place + 1);
                                           return current;
                                       },
                                       nullptr}));
    object->set("reset", Value(Callable{"reset",
                                        [move](Interpreter&, Arguments&) {
                                            move(0);
                                            return Value();
                                        },
                                        nullptr}));
    return Value(std::move(object));
}

// Gives nothing at the first call and the separator at all others.
Value joinerFunction(Interpreter&, Arguments& arguments) {
    const ArgumentReader reader("joiner", arguments, {"sep"});
    const Value separator = reader[0] ? *reader[0] : Value::text(", ");
    auto used = std::make_shared<bool>(false);
    return Value(Callable{"joiner",
                          [separator, used](Interpreter&, Arguments&) {
                              return std::exchange(*used, true) ? separator : Value::text("");
                          },
                          nullptr});
}

Value lipsumFunction(Interpreter& interpreter, Arguments&) {
    return interpreter.string(Text("Lorem ipsum dolor sit amet, consectetur adipiscing elit.", true));
}

struct GlobalRow {
    std::string_view name;
    Value (*function)(Interpreter&, Arguments&);
};
constexpr GlobalRow kGlobals[] = {
    {"cycler", cyclerFunction}, {"dict", dictFunction},           {"joiner", joinerFunction},
    {"lipsum", lipsumFunction}, {"namespace", namespaceFunction}, {"raise_exception", raiseFunction},
    {"range", rangeFunction},   {"strftime_now", timeFunction},
};

} // namespace

std::optional<Value> findGlobal(std::string_view name) {
    const auto row =
        std::find_if(std::begin(kGlobals), std::end(kGlobals), [&](const GlobalRow& r) { return r.name == name; });
    if (row == std::end(kGlobals)) return std::nullopt;
    return Value(Callable{std::string(name), row->function, nullptr});
}

} // namespace steelyard::jinja
