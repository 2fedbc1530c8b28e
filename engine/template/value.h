// The values of a template program, by the rules of Python: none, booleans, 64-bit integers, floats, strings, lists and
// their relatives, dicts in order of insertion, functions, namespaces. Lists and dicts never change once made; only
// namespaces do. Knows nothing of syntax.
#pragma once

#include "engine/template/text.h"

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>

namespace steelyard::jinja {

class Value;
class Interpreter;
struct Object;
struct Dict;

// Ends a program with a sentence; caught by ChatFormat alone.
struct TemplateError {
    std::string sentence;
};

struct Undefined {
    std::string what; // for the sentence when it is used: "'x' is undefined"
};
struct None {
    bool operator==(const None&) const = default;
};

struct String {
    Text text;
    bool markup = false; // made by `safe` or `escape`: adding plain text to it escapes that
    // Whether all characters are ASCII, so that places can be counted in bytes.
    bool ascii() const;
    mutable int8_t asciiKnown = -1;
};

// The relatives of a list; they differ in how they print and what may be asked of them.
enum class Flavor : uint8_t { List, Tuple, Range, Keys, Values, Items, Generator, Group };

struct List {
    std::vector<Value> items;
    Flavor flavor = Flavor::List;
    mutable size_t consumed = 0;      // of a generator: items already taken
    std::optional<std::string> shown; // how it prints where that is not by its items
    int depth = 0;                    // of lists and dicts in it; both are set when it becomes a value
    int64_t weight = 0;               // work to walk through all of it
};

// Arguments of a call.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
};

// A function of the language or of the template.
struct Callable {
    std::string name;
    std::function<Value(Interpreter&, Arguments&)> call;
    std::function<Value(const std::string&)> attribute; // may be empty
};

// What templates may change: namespaces. Also the loop variable, cyclers, joiners.
struct Object {
    std::string kind; // "namespace", "loop", ...
    std::vector<std::pair<std::string, Value>> attributes;
    Value* find(std::string_view name);
    void set(const std::string& name, Value value);
};

class Value {
public:
    Value() : m_state(None{}) {}
    Value(None) : Value() {}
    Value(Undefined undefined) : m_state(std::make_shared<const Undefined>(std::move(undefined))) {}
    Value(bool value) : m_state(value) {}
    Value(int64_t value) : m_state(value) {}
    Value(double value) : m_state(value) {}
    Value(String string) : m_state(std::make_shared<const String>(std::move(string))) {}
    Value(Text text) : Value(String{std::move(text)}) {}
    Value(List list); // throws TemplateError where values are nested too deeply
    Value(Dict dict);
    Value(Callable callable) : m_state(std::make_shared<const Callable>(std::move(callable))) {}
    Value(std::shared_ptr<Object> object) : m_state(std::move(object)) {}
    Value(const char*) = delete;
    static Value text(std::string_view trusted) { return Value(Text(trusted, true)); }

    bool isUndefined() const { return holds<std::shared_ptr<const Undefined>>(); }
    bool isNone() const { return holds<None>(); }
    bool isBool() const { return holds<bool>(); }
    bool isInteger() const { return holds<int64_t>(); } // not a bool
    bool isFloat() const { return holds<double>(); }
    bool isNumber() const { return isBool() || isInteger() || isFloat(); }
    bool isString() const { return string() != nullptr; }
    bool isDict() const { return dict() != nullptr; }

    const Undefined* undefined() const { return pointed<const Undefined>(); }
    const String* string() const { return pointed<const String>(); }
    const List* list() const { return pointed<const List>(); }
    const Dict* dict() const { return pointed<const Dict>(); }
    const Callable* callable() const { return pointed<const Callable>(); }
    Object* object() const { return pointed<Object>(); }
    bool boolean() const { return std::get<bool>(m_state); }
    int64_t integer() const { return std::get<int64_t>(m_state); }
    double real() const { return std::get<double>(m_state); }
    // An integer or bool as integer; nothing for all else.
    std::optional<int64_t> asInteger() const;
    // Any number as float.
    std::optional<double> asFloat() const;

    bool sameAs(const Value& other) const;

private:
    template <class T>
    bool holds() const {
        return std::holds_alternative<T>(m_state);
    }
    template <class T>
    T* pointed() const {
        const auto* pointer = std::get_if<std::shared_ptr<T>>(&m_state);
        return pointer ? pointer->get() : nullptr;
    }

    std::variant<None, bool, int64_t, double, std::shared_ptr<const Undefined>, std::shared_ptr<const String>,
                 std::shared_ptr<const List>, std::shared_ptr<const Dict>, std::shared_ptr<const Callable>,
                 std::shared_ptr<Object>>
        m_state;
};

// A dict in order of insertion.
struct Dict {
    std::vector<std::pair<Value, Value>> entries;
    std::unordered_multimap<size_t, size_t> index; // hash of the key to its place
    int depth = 0;                                 // as of lists
    int64_t weight = 0;

    const Value* find(const Value& key) const;
    const Value* find(std::string_view key) const;
    // Adds or replaces; throws TemplateError for keys that cannot be hashed.
    void set(Value key, Value value);
};

// Work to walk through all of a value: one for each value and for each 32 bytes of text.
int64_t weightOf(const Value& value);
bool truth(const Value& value);
bool equal(const Value& left, const Value& right);
// Negative, zero or positive; throws TemplateError for values without an order.
int compare(const Value& left, const Value& right);
// The type's name as Python says it, for sentences.
std::string typeName(const Value& value);
// The items of anything that can be walked; throws TemplateError otherwise. Takes what is left of a generator.
std::vector<Value> itemsOf(const Value& value);
// The number of items or characters; nothing for values without length.
std::optional<int64_t> lengthOf(const Value& value);

inline Value makeList(std::vector<Value> items, Flavor flavor = Flavor::List) {
    return Value(List{std::move(items), flavor, 0, std::nullopt, 0, 0});
}

} // namespace steelyard::jinja
