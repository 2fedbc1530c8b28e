#include "engine/cli/files.h"
#include "engine/cli/sampling_options.h"
#include "engine/cli/session.h"
#include "engine/cli/terminal.h"

#include <iostream>

namespace steelyard::cli {

namespace {

constexpr uint64_t kChat = 1; // whose cache is kept between turns

struct Options {
    ModelOptions model;
    std::string system;
    GenerationOptions generation;
};

class Conversation {
public:
    Conversation(Session& session, const Options& options) : m_session(session), m_options(options) {
        if (!options.system.empty()) m_messages.push_back({"system", options.system, {}});
    }

    // Asks and streams the answer to stdout unless `quiet`; both become part of the conversation.
    Result<GatheredReply> ask(const std::string& question, bool quiet, const std::atomic<bool>* stop) {
        m_messages.push_back({"user", question, {}});
        GenerateRequest request;
        request.prompt.kind = Prompt::Kind::Messages;
        request.prompt.messages = m_messages;
        request.sampling = samplingFor(m_options.generation, m_session.facts().sampling);
        request.maxTokens = m_options.generation.maxTokens;
        request.stop = m_options.generation.stop;
        request.overflow = m_options.generation.overflow;
        request.chat = kChat;
        if (auto read = readForm(m_options.generation, request); !read) return read.error();
        auto reply = m_session.generate(
            std::move(request),
            [&](const std::string& piece) {
                if (!quiet) std::cout << piece << std::flush;
            },
            stop);
        if (reply)
            m_messages.push_back({"assistant", reply->text, {}});
        else
            m_messages.pop_back(); // the question can be asked again
        return reply;
    }

private:
    Session& m_session;
    const Options& m_options;
    std::vector<ChatMessage> m_messages;
};

std::string withoutEnd(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return text;
}

// The whole input is one question.
Result<Output> answerOnce(Conversation& conversation, bool json) {
    const auto input = readFile("-");
    if (!input) return input.error();
    const std::string question = withoutEnd(*input);
    if (question.empty()) return Error{"There is no question: the input is empty."};
    const auto reply = conversation.ask(question, json, nullptr);
    if (!reply) return reply.error();
    if (!reply->finished.sentence.empty()) std::cerr << reply->finished.sentence << "\n";
    Output output;
    output.json = {{"text", reply->text}, {"stop_reason", stopReasonName(reply->finished.reason)}};
    output.text = "\n";
    return output;
}

Result<Output> talk(Conversation& conversation, const Session& session) {
    std::cerr << session.facts().name << " on " << session.facts().deviceName
              << ". Ctrl+C stops a reply, Ctrl+D ends.\n";
    if (!session.facts().hasChatTemplate)
        std::cerr << "This is a base model: it continues text instead of answering.\n";
    InterruptFlag interrupt;
    std::string line;
    while (std::cout << "> " << std::flush && std::getline(std::cin, line)) {
        if (withoutEnd(line).empty()) continue;
        interrupt.clear();
        const auto reply = conversation.ask(withoutEnd(line), false, &interrupt.flag());
        std::cout << "\n";
        if (!reply)
            std::cerr << reply.error().sentence << "\n";
        else if (!reply->finished.sentence.empty())
            std::cerr << reply->finished.sentence << "\n";
        interrupt.clear();
    }
    std::cout << "\n";
    return Output{};
}

Result<Output> chat(const Options& options, const CommonOptions& common) {
    const bool person = stdinIsTerminal();
    if (person && common.json) throw UsageError{"'chat' with --json needs the question on stdin."};
    Session session;
    if (auto loaded = session.load(loadRequestOf(options.model, common)); !loaded) return loaded.error();
    Conversation conversation(session, options);
    return person ? talk(conversation, session) : answerOnce(conversation, common.json);
}

} // namespace

Work declareChat(CLI::App& app, const CommonOptions& common) {
    auto options = std::make_shared<Options>();
    addModelOptions(app, options->model);
    app.add_option("--system", options->system, "System prompt");
    addGenerationOptions(app, options->generation);
    return [options, &common] { return chat(*options, common); };
}

} // namespace steelyard::cli
