// The tree of a template program. Chains (a + b + c, x.y.z, a | f | g, elif ...) are lists, so that the depth of the
// tree is the depth of the brackets and blocks that the template's author wrote. Knows nothing of values' behaviour.
#pragma once

#include "engine/template/value.h"

#include <memory>

namespace steelyard::jinja {

struct Expression;
struct Statement;
using ExpressionPtr = std::unique_ptr<Expression>;
using Block = std::vector<std::unique_ptr<Statement>>;

enum class Operator : uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn
};

struct CallArguments {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    ExpressionPtr spread, namedSpread; // *x and **x
};

// One step behind a value: .name, [index], [from:to:step], (arguments), | filter, is test.
struct Postfix {
    enum class Kind : uint8_t { Attribute, Item, Slice, Call, Filter, Test, NotTest } kind;
    int line = 0;
    std::string name; // of the attribute, filter, test
    ExpressionPtr index, from, to, step;
    CallArguments arguments;
};

struct Expression {
    enum class Kind : uint8_t {
        Constant,
        Name,
        List,
        Tuple,
        Dict,
        Postfix, // operands[0], then the steps
        Negate,
        Plus,
        Not,
        Arithmetic,  // operands[0], then operators[i] operands[i + 1], from left to right
        Concatenate, // operands joined as text
        Compare,     // as in Python: a < b < c
        And,
        Or,
        Condition, // operands: value, test, other value (or null)
    } kind;
    int line = 0;
    Value constant;
    std::string name;
    std::vector<ExpressionPtr> operands; // of dicts: key, value, key, value ...
    std::vector<Operator> operators;
    std::vector<Postfix> steps;
};

// What an assignment writes to: a name, a namespace's attribute, or several of these.
struct Target {
    std::string name, attribute;
    std::vector<Target> parts; // not empty for a tuple
};

struct Parameter {
    std::string name;
    ExpressionPtr standard; // null: none
};

struct MacroSyntax {
    std::string name;
    std::vector<Parameter> parameters;
    Block body;
    bool usesCaller = false, usesVarargs = false, usesKwargs = false;
};

struct Statement {
    enum class Kind : uint8_t {
        Text,
        Print,
        If,
        For,
        Set,
        SetBlock,
        Macro,
        Call,
        Filter,
        With,
        Scope,
        Break,
        Continue,
        Refuse
    } kind;
    int line = 0;
    std::string text;                                          // Text; Refuse: the sentence
    ExpressionPtr expression;                                  // Print, For (what is walked), Set, Call (the call)
    ExpressionPtr condition;                                   // For
    Target target;                                             // For, Set, SetBlock
    bool recursive = false;                                    // For
    std::vector<std::pair<ExpressionPtr, Block>> branches;     // If: condition and body
    Block body, otherwise;                                     // For and If: else
    std::vector<std::pair<Target, ExpressionPtr>> assignments; // With
    std::shared_ptr<MacroSyntax> macro;                        // Macro, Call
    std::vector<Postfix> filterSteps;                          // Filter, SetBlock
};

} // namespace steelyard::jinja
