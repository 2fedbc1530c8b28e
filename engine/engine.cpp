#include "engine/engine.h"

#include "engine/engine_thread.h"
#include "engine/model/architectures.h"
#include "engine/tokenizer/incremental_decoder.h"

namespace steelyard {

class Engine::Implementation : public EngineThread {
public:
    using EngineThread::EngineThread;
};

Engine::Engine(EngineOptions options) : m_implementation(std::make_unique<Implementation>(std::move(options))) {}
Engine::~Engine() = default;

bool Engine::load(LoadRequest request) { return m_implementation->post(std::move(request)); }
bool Engine::cancelLoad(ModelId model) { return m_implementation->post(CancelLoadCommand{model}); }
bool Engine::unload(ModelId model) { return m_implementation->post(UnloadCommand{model}); }
bool Engine::submit(GenerateRequest request) { return m_implementation->post(SubmitCommand{std::move(request), Clock::now()}); }
bool Engine::cancel(RequestId id) { return m_implementation->postCancel(id); }
bool Engine::forgetChat(uint64_t chat) { return m_implementation->post(ForgetCommand{chat}); }

bool Engine::keepChats(std::filesystem::path folder, uint64_t mostBytes) {
    return m_implementation->post(KeepChatsCommand{std::move(folder), mostBytes});
}

Result<uint32_t> Engine::saveChat(ModelId model, uint64_t chat, const std::filesystem::path& path) {
    return m_implementation->carryChat({model, chat, &path, true, nullptr});
}

Result<uint32_t> Engine::restoreChat(ModelId model, uint64_t chat, const std::filesystem::path& path) {
    return m_implementation->carryChat({model, chat, &path, false, nullptr});
}

uint64_t Engine::keptChatsBytes(const std::filesystem::path& folder) { return CacheFolder(folder, 0).bytes(); }
void Engine::removeKeptChats(const std::filesystem::path& folder) { CacheFolder(folder, 0).clear(); }

std::vector<Event> Engine::takeEvents() { return m_implementation->events().takeAll(); }
std::vector<Event> Engine::waitForEvents(int timeoutMs) { return m_implementation->events().waitFor(std::chrono::milliseconds(timeoutMs)); }
std::shared_ptr<const Snapshot> Engine::snapshot() const { return m_implementation->snapshot(); }

Result<void> Engine::score(const ScoreRequest& request, const std::function<void(uint32_t, std::span<const float>)>& each,
                           const std::atomic<bool>* cancelled) {
    std::promise<Result<void>> answer;
    auto future = answer.get_future();
    if (!m_implementation->post(ScoreCommand{&request, &each, cancelled, &answer})) return Error{"The engine has too much to do; try again."};
    return future.get();
}

Result<BenchmarkResult> Engine::benchmark(const BenchmarkRequest& request) {
    std::promise<Result<BenchmarkResult>> answer;
    auto future = answer.get_future();
    if (!m_implementation->post(BenchmarkCommand{&request, &answer})) return Error{"The engine has too much to do; try again."};
    return future.get();
}

Result<PromptTokens> Engine::promptTokens(const GenerateRequest& request) {
    std::promise<Result<PromptTokens>> answer;
    auto future = answer.get_future();
    if (!m_implementation->post(PromptTokensCommand{&request, &answer})) return Error{"The engine has too much to do; try again."};
    return future.get();
}

namespace {

constexpr size_t kShownItems = 8, kShownText = 300;

std::string shownText(const std::string& text) {
    std::string shown;
    for (const char c : text.substr(0, kShownText)) shown += (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t') || c == 127 ? '?' : c;
    return text.size() > kShownText ? shown + "..." : shown;
}

std::string shownItem(const std::string& text) { return shownText(text); }
std::string shownItem(bool value) { return value ? "true" : "false"; }
template <class Number>
std::string shownItem(Number value) {
    std::string text = std::to_string(value);
    if (text.find('.') != std::string::npos) { // 1e-05 must not become 0.000010 or 0
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(value));
        text = buffer;
    }
    return text;
}

template <class Item>
std::string shownValue(const std::vector<Item>& items) {
    std::string text = "[" + std::to_string(items.size()) + (items.size() == 1 ? " value]" : " values]");
    for (size_t i = 0; i < items.size() && i < kShownItems; ++i) text += (i ? ", " : " ") + shownItem(static_cast<Item>(items[i]));
    return items.size() > kShownItems ? text + ", ..." : text;
}
template <class Value>
std::string shownValue(const Value& value) {
    return shownItem(value);
}

const char* typeName(uint32_t fileType) {
    static constexpr const char* kNames[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "bool", "string", "array", "uint64", "int64", "float64"};
    return fileType < std::size(kNames) ? kNames[fileType] : "unknown";
}

} // namespace

Result<FileSummary> Engine::inspect(const std::filesystem::path& path) {
    const auto file = GgufFile::open(path);
    if (!file) return file.error();
    const auto spec = readSpec(*file);
    FileSummary summary;
    summary.facts = factsOf(*file, spec ? &*spec : nullptr);
    summary.refusal = spec.sentence();
    for (const auto& part : file->parts()) summary.parts.push_back(part->path());
    if (summary.facts.vocabulary == 0)
        if (const auto* table = file->findTensor("token_embd.weight")) summary.facts.vocabulary = static_cast<uint32_t>(table->rows());
    for (const auto& tensor : file->tensors())
        summary.tensors.push_back({tensor.name, std::string(info(tensor.type).name), tensor.shape, tensor.bytes});
    for (const auto& key : file->keys()) {
        const std::string type = key.isArray ? std::string("array of ") + typeName(key.fileType) : typeName(key.fileType);
        summary.metadata.push_back({key.name, type, std::visit([](const auto& value) { return shownValue(value); }, key.value)});
    }
    return summary;
}

Result<MemoryPlan> Engine::plan(const LoadRequest& request) {
    const auto file = GgufFile::open(request.path, false); // the weights themselves are not needed for a plan
    if (!file) return file.error();
    const auto spec = readSpec(*file);
    if (!spec) return spec.error();
    auto devices = devicesFor(request, *spec, *file, {}, false);
    if (!devices) return devices.error();
    planDraft(devices->plan, request, *spec, *file, *devices->devices.front());
    return std::move(devices->plan);
}

Result<std::vector<int32_t>> Engine::tokenize(const std::filesystem::path& path, const std::string& text, bool special, bool addBos) {
    const auto file = GgufFile::open(path);
    if (!file) return file.error();
    const auto tokenizer = Tokenizer::fromFile(*file);
    if (!tokenizer) return tokenizer.error();
    auto ids = (*tokenizer)->tokenize(text, special);
    const auto& bos = (*tokenizer)->special().bos;
    if (addBos && bos && (ids.empty() || ids.front() != *bos)) ids.insert(ids.begin(), *bos);
    return ids;
}

Result<std::string> Engine::detokenize(const std::filesystem::path& path, const std::vector<int32_t>& ids) {
    const auto file = GgufFile::open(path);
    if (!file) return file.error();
    const auto tokenizer = Tokenizer::fromFile(*file);
    if (!tokenizer) return tokenizer.error();
    for (const int32_t id : ids)
        if (id < 0 || static_cast<size_t>(id) >= (*tokenizer)->vocabularySize())
            return Error{"The token id " + std::to_string(id) + " is outside the vocabulary of " + std::to_string((*tokenizer)->vocabularySize()) + "."};
    return (*tokenizer)->detokenize(ids, true);
}

} // namespace steelyard
