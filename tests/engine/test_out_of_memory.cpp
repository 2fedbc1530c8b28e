// Memory that runs out while a model works ends one request with a sentence; the others go on and the next one is answered as if
// nothing was. Every kind of call that can find no memory, at every stage, is made to.
#include "engine/decode/batch.h"
#include "tests/engine/failing_device.h"
#include "tests/engine/placed_model.h"

#include <QtTest>

#include <map>

using namespace steelyard;

namespace {

using Open = FailingDevice (*)(uint64_t call);

struct Model {
    FailingDevice device;
    std::unique_ptr<Transformer> transformer;
};

Model loaded(const TinyFile& tiny, Open open, uint64_t failingCall) {
    Model model;
    model.device = open(failingCall);
    if (!model.device.device) throw std::runtime_error(model.device.problem);
    model.transformer = loadPlaced(tiny, {model.device.device.get()}, {});
    return model;
}

// Some calls of a range: a few dozen, spread, and the first ones one by one.
std::vector<uint64_t> someOf(uint64_t first, uint64_t end, uint64_t spread, uint64_t dense) {
    std::vector<uint64_t> calls;
    for (uint64_t call = first; call < std::min(end, first + dense); ++call) calls.push_back(call);
    for (uint64_t call = first + dense; call < end; call += 1 + (end - first) / spread) calls.push_back(call);
    return calls;
}

// Replies of a loaded model, run as the engine runs them.
class Service {
public:
    explicit Service(Model& model, const TinyFile& tiny)
        : m_model(model), m_tokenizer(std::move(*Tokenizer::fromFile(tiny.file))), m_prefixes(model.transformer->cache()), m_disk({}),
          m_warm(model.transformer->cache(), m_prefixes, m_disk, {}) {
        m_batch.setPlaces(model.transformer->shape().maxSequences);
    }
    ~Service() { m_batch.cancelAll(); }

    void ask(RequestId id, uint64_t chat, std::vector<int32_t> ids) {
        GenerateRequest request;
        request.id = id;
        request.chat = chat;
        request.maxTokens = 6;
        request.sampling.temperature = 0;
        ReplyResources resources{*m_model.transformer, m_tokenizer, m_prefixes, m_warm, [this](Event event) { take(event); }, std::nullopt, std::nullopt, {}, {}};
        ReplyPrompt prompt;
        prompt.ids = std::move(ids);
        m_batch.add(std::make_unique<Reply>(std::move(resources), request, std::move(prompt), ReplyTimes{Clock::now(), Clock::now(), 0}));
    }
    void run() {
        while (!m_batch.empty()) m_batch.advance(*m_model.transformer);
    }

    std::map<RequestId, std::vector<int32_t>> ids;
    std::map<RequestId, std::string> failures;

private:
    void take(Event& event) {
        if (auto* delta = std::get_if<TextDelta>(&event)) ids[delta->id].insert(ids[delta->id].end(), delta->ids.begin(), delta->ids.end());
        if (auto* end = std::get_if<GenerationFinished>(&event); end && end->reason == StopReason::Failed) failures[end->id] = end->sentence;
    }

    Model& m_model;
    std::shared_ptr<const Tokenizer> m_tokenizer;
    PrefixCache m_prefixes;
    CacheDisk m_disk;
    WarmChats m_warm;
    Batch m_batch;
};

std::vector<int32_t> prompt(int32_t which, int32_t tokens) {
    std::vector<int32_t> ids;
    for (int32_t t = 0; t < tokens; ++t) ids.push_back((t * 7 + which * 13) % 120 + 1);
    return ids;
}

// Two chats at once, then each of them goes on from what the first turn left.
void converse(Service& service) {
    service.ask(1, 1, prompt(1, 20));
    service.ask(2, 2, prompt(2, 23));
    service.run();
    service.ask(3, 1, prompt(1, 33));
    service.ask(4, 2, prompt(2, 36));
    service.run();
}

} // namespace

class TestOutOfMemory : public QObject {
    Q_OBJECT

private slots:
    void M05_memoryThatRunsOutEndsOneStep_data() { addDevices({"llama-dense"}); }
    void M05_memoryThatRunsOutEndsOneStep() {
        QFETCH(QString, model);
        const Open open = device();
        const TinyFile tiny = openTiny(model.toStdString());
        std::optional<Model> whole = loaded(tiny, open, 0);
        const uint64_t first = whole->device.calls() + 1;
        const auto right = logitsOf(*whole->transformer, 48);
        const uint64_t read = whole->device.calls() + 1;
        QCOMPARE(logitsOf(*whole->transformer, 12), right); // recorded steps
        const uint64_t end = whole->device.calls() + 1;
        whole.reset();
        auto calls = someOf(first, end, spread(40, 6), 0);
        for (const uint64_t call : someOf(read, end, spread(10, 1), spread(20, 3))) calls.push_back(call);
        uint32_t failures = 0;
        for (const uint64_t call : calls) {
            Model model = loaded(tiny, open, call);
            for (const uint32_t chunk : {48u, 12u}) {
                const auto logits = tryLogits(*model.transformer, chunk);
                if (logits) {
                    QCOMPARE(*logits, right);
                    continue;
                }
                ++failures;
                QVERIFY2(logits.sentence().find("memory") != std::string::npos, logits.sentence().c_str());
            }
            const auto next = tryLogits(*model.transformer, 12);
            QVERIFY2(next.ok(), next.sentence().c_str());
            QCOMPARE(*next, right);
        }
        QVERIFY(failures > calls.size() / 3);
    }

    void othersGoOnWhenMemoryRunsOut_data() { addDevices({"llama-dense", "qwen35-dense"}); } // without and with states
    void othersGoOnWhenMemoryRunsOut() {
        QFETCH(QString, model);
        const Open open = device();
        const TinyFile tiny = openTiny(model.toStdString());
        std::optional<Model> whole = loaded(tiny, open, 0);
        const uint64_t first = whole->device.calls() + 1;
        std::map<RequestId, std::vector<int32_t>> right;
        {
            Service service(*whole, tiny);
            converse(service);
            QVERIFY(service.failures.empty());
            right = service.ids;
            QCOMPARE(right.size(), size_t(4));
        }
        const uint64_t end = whole->device.calls() + 1;
        whole.reset();
        uint32_t failures = 0;
        for (const uint64_t call : someOf(first, end, spread(24, 6), 0)) {
            Model model = loaded(tiny, open, call);
            {
                Service service(model, tiny);
                converse(service);
                QVERIFY2(service.failures.size() <= 1, qPrintable(QString::number(call)));
                failures += service.failures.empty() ? 0 : 1;
                for (const auto& [id, sentence] : service.failures) QVERIFY2(sentence.find("memory") != std::string::npos, sentence.c_str());
                for (const auto& [id, ids] : right)
                    if (service.failures.count(id) == 0) QCOMPARE(service.ids[id], ids);
            }
            for (const auto& pool : model.transformer->cache().pools()) QCOMPARE(pool.freeBlocks(), pool.totalBlocks());
        }
        QVERIFY(failures > spread(5, 1));
    }

private:
    static void addDevices(const QStringList& models) {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("model");
        for (const char* name : {"emulated", "vulkan"})
            for (const QString& model : models) QTest::addRow("%s %s", name, qPrintable(model)) << QString(name) << model;
    }
    // How many calls are made to fail: a Vulkan device takes a second to load a model.
    static uint64_t spread(uint64_t emulated, uint64_t vulkan) { return device() == &failingVulkan ? vulkan : emulated; }
    static Open device() {
        QFETCH(QString, name);
        return name == "vulkan" ? &failingVulkan : &failingEmulatedCard;
    }
};

QTEST_GUILESS_MAIN(TestOutOfMemory)
#include "test_out_of_memory.moc"
