// How deep a program runs: for the interpreter's own sources.
#pragma once

#include "engine/template/interpreter.h"

namespace steelyard::jinja {

// Counts depth while it lives.
class Interpreter::Deeper {
public:
    explicit Deeper(Interpreter& interpreter) : m_interpreter(interpreter) {
        if (m_interpreter.m_depth >= m_interpreter.m_budget.depth)
            throw TemplateError{
                "The template is too deep: blocks, calls and brackets run within each other too often."};
        ++m_interpreter.m_depth;
    }
    ~Deeper() { --m_interpreter.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

private:
    Interpreter& m_interpreter;
};

} // namespace steelyard::jinja
