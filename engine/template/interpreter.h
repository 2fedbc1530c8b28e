// Runs a template program within budgets: steps (which count bytes and items moved too), depth, output, size of any one
// string. A program has no way to anything but its variables. One object per rendering.
#pragma once

#include "engine/template/builtins.h"
#include "engine/template/syntax.h"

namespace steelyard::jinja {

struct Budget {
    int64_t steps = 0; // the caller's
    size_t textBytes = size_t(16) << 20; // of the output and of any string
    int callDepth = 128;                 // macros and recursive loops within each other
    int depth = 1000;                    // of everything within each other
    int64_t rangeItems = 100'000;
};

// Names and values of one block; what is not found here is looked for in the parent.
struct Scope {
    std::shared_ptr<Scope> parent;
    std::vector<std::pair<std::string, Value>> names;

    const Value* findHere(std::string_view name) const;
    void set(const std::string& name, Value value);
};
using ScopePtr = std::shared_ptr<Scope>;

class Interpreter {
public:
    Interpreter(Dict variables, int64_t nowSeconds, int64_t steps);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    // The program's output. Throws TemplateError.
    Text run(const Block& program);

    // --- For filters, tests, functions and methods.
    // Counts work; throws when the budget is used up.
    void charge(int64_t steps);
    // The string as a value, counted and checked for its size.
    Value string(Text text, bool markup = false);
    // Throws when a text under construction has grown too large.
    void checkSize(size_t bytes) const;
    // As Python's str() and repr().
    Text textOf(const Value& value);
    Text reprOf(const Value& value);
    void appendRepr(Text& text, const Value& value);

    Value attribute(const Value& value, const std::string& name);
    Value item(const Value& value, const Value& key);
    Value slice(const Value& value, const Value* from, const Value* to, const Value* step);
    // By a path as filters take it: "a.b" or an index.
    Value path(const Value& value, const Value& path);
    Value call(const Value& callable, Arguments& arguments);
    Value filter(const std::string& name, const Value& input, Arguments& arguments);
    bool test(const std::string& name, const Value& input, Arguments& arguments);
    Value arithmetic(Operator op, const Value& left, const Value& right);
    bool compared(Operator op, const Value& left, const Value& right);
    bool contains(const Value& container, const Value& item);

    // An object that lives until the end of the run.
    std::shared_ptr<Object> makeObject(std::string kind);
    int64_t nowSeconds() const { return m_nowSeconds; }
    const Budget& budget() const { return m_budget; }

private:
    enum class Flow { Normal, Break, Continue };
    struct Loop;
    class Deeper;

    Flow execute(const Block& block);
    Flow execute(const Statement& statement);
    Flow executeIf(const Statement& statement);
    void executeFor(const Statement& statement);
    // One loop over given items; `depth` counts recursion.
    void runLoop(const Statement& statement, std::vector<Value> items, int depth);
    Value loopVariable(const Statement& statement, const std::shared_ptr<Loop>& loop);
    Value loopAttribute(const std::shared_ptr<Loop>& loop, const std::string& name);
    void executeSet(const Statement& statement);
    void executeCall(const Statement& statement);
    void executeWith(const Statement& statement);
    Value defineMacro(const std::shared_ptr<MacroSyntax>& syntax);
    Value callMacro(const MacroSyntax& syntax, const ScopePtr& defined, Arguments& arguments);
    void bindParameters(const MacroSyntax& syntax, Arguments& arguments);
    Text captured(const Block& block); // its output as text, in a scope of its own
    Value filtered(Value value, const std::vector<Postfix>& steps);
    void assign(const Target& target, Value value);
    void write(const Text& text);

    Value evaluate(const Expression& expression);
    Value evaluateName(const Expression& expression);
    Value evaluateList(const Expression& expression);
    Value evaluateDict(const Expression& expression);
    Value evaluatePostfix(const Expression& expression);
    Value evaluateStep(const Value& value, const Postfix& step);
    Value evaluateArithmetic(const Expression& expression);
    Value evaluateConcatenation(const Expression& expression);
    Value evaluateCompare(const Expression& expression);
    Value evaluateLogic(const Expression& expression);
    Value evaluateCondition(const Expression& expression);
    Value evaluateSign(const Expression& expression);
    Arguments evaluateArguments(const CallArguments& arguments);

    Value addValues(const Value& left, const Value& right);
    Value multiplyValues(const Value& left, const Value& right);
    Value repeated(const Value& value, int64_t times);

    Budget m_budget;
    int64_t m_steps = 0;
    int m_depth = 0, m_callDepth = 0, m_line = 0;
    int64_t m_nowSeconds;
    ScopePtr m_scope;
    Text* m_output = nullptr;
    std::vector<std::shared_ptr<Object>> m_objects;
    std::vector<ScopePtr> m_capturedScopes; // by macros; emptied at the end, since they hold each other
};

// Python's '%' and str.format.
Text formatPercent(Interpreter& interpreter, const Text& format, const Value& arguments);
Text formatBraces(Interpreter& interpreter, const Text& format, const Arguments& arguments);

// Python's repr of a float: the shortest text that reads back equal.
std::string floatText(double value);

// JSON as Python's json.dumps writes it.
struct JsonStyle {
    bool asciiOnly = false, sortKeys = false;
    std::optional<std::string> indent;
    std::optional<std::string> itemSeparator, keySeparator;
};
Text jsonText(Interpreter& interpreter, const Value& value, const JsonStyle& style);

// The text with &, <, >, ' and " as HTML writes them.
Text escapedText(const Text& text);

} // namespace steelyard::jinja
