// A string of a template program: its bytes, and for each stretch of them whether the template wrote it (trusted) or it
// came from the variables. Every string operation of the interpreter is made of these few, so that the marks follow the
// characters. Knows nothing of the language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::jinja {

class Text {
public:
    Text() = default;
    Text(std::string_view bytes, bool trusted) { append(bytes, trusted); }

    const std::string& bytes() const { return m_bytes; }
    size_t size() const { return m_bytes.size(); }
    bool empty() const { return m_bytes.empty(); }

    void append(std::string_view bytes, bool trusted);
    void append(const Text& other) { append(other, 0, other.size()); }
    // Appends bytes [from, to) of another text.
    void append(const Text& other, size_t from, size_t to);
    // Appends bytes marked as the byte at `at` of another text (as trusted when that is empty).
    void appendLike(std::string_view bytes, const Text& other, size_t at);

    Text slice(size_t from, size_t to) const;

    struct Run {
        size_t end; // of the run, in bytes; it begins where the one before ends
        bool trusted;
    };
    const std::vector<Run>& runs() const { return m_runs; }

private:
    size_t runAt(size_t byte) const;

    std::string m_bytes;
    std::vector<Run> m_runs; // neighbours differ; none is empty
};

} // namespace steelyard::jinja
