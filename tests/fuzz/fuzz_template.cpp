// A chat template is a stranger's program: it renders within its budgets or ends with a sentence. What stands behind the
// first zero byte of the input is what the person wrote.

#include "engine/template/chat_format.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <string>

using namespace steelyard;

namespace {

constexpr int64_t kSteps = 100'000; // a program that runs on does nothing new

void require(bool condition) {
    if (!condition) std::abort();
}

nlohmann::ordered_json variablesWith(const std::string& text) {
    using Json = nlohmann::ordered_json;
    const Json arguments = {{"city", text}, {"days", 3}};
    Json messages = Json::array();
    messages.push_back({{"role", "system"}, {"content", "Be brief."}});
    messages.push_back({{"role", "user"}, {"content", text}});
    messages.push_back({{"role", "assistant"},
                        {"content", nullptr},
                        {"tool_calls", Json::array({{{"function", {{"name", "weather"}, {"arguments", arguments}}}}})}});
    messages.push_back({{"role", "tool"}, {"content", "sunny"}});
    return {{"messages", messages},   {"add_generation_prompt", true}, {"bos_token", "<s>"},      {"eos_token", "</s>"},
            {"x", text},              {"n", 7},                        {"f", 0.5},                {"b", true},
            {"none_value", nullptr},  {"l", {1, "two", 3.5, nullptr}}, {"d", {{"a", 1}, {"b", {2, 3}}}}};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const size_t zero = input.find('\0');
    const Result<ChatFormat> format = ChatFormat::compile(input.substr(0, zero));
    if (!format) {
        require(!format.sentence().empty());
        return 0;
    }
    const std::string text(zero == std::string_view::npos ? std::string_view("hello") : input.substr(zero + 1));
    const auto pieces = format->render(variablesWith(text), 1700000000, kSteps);
    if (!pieces) require(!pieces.sentence().empty());
    return 0;
}
