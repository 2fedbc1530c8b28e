// Memory that runs out while a model works ends one request with a sentence, and the next one is answered as if nothing was.
#include "engine/backend/cuda/emulated_runtime.h"
#include "engine/backend/cuda/runtime_device.h"
#include "tests/engine/placed_model.h"

#include <QtTest>

using namespace steelyard;

namespace {

struct Card {
    std::shared_ptr<EmulatedUse> use = std::make_shared<EmulatedUse>();
    std::unique_ptr<Device> device;
    std::unique_ptr<Transformer> transformer;
};

Card loadedCard(const TinyFile& tiny, uint64_t failingCall) {
    Card card;
    EmulatedOptions options;
    options.failingCall = failingCall;
    options.failure = CudaRuntime::kOutOfMemory;
    DeviceInfo row;
    row.name = "A card";
    auto device = openOverRuntime(makeEmulatedRuntime(options, card.use), 0, row);
    if (!device) throw std::runtime_error(device.sentence());
    card.device = std::move(*device);
    card.transformer = loadPlaced(tiny, {card.device.get()}, {});
    return card;
}

} // namespace

class TestOutOfMemory : public QObject {
    Q_OBJECT

private slots:
    void M05_memoryThatRunsOutEndsOneRequest() {
        const TinyFile tiny = openTiny("llama-dense");
        Card whole = loadedCard(tiny, 0);
        const uint64_t loaded = whole.use->calls;
        const auto right = logitsOf(*whole.transformer, 48);
        const uint64_t read = whole.use->calls;
        QCOMPARE(logitsOf(*whole.transformer, 12), right); // recorded steps
        const uint64_t ended = whole.use->calls;
        uint32_t failures = 0;
        std::vector<uint64_t> calls;
        for (uint64_t call = loaded + 1; call <= ended; call += 1 + (ended - loaded) / 60) calls.push_back(call);
        for (uint64_t call = read + 1; call <= std::min(ended, read + 40); ++call) calls.push_back(call);
        for (const uint64_t call : calls) {
            Card card = loadedCard(tiny, call);
            for (const uint32_t chunk : {48u, 12u}) {
                const auto logits = tryLogits(*card.transformer, chunk);
                if (logits) {
                    QCOMPARE(*logits, right);
                    continue;
                }
                ++failures;
                QVERIFY2(logits.sentence().find("memory of the card is full") != std::string::npos, logits.sentence().c_str());
            }
            const auto next = tryLogits(*card.transformer, 12);
            QVERIFY2(next.ok(), next.sentence().c_str());
            QCOMPARE(*next, right);
        }
        QVERIFY(failures > 20);
    }
};

QTEST_GUILESS_MAIN(TestOutOfMemory)
#include "test_out_of_memory.moc"
