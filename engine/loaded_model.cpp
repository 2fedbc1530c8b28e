#include "engine/loaded_model.h"

#include "engine/backend/cpu/cpu_info.h"
#include "engine/core/bytes_text.h"
#include "engine/core/checked_math.h"
#include "engine/memory/system_memory.h"
#include "engine/model/architectures.h"
#include "engine/tokenizer/incremental_decoder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <future>

namespace steelyard {

namespace {

constexpr uint32_t kWindowSequences = 4; // chats whose sliding windows may be kept at once

// Compiles the file's chat template; a problem is noted in the facts, and the model then continues text.
void compileTemplate(LoadedModel& model) {
    const auto source = model.file.stringValue("tokenizer.chat_template");
    if (!source || !*source || (*source)->empty()) return;
    auto format = ChatFormat::compile(**source);
    if (format) {
        model.format.emplace(std::move(*format));
        return;
    }
    model.facts.hasChatTemplate = false;
    model.facts.templateProblem = "The model's chat template cannot be used (" + format.sentence() +
                                  "), so the model continues text instead of answering.";
}

std::string willNotFit(const MemoryPlan& plan) {
    std::string sentence = "The model needs " + bytesText(plan.totalBytes) + " and " + plan.deviceId + " has " +
                           bytesText(plan.freeBytes.value_or(0)) + " free: " + bytesText(plan.missingBytes) + " short. ";
    if (plan.contextLimit > 0) return sentence + "A context of " + std::to_string(plan.contextLimit) + " tokens would fit.";
    return sentence + "Choose a smaller quantization or close other programs.";
}

// The device of a request, if it can run this file; with "auto" the fastest one that can.
Result<std::unique_ptr<Device>> deviceFor(const LoadRequest& request, const ModelSpec& spec, const GgufFile& file,
                                          const LogSink& log, std::vector<std::string>& notices) {
    const DeviceOptions options{request.threads, log};
    if (request.device == "auto")
        return openFastest(options, [&](Device& device) { return weightSize(spec, file, device).sentence(); }, notices);
    auto device = openDevice(request.device, options);
    if (!device) return device;
    if (const auto size = weightSize(spec, file, **device); !size) return size.error();
    return device;
}

} // namespace

PlanOptions planOptionsOf(const LoadRequest& request) {
    PlanOptions options;
    options.contextLength = request.contextLength;
    options.defaultContext = kDefaultContext;
    options.cacheTypes = {request.kvTypeK, request.kvTypeV};
    options.maxRows = request.maxRows;
    options.sequences = kWindowSequences;
    return options;
}

std::optional<uint64_t> freeBytesOf(const Device& device) {
    if (device.info().sharesSystemMemory || device.info().kind == DeviceKind::Cpu) return systemMemory().availableBytes;
    return device.memory().freeBytes;
}

namespace {

// All of a load but the file and the tokenizer.
Result<void> loadOnDevice(LoadedModel& model, const ModelSpec& spec, const LoadRequest& request, const LogSink& log,
                          const std::function<void(float)>& progress, const std::atomic<bool>& stop) {
    std::vector<std::string> notices;
    auto device = deviceFor(request, spec, model.file, log, notices);
    if (!device) return device.error();
    model.device = std::move(*device);
    const PlanOptions options = planOptionsOf(request);
    const auto plan = planMemory(spec, model.file, *model.device, options, freeBytesOf(*model.device));
    if (!plan) return plan.error();
    if (plan->fit == MemoryPlan::Fit::WillNotFit) return Error{willNotFit(*plan)};
    auto layout = layOutLoad(spec, options);
    if (!layout) return layout.error();
    model.facts = factsOf(model.file, &spec);
    model.facts.kvBytesPerToken = layout->cache.growingBytesPerToken();
    compileTemplate(model);

    auto weights = loadWeights(spec, model.file, *model.device, progress, stop);
    if (!weights) return weights.error();
    auto transformer = Transformer::create(*model.device, spec, std::move(*weights), std::move(layout->cache), layout->shape);
    if (!transformer) return transformer.error();
    model.transformer = std::move(*transformer);
    model.prefixes = std::make_unique<PrefixCache>(*model.device, model.transformer->cache());
    model.facts.contextLength = layout->contextLength;
    model.facts.deviceId = model.device->info().id;
    model.facts.deviceName = model.device->info().name;
    model.facts.notices = std::move(layout->notices);
    model.facts.notices.insert(model.facts.notices.end(), notices.begin(), notices.end());
    const auto ofFile = model.file.notices();
    model.facts.notices.insert(model.facts.notices.end(), ofFile.begin(), ofFile.end());
    model.threads = request.threads ? request.threads : cpu::physicalCores();
    return {};
}

} // namespace

Result<std::unique_ptr<LoadedModel>> loadModel(const LoadRequest& request, const LogSink& log,
                                               const std::function<void(float)>& progress, const std::atomic<bool>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    auto file = GgufFile::open(request.path);
    if (!file) return file.error();
    auto spec = readSpec(*file);
    if (!spec) return spec.error();
    if (cancelled) return Error{"The load was cancelled."};
    auto model = std::make_unique<LoadedModel>(std::move(*file));
    model->id = request.model;

    // A large vocabulary takes as long as the weights of a small model, so that both are made at once. A vocabulary that
    // cannot be used ends the load of the weights as a cancel does.
    std::atomic<bool> stop = false;
    auto making = std::async(std::launch::async, [&] {
        auto tokenizer = Tokenizer::fromFile(model->file);
        if (!tokenizer) stop = true;
        return tokenizer;
    });
    const auto watchedProgress = [&](float fraction) {
        if (cancelled) stop = true;
        if (progress) progress(fraction);
    };
    const auto loaded = loadOnDevice(*model, *spec, request, log, watchedProgress, stop);
    auto tokenizer = making.get();
    if (!tokenizer) return tokenizer.error();
    if (!loaded) return loaded.error();
    model->tokenizer = std::move(*tokenizer);
    if (!request.draft.empty()) loadDraft(*model, request, log, cancelled);
    model->loadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return model;
}

namespace {

// Seconds since 1970 as the local clock shows them, for strftime_now.
int64_t localSeconds() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
#if defined(_WIN32)
    gmtime_s(&utc, &now);
#else
    gmtime_r(&now, &utc);
#endif
    utc.tm_isdst = -1;
    return static_cast<int64_t>(now) + static_cast<int64_t>(now - std::mktime(&utc));
}

std::string tokenText(const Tokenizer& tokenizer, const std::optional<TokenId>& id) {
    return id ? tokenizer.bytes(*id, true) : std::string();
}

// What a base model continues: the texts of the messages, one after the other.
std::vector<TextPiece> plainPieces(const std::vector<ChatMessage>& messages) {
    std::vector<TextPiece> pieces;
    for (const auto& message : messages) {
        if (message.content.empty()) continue;
        if (!pieces.empty()) pieces.push_back({"\n", false});
        pieces.push_back({message.content, false});
    }
    return pieces;
}

Result<std::vector<TextPiece>> renderedPieces(const LoadedModel& model, const std::vector<ChatMessage>& messages) {
    if (!model.format) return plainPieces(messages);
    nlohmann::ordered_json variables;
    auto& list = variables["messages"] = nlohmann::ordered_json::array();
    for (const auto& message : messages) {
        nlohmann::ordered_json entry{{"role", message.role}, {"content", message.content}};
        if (!message.reasoning.empty()) entry["reasoning_content"] = message.reasoning;
        list.push_back(std::move(entry));
    }
    variables["add_generation_prompt"] = true;
    variables["bos_token"] = tokenText(*model.tokenizer, model.tokenizer->special().bos);
    variables["eos_token"] = tokenText(*model.tokenizer, model.tokenizer->special().eos);
    const auto rendered = model.format->render(variables, localSeconds());
    if (!rendered) return Error{"The model's chat template refuses this chat: " + rendered.sentence()};
    std::vector<TextPiece> pieces;
    for (const auto& piece : *rendered) pieces.push_back({piece.text, piece.trusted});
    return pieces;
}

// An unfinished reply as the model wrote it, after the pieces of its prompt.
std::vector<TextPiece> replyPieces(const std::vector<TextPiece>& prompt, const ChatMessage& reply) {
    std::vector<TextPiece> pieces;
    if (!reply.reasoning.empty()) {
        std::string end = prompt.empty() ? std::string() : prompt.back().text;
        end.erase(end.find_last_not_of(" \n") + 1);
        const std::string open = "<think>";
        const bool opened = end.size() >= open.size() && end.compare(end.size() - open.size(), open.size(), open) == 0;
        if (!opened) pieces.push_back({open + "\n", true});
        pieces.push_back({reply.reasoning, false});
        if (!reply.content.empty()) pieces.push_back({"\n</think>\n\n", true});
    }
    if (!reply.content.empty()) pieces.push_back({reply.content, false});
    return pieces;
}

void prependBos(const LoadedModel& model, std::vector<int32_t>& ids) {
    const auto& special = model.tokenizer->special();
    if (special.addBos && special.bos && (ids.empty() || ids.front() != *special.bos)) ids.insert(ids.begin(), *special.bos);
}

std::string withoutSpace(std::string text) {
    text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; }), text.end());
    return text;
}

// The ids with which the chat's cache goes on after `prompt`, if they spell this reply; blanks at its edges may differ.
std::vector<int32_t> keptReply(const LoadedModel& model, uint64_t chat, const std::vector<int32_t>& prompt, const std::vector<TextPiece>& reply) {
    const auto* turn = model.prefixes->turnOf(chat);
    if (!turn || commonPrefix(*turn, prompt) != prompt.size()) return {};
    const std::vector<int32_t> ids(turn->begin() + static_cast<std::ptrdiff_t>(prompt.size()), turn->end());
    IncrementalDecoder decoder(model.tokenizer, false);
    std::string spelled, wanted;
    for (const int32_t id : ids) spelled += decoder.push(id);
    for (const auto& piece : reply) wanted += piece.text;
    return withoutSpace(spelled) == withoutSpace(wanted) ? ids : std::vector<int32_t>();
}

Result<PromptIds> chatIds(const LoadedModel& model, const Prompt& prompt, uint64_t chat) {
    const bool goesOn = prompt.continuesReply && model.format && !prompt.messages.empty();
    std::vector<ChatMessage> messages = prompt.messages;
    if (goesOn) messages.pop_back();
    auto pieces = renderedPieces(model, messages);
    if (!pieces) return pieces.error();
    PromptIds result{model.tokenizer->tokenize(*pieces), 0};
    prependBos(model, result.ids);
    if (!goesOn) return result;
    const size_t promptSize = result.ids.size();
    const std::vector<TextPiece> reply = replyPieces(*pieces, prompt.messages.back());
    const std::vector<int32_t> kept = keptReply(model, chat, result.ids, reply);
    if (!kept.empty()) {
        result.ids.insert(result.ids.end(), kept.begin(), kept.end());
    } else {
        pieces->insert(pieces->end(), reply.begin(), reply.end());
        result.ids = model.tokenizer->tokenize(*pieces);
        prependBos(model, result.ids);
    }
    result.replyTokens = static_cast<uint32_t>(result.ids.size() - std::min(promptSize, result.ids.size()));
    return result;
}

} // namespace

Result<PromptIds> promptIds(const LoadedModel& model, const GenerateRequest& request) {
    const Prompt& prompt = request.prompt;
    PromptIds result;
    switch (prompt.kind) {
    case Prompt::Kind::Ids: result.ids = prompt.ids; break;
    case Prompt::Kind::Text:
        result.ids = model.tokenizer->tokenize(std::vector<TextPiece>{{prompt.text, prompt.special}});
        prependBos(model, result.ids);
        break;
    case Prompt::Kind::Messages: {
        auto chat = chatIds(model, prompt, request.chat);
        if (!chat) return chat.error();
        result = std::move(*chat);
        break;
    }
    }
    if (result.ids.empty()) return Error{"The prompt is empty; there is nothing to continue."};
    const auto vocabulary = static_cast<int32_t>(model.transformer->spec().vocabulary);
    for (const int32_t id : result.ids)
        if (id < 0 || id >= vocabulary)
            return Error{"The token id " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary) + "."};
    return result;
}

} // namespace steelyard
