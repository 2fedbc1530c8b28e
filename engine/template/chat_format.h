// A model's chat template: messages to the prompt text, by the model's own Jinja program.
//
// Rendering marks which parts the template wrote (trusted: control tokens count) and which came from messages (never
// control tokens). Budgets on steps, depth, output and ranges end a hostile template with a sentence. Executes nothing:
// no attribute of a host object can be reached. Knows nothing of tokenizers.
#pragma once

#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard {

// A run of rendered text and whether the template (or the program) wrote it.
struct RenderedPiece {
    std::string text;
    bool trusted = false;
};

// The work that one rendering may take; it counts bytes and items moved too.
constexpr int64_t kTemplateSteps = 50'000'000;

class ChatFormat {
public:
    // Compiles a template; an error has line and column.
    static Result<ChatFormat> compile(std::string_view source);

    ChatFormat(ChatFormat&&) noexcept;
    ChatFormat& operator=(ChatFormat&&) noexcept;
    ~ChatFormat();

    // Renders with any variables (an object). `nowSeconds` is the time for strftime_now, seconds since 1970 in local
    // time. Text that comes from variables is untrusted, except bos_token and eos_token. Thread-safe.
    Result<std::vector<RenderedPiece>> render(const nlohmann::ordered_json& variables, int64_t nowSeconds, int64_t steps = kTemplateSteps) const;

private:
    ChatFormat();
    struct Program;
    std::unique_ptr<Program> m_program;
};

// All pieces as one string.
std::string joined(const std::vector<RenderedPiece>& pieces);

} // namespace steelyard
