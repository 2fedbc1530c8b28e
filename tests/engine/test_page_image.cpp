// Images of pages: out of one cache and into another, of all kinds of caches, in slices, cut short; and without anything of others.
#include "tests/engine/numbered_cache.h"

#include "engine/cache/page_image.h"

using namespace steelyard;

namespace {

std::vector<int32_t> tokens(uint32_t count) {
    std::vector<int32_t> ids;
    for (uint32_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(mixedBits(i) % 3));
    return ids;
}

} // namespace

class TestPageImage : public QObject {
    Q_OBJECT

private slots:
    void aTurnGoesOutAndIn_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<uint>("prompt");
        for (const QString kind : {"full", "windowed", "recurrent", "compressed"})
            for (const uint prompt : {33u, 64u, 130u}) QTest::newRow(qPrintable(kind + ' ' + QString::number(prompt))) << kind << prompt;
    }

    void aTurnGoesOutAndIn() {
        QFETCH(QString, kind);
        QFETCH(uint, prompt);
        const Kind chosen = kindNamed(kind);
        NumberedCache first(chosen.layers, chosen.size), second(chosen.layers, chosen.size);
        auto ids = tokens(prompt);
        uint32_t reused = 0;
        {
            PrefixCache from(first.cache()), to(second.cache());
            QVERIFY(takeTurn(first, from, 1, ids, 12, 3, &reused));
            auto turn = from.holdTurn(1);
            QVERIFY(turn);
            auto image = imageOf(first.cache(), turn->pages);
            releasePages(first.cache(), turn->pages);
            QVERIFY2(image.ok(), image.sentence().c_str());
            image->ids = turn->image.ids;
            QCOMPARE(image->shape.length, prompt + 11); // the last one was sampled, not read
            QCOMPARE(image->bytes.size(), imageBytes(image->shape, first.cache().layout()));

            auto pages = to.takePages(image->shape);
            QVERIFY(pages);
            auto copy = PageCopy::in(second.cache(), *pages, *image);
            int slices = 0;
            for (bool done = false; !done; ++slices) {
                const auto more = copy.advance(1);
                QVERIFY2(more.ok(), more.sentence().c_str());
                done = *more;
            }
            QVERIFY(slices > 1);
            to.bringBack(1, *image, *pages);
            auto goingOn = ids;
            goingOn.push_back(1);
            QVERIFY(takeTurn(second, to, 1, goingOn, 5, 3, &reused)); // looks at every entry
            QCOMPARE(reused, prompt + 11);
            auto again = tokens(prompt);
            QVERIFY(takeTurn(second, to, 2, again, 5, 9, &reused)); // the answer once more
            QVERIFY(reused >= prompt - 1);
        }
        QCOMPARE(first.cache().bytesHeld(), uint64_t(0));
        QCOMPARE(second.cache().bytesHeld(), uint64_t(0));
    }

    void onlyTheBeginningCanBePutBack_data() { aTurnGoesOutAndIn_data(); }

    void onlyTheBeginningCanBePutBack() {
        QFETCH(QString, kind);
        QFETCH(uint, prompt);
        const Kind chosen = kindNamed(kind);
        NumberedCache first(chosen.layers, chosen.size), second(chosen.layers, chosen.size);
        PrefixCache from(first.cache()), to(second.cache());
        auto ids = tokens(prompt);
        uint32_t reused = 0;
        QVERIFY(takeTurn(first, from, 1, ids, 12, 3, &reused));
        auto turn = from.holdTurn(1);
        QVERIFY(turn);
        auto image = imageOf(first.cache(), turn->pages);
        releasePages(first.cache(), turn->pages);
        QVERIFY(image.ok());
        image->ids = turn->image.ids;
        auto edited = tokens(prompt); // what was answered, and another answer
        edited.push_back(ids[prompt] == 2 ? 1 : 2);
        edited.insert(edited.end(), 3, 1);
        const uint32_t common = commonPrefix(edited, image->ids);
        QCOMPARE(common, prompt);
        const uint32_t usable = usableLength(image->shape, first.cache().layout(), common);
        QVERIFY(usable + 1 >= prompt);
        const auto shape = cutShape(image->shape, first.cache().layout(), usable);
        QVERIFY(unfitShape(shape, first.cache().layout()).empty());
        auto pages = to.takePages(shape);
        QVERIFY(pages);
        const auto put = putImage(second.cache(), *pages, *image);
        QVERIFY2(put.ok(), put.sentence().c_str());
        to.bringBack(1, *image, *pages);
        QVERIFY(takeTurn(second, to, 1, edited, 5, 3, &reused));
        QCOMPARE(reused, usable);
    }

    void nothingOfOthersGoesAlong() {
        const Kind chosen = kindNamed("full");
        NumberedCache numbered(chosen.layers, chosen.size);
        PrefixCache prefixes(numbered.cache());
        auto& cache = numbered.cache();
        // All blocks full of somebody's entries, which are then free again.
        auto all = prefixes.takePages({640, {std::vector<bool>(20, true)}, {}});
        QVERIFY(all);
        std::vector<uint8_t> secret(imageBytes(shapeOf(*all), cache.layout()), 0xAB);
        PageImage image{{}, false, shapeOf(*all), secret, nullptr, false};
        QVERIFY(putImage(cache, *all, image).ok());
        releasePages(cache, *all);
        auto ids = tokens(40);
        uint32_t reused = 0;
        QVERIFY(takeTurn(numbered, prefixes, 1, ids, 1, 3, &reused));
        auto turn = prefixes.holdTurn(1);
        QVERIFY(turn);
        const auto out = imageOf(cache, turn->pages);
        releasePages(cache, turn->pages);
        QVERIFY(out.ok());
        const uint64_t block = cache.layout().groups()[0].blockBytes, half = block / 2; // a part of keys, one of values
        const uint64_t kept = ops::cacheRowOffset(ops::CacheType::F32, 0, 40, kDim);
        for (uint64_t part = 0; part < 2; ++part)
            for (uint64_t at = block + part * half + kept; at < block + (part + 1) * half; ++at) QCOMPARE(out->bytes[at], uint8_t(0));
    }

    void aShapeThatDoesNotFitIsSaid() {
        const Kind chosen = kindNamed("recurrent");
        NumberedCache numbered(chosen.layers, chosen.size);
        const auto& layout = numbered.cache().layout();
        const PageShape good{70, {std::vector<bool>(3, true)}, {69, 70}};
        QVERIFY(unfitShape(good, layout).empty());
        const auto changed = [&](auto change) {
            PageShape shape = good;
            change(shape);
            return !unfitShape(shape, layout).empty();
        };
        QVERIFY(changed([](PageShape& shape) { shape.length = 0; }));
        QVERIFY(changed([](PageShape& shape) { shape.length = 1u << 31; }));
        QVERIFY(changed([](PageShape& shape) { shape.held.clear(); }));
        QVERIFY(changed([](PageShape& shape) { shape.held[0].push_back(true); }));
        QVERIFY(changed([](PageShape& shape) { shape.held[0][1] = false; }));
        QVERIFY(changed([](PageShape& shape) { shape.states = {71}; }));
        QVERIFY(changed([](PageShape& shape) { shape.states = {70, 70}; }));
        QVERIFY(changed([](PageShape& shape) { shape.states = {0}; }));
    }
};

QTEST_APPLESS_MAIN(TestPageImage)
#include "test_page_image.moc"
