// A value, or one sentence that a person can read.
//
// Every operation that can fail for an expected reason (a bad file, no memory, a lost device) returns Result. The
// sentence says what happened and, where it helps, what to do; it needs no prefix and no code. A broken promise inside
// the program is an assert, not a Result. Knows nothing of files, devices or models.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace steelyard {

struct Error {
    std::string sentence;
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    // The value; only when ok().
    T& value() & {
        assert(ok());
        return std::get<0>(m_state);
    }
    const T& value() const& {
        assert(ok());
        return std::get<0>(m_state);
    }
    // Of a temporary by value, so that `for (x : *function())` looks at something that lives.
    T value() && {
        assert(ok());
        return std::get<0>(std::move(m_state));
    }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T operator*() && { return std::move(*this).value(); }

    // The error; only when not ok().
    const Error& error() const {
        assert(!ok());
        return std::get<1>(m_state);
    }
    // The sentence, or an empty string when ok().
    std::string sentence() const { return ok() ? std::string() : error().sentence; }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const {
        assert(!ok());
        return *m_error;
    }
    std::string sentence() const { return ok() ? std::string() : m_error->sentence; }

private:
    std::optional<Error> m_error;
};

} // namespace steelyard
