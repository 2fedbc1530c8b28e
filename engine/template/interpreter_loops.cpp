// The interpreter's part for loops: filtering, the variable "loop", recursion.
#include "engine/template/interpreter_depth.h"

#include <utility>

namespace steelyard::jinja {

struct Interpreter::Loop {
    std::vector<Value> items;
    size_t index = 0;
    int depth = 0;
    std::optional<Value> changed; // what `changed` saw last
};

void Interpreter::executeFor(const Statement& statement) {
    const Value walked = evaluate(*statement.expression);
    charge(weightOf(walked) / 8);
    runLoop(statement, itemsOf(walked), 0);
}

void Interpreter::runLoop(const Statement& statement, std::vector<Value> items, int depth) {
    const ScopePtr outer = m_scope;
    const auto enter = [&] {
        m_scope = std::make_shared<Scope>();
        m_scope->parent = outer;
    };
    if (statement.condition) {
        std::vector<Value> kept;
        for (auto& item : items) {
            charge(1);
            enter();
            assign(statement.target, item);
            if (truth(evaluate(*statement.condition))) kept.push_back(std::move(item));
        }
        m_scope = outer;
        items = std::move(kept);
    }
    auto loop = std::make_shared<Loop>();
    loop->items = std::move(items);
    loop->depth = depth;
    const Value variable = loopVariable(statement, loop);
    for (; loop->index < loop->items.size(); ++loop->index) {
        charge(1);
        enter();
        m_scope->set("loop", variable);
        assign(statement.target, loop->items[loop->index]);
        if (execute(statement.body) == Flow::Break) break;
    }
    m_scope = outer;
    if (loop->items.empty()) execute(statement.otherwise);
}

Value Interpreter::loopVariable(const Statement& statement, const std::shared_ptr<Loop>& loop) {
    Callable variable;
    variable.name = "loop";
    variable.attribute = [this, loop](const std::string& name) { return loopAttribute(loop, name); };
    const ScopePtr scope = m_scope;
    variable.call = [&statement, scope, depth = loop->depth](Interpreter& self, Arguments& arguments) {
        if (!statement.recursive) throw TemplateError{"The loop is not marked as recursive, so it cannot be called."};
        const ArgumentReader reader("loop", arguments, {"iterable"});
        const Deeper deeper(self);
        if (++self.m_callDepth > self.m_budget.callDepth)
            throw TemplateError{"The template is too deep: the loop calls itself too often."};
        Text text;
        Text* output = std::exchange(self.m_output, &text);
        const ScopePtr before = std::exchange(self.m_scope, scope);
        self.runLoop(statement, itemsOf(reader.required(0)), depth + 1);
        self.m_scope = before;
        self.m_output = output;
        --self.m_callDepth;
        return self.string(std::move(text));
    };
    return Value(std::move(variable));
}

Value Interpreter::loopAttribute(const std::shared_ptr<Loop>& loop, const std::string& name) {
    const auto count = static_cast<int64_t>(loop->items.size()), index = static_cast<int64_t>(loop->index);
    if (name == "index") return Value(index + 1);
    if (name == "index0") return Value(index);
    if (name == "revindex") return Value(count - index);
    if (name == "revindex0") return Value(count - index - 1);
    if (name == "first") return Value(index == 0);
    if (name == "last") return Value(index + 1 == count);
    if (name == "length") return Value(count);
    if (name == "depth") return Value(int64_t(loop->depth + 1));
    if (name == "depth0") return Value(int64_t(loop->depth));
    if (name == "previtem")
        return index == 0 ? Value(Undefined{"There is no previous item"}) : loop->items[loop->index - 1];
    if (name == "nextitem")
        return index + 1 >= count ? Value(Undefined{"There is no next item"}) : loop->items[loop->index + 1];
    if (name == "cycle")
        return Value(Callable{"cycle",
                              [loop](Interpreter&, Arguments& arguments) {
                                  if (arguments.positional.empty())
                                      throw TemplateError{"'cycle' needs something to cycle through."};
                                  return arguments.positional[loop->index % arguments.positional.size()];
                              },
                              nullptr});
    if (name == "changed")
        return Value(Callable{"changed",
                              [loop](Interpreter&, Arguments& arguments) {
                                  Value seen = makeList(arguments.positional, Flavor::Tuple);
                                  const bool changed = !loop->changed || !equal(*loop->changed, seen);
                                  loop->changed = std::move(seen);
                                  return Value(changed);
                              },
                              nullptr});
    return Value(Undefined{"The loop has no attribute '" + name + "'"});
}

} // namespace steelyard::jinja
