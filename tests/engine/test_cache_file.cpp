// Kept chats on disk: what was written comes back, and whatever is wrong with a file, it is not used and nothing else happens.
#include "tests/engine/numbered_cache.h"

#include "engine/cache/cache_disk.h"

#include <QTemporaryDir>

#include <atomic>
#include <fstream>
#include <thread>

#if defined(__unix__)
#include <csignal>
#include <sys/resource.h>
#endif

using namespace steelyard;
namespace fs = std::filesystem;

namespace {

CacheKey keyNumbered(uint8_t number) {
    CacheKey key;
    key.bytes.fill(number);
    return key;
}

CacheLayout layoutNamed(const QString& kind) {
    const Kind chosen = kindNamed(kind);
    return *CacheLayout::make(chosen.layers, {TensorType::F32, TensorType::F32}, chosen.size);
}

// An image with some bytes in it, as a chat of `length` tokens leaves it.
PageImage imageFor(const CacheLayout& layout, uint32_t length, uint64_t seed = 1) {
    PageImage image;
    image.shape.length = length;
    for (uint32_t i = 0; i < length + 2; ++i) image.ids.push_back(static_cast<int32_t>(mixedBits(seed + i) % 1000));
    for (const auto& group : layout.groups()) {
        auto& places = image.shape.held.emplace_back(group.blocksFor(length), true);
        const uint32_t first = windowStart(group.window, length) / ops::kBlockTokens;
        for (uint32_t place = 0; place < first; ++place) places[place] = false;
    }
    if (layout.states() > 0) image.shape.states = {length - 1, length};
    auto bytes = std::make_shared<std::vector<uint8_t>>(imageBytes(image.shape, layout));
    for (size_t i = 0; i < bytes->size(); ++i) (*bytes)[i] = static_cast<uint8_t>(mixedBits(seed * 7 + i));
    image.bytes = *bytes;
    image.owner = bytes;
    return image;
}

bool same(const PageImage& a, const PageImage& b) {
    return a.ids == b.ids && a.longFactors == b.longFactors && a.shape.length == b.shape.length && a.shape.held == b.shape.held &&
           a.shape.states == b.shape.states && std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
}

std::vector<uint8_t> contentsOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

size_t filesIn(const fs::path& folder) {
    std::error_code problem;
    size_t files = 0;
    for (fs::directory_iterator entry(folder, problem); !problem && entry != fs::directory_iterator(); entry.increment(problem)) ++files;
    return files;
}

} // namespace

class TestCacheFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::vector<std::string> m_log;
    std::mutex m_logMutex;

    fs::path path(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }
    LogSink sink() {
        return [this](LogLevel, std::string_view sentence) {
            std::lock_guard lock(m_logMutex);
            m_log.emplace_back(sentence);
        };
    }
    static std::shared_ptr<const PageImage> opened(CacheDisk& disk, const CacheKey& key, const CacheLayout& layout, uint64_t chat) {
        const auto opening = disk.open(key, layout, chat, {});
        while (!opening->done) std::this_thread::yield();
        return opening->image;
    }

private slots:
    void init() { m_log.clear(); }

    void whatIsWrittenComesBack_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"full", "windowed", "recurrent", "compressed"}) QTest::newRow(kind) << QString(kind);
    }

    void whatIsWrittenComesBack() {
        QFETCH(QString, kind);
        const auto layout = layoutNamed(kind);
        for (const uint32_t length : {33u, 64u, 200u}) {
            auto image = imageFor(layout, length);
            image.longFactors = length == 64;
            const auto file = path("one");
            const auto written = writeCacheFile(file, keyNumbered(1), image);
            QVERIFY2(written.ok(), written.sentence().c_str());
            const auto read = openCacheFile(file, keyNumbered(1), layout);
            QVERIFY2(read.ok(), read.sentence().c_str());
            QVERIFY(same(*read, image));
            fs::remove(file); // it stays mapped
            QVERIFY(same(*read, image));
        }
    }

    void aFlippedByteIsFound_data() { whatIsWrittenComesBack_data(); }

    void aFlippedByteIsFound() {
        QFETCH(QString, kind);
        const auto layout = layoutNamed(kind);
        const auto file = path("flipped");
        QVERIFY(writeCacheFile(file, keyNumbered(1), imageFor(layout, 70)).ok());
        auto bytes = contentsOf(file);
        for (size_t at = 0; at < bytes.size(); ++at) {
            if (at > 1200 && at < 4090) continue; // zeros up to the pages: a few of them are enough
            if (at > 4200 && at + 300 < bytes.size() && at % 37 != 0) continue;
            bytes[at] ^= static_cast<uint8_t>(1u << (at % 8));
            const auto read = readCacheFile(bytes, keyNumbered(1), layout);
            bytes[at] ^= static_cast<uint8_t>(1u << (at % 8));
            QVERIFY2(!read.ok(), qPrintable(QString::number(at)));
            QVERIFY(!read.sentence().empty());
        }
        QVERIFY(readCacheFile(bytes, keyNumbered(1), layout).ok());
    }

    void aShorterOrLongerFileIsFound() {
        const auto layout = layoutNamed("windowed");
        const auto file = path("cut");
        QVERIFY(writeCacheFile(file, keyNumbered(1), imageFor(layout, 70)).ok());
        auto bytes = contentsOf(file);
        for (size_t size = 0; size < bytes.size(); size += size < 200 ? 1 : 61)
            QVERIFY(!readCacheFile(std::span(bytes).first(size), keyNumbered(1), layout).ok());
        bytes.push_back(0);
        QVERIFY(!readCacheFile(bytes, keyNumbered(1), layout).ok());
    }

    void aFileOfSomethingElseIsRefused() {
        const auto layout = layoutNamed("full");
        const auto file = path("other");
        QVERIFY(writeCacheFile(file, keyNumbered(1), imageFor(layout, 70)).ok());
        const auto otherModel = openCacheFile(file, keyNumbered(2), layout);
        QVERIFY(!otherModel.ok() && otherModel.sentence().find("another model") != std::string::npos);
        QVERIFY(!openCacheFile(file, keyNumbered(1), layoutNamed("windowed")).ok());
        const auto halves = CacheLayout::make(kindNamed("full").layers, {TensorType::F16, TensorType::F32}, kindNamed("full").size);
        QVERIFY(!openCacheFile(file, keyNumbered(1), *halves).ok());
        auto bytes = contentsOf(file);
        bytes[8] = 9; // the version of the format
        const auto newer = readCacheFile(bytes, keyNumbered(1), layout);
        QVERIFY(newer.sentence().find("version 9") != std::string::npos);
        QVERIFY(!openCacheFile(path("none"), keyNumbered(1), layout).ok());
    }

    // Numbers that lie under a right checksum are checked too: it is no signature.
    void aWellSummedFileIsCheckedToo() {
        const auto layout = layoutNamed("recurrent");
        const auto good = imageFor(layout, 70);
        const auto refused = [&](auto change) {
            PageImage image = good;
            change(image);
            return !writeCacheFile(path("sum"), keyNumbered(1), image).ok() || !openCacheFile(path("sum"), keyNumbered(1), layout).ok();
        };
        QVERIFY(!refused([](PageImage&) {}));
        QVERIFY(refused([](PageImage& image) { image.ids.resize(50); }));
        QVERIFY(refused([](PageImage& image) { image.shape.length = 0; }));
        QVERIFY(refused([](PageImage& image) { image.shape.length = 71; image.ids.resize(10); }));
        QVERIFY(refused([](PageImage& image) { image.shape.held.clear(); }));
        QVERIFY(refused([](PageImage& image) { image.shape.held[0][0] = false; }));
        QVERIFY(refused([](PageImage& image) { image.shape.states = {90}; }));
        QVERIFY(refused([](PageImage& image) { image.shape.states.resize(1); }));
        QVERIFY(refused([](PageImage& image) { image.bytes = image.bytes.first(64); }));
    }

    void onlyItsOwnerReadsIt() {
#if defined(__unix__)
        CacheDisk disk(sink());
        const auto folder = path("private");
        disk.use(folder, 1 << 20);
        const auto layout = layoutNamed("full");
        disk.write(keyNumbered(1), 7, std::make_shared<PageImage>(imageFor(layout, 70)), true);
        QVERIFY(opened(disk, keyNumbered(1), layout, 7));
        QCOMPARE(fs::status(folder).permissions() & fs::perms::all, fs::perms::owner_all);
        for (const auto& entry : fs::directory_iterator(folder))
            QCOMPARE(entry.status().permissions() & fs::perms::all, fs::perms::owner_read | fs::perms::owner_write);
#else
        QSKIP("permissions are not known here");
#endif
    }

    void theLongestUnusedGoFirst() {
        CacheDisk disk(sink());
        const auto folder = path("bound");
        const auto layout = layoutNamed("full");
        const auto image = std::make_shared<PageImage>(imageFor(layout, 70));
        const uint64_t each = image->bytes.size() + 4096;
        disk.use(folder, 3 * each);
        for (uint64_t chat = 1; chat <= 3; ++chat) {
            disk.write(keyNumbered(1), chat, image, true);
            QVERIFY(opened(disk, keyNumbered(1), layout, chat));
            fs::last_write_time(CacheFolder(folder, 0).fileOf(keyNumbered(1), chat), fs::file_time_type::clock::now() - std::chrono::hours(10 - chat));
        }
        QCOMPARE(CacheFolder(folder, 0).bytes(), 3 * each);
        QVERIFY(opened(disk, keyNumbered(1), layout, 1)); // used again
        disk.write(keyNumbered(1), 4, image, true);
        QVERIFY(opened(disk, keyNumbered(1), layout, 4));
        QVERIFY(CacheFolder(folder, 0).bytes() <= 3 * each);
        QVERIFY(!opened(disk, keyNumbered(1), layout, 2));
        QVERIFY(opened(disk, keyNumbered(1), layout, 1));
        QVERIFY(opened(disk, keyNumbered(1), layout, 3));
        disk.use(folder, 1000); // too little for any
        disk.write(keyNumbered(1), 5, image, true);
        QVERIFY(!opened(disk, keyNumbered(1), layout, 5));
        QCOMPARE(m_log.size(), size_t(1));
        CacheFolder(folder, 0).clear();
        QCOMPARE(filesIn(folder), size_t(0));
    }

    void filesOfOthersStay() {
        const auto folder = path("shared");
        fs::create_directories(folder);
        std::ofstream(folder / "letter.txt") << "dear";
        CacheDisk disk(sink());
        const auto layout = layoutNamed("full");
        const auto image = std::make_shared<PageImage>(imageFor(layout, 70));
        disk.use(folder, image->bytes.size() + 5000);
        for (uint64_t chat = 1; chat <= 3; ++chat) disk.write(keyNumbered(1), chat, image, true);
        QVERIFY(opened(disk, keyNumbered(1), layout, 3));
        QCOMPARE(filesIn(folder), size_t(2));
        CacheFolder(folder, 0).clear();
        QCOMPARE(contentsOf(folder / "letter.txt").size(), size_t(4));
    }

    void aForgottenChatIsGone() {
        CacheDisk disk(sink());
        const auto folder = path("forgotten");
        disk.use(folder, 1 << 20);
        const auto layout = layoutNamed("full");
        const auto image = std::make_shared<PageImage>(imageFor(layout, 70));
        disk.write(keyNumbered(1), 5, image, true);
        disk.write(keyNumbered(2), 5, image, true); // of another model
        disk.write(keyNumbered(1), 6, image, true);
        disk.forget(5);
        QVERIFY(!opened(disk, keyNumbered(1), layout, 5));
        QVERIFY(!opened(disk, keyNumbered(2), layout, 5));
        QVERIFY(opened(disk, keyNumbered(1), layout, 6));
    }

    void aDamagedFileIsOneLineAndGone() {
        CacheDisk disk(sink());
        const auto folder = path("damaged");
        disk.use(folder, 1 << 20);
        const auto layout = layoutNamed("full");
        disk.write(keyNumbered(1), 5, std::make_shared<PageImage>(imageFor(layout, 70)), true);
        QVERIFY(opened(disk, keyNumbered(1), layout, 5));
        const auto file = CacheFolder(folder, 0).fileOf(keyNumbered(1), 5);
        fs::resize_file(file, 5000);
        QVERIFY(!opened(disk, keyNumbered(1), layout, 5));
        QCOMPARE(m_log.size(), size_t(1));
        QVERIFY(!fs::exists(file));
    }

    void twoWritersLeaveOneWholeFile() {
        const auto layout = layoutNamed("full");
        const auto file = path("two");
        const auto first = imageFor(layout, 200, 1), second = imageFor(layout, 150, 99);
        std::atomic<int> failures = 0;
        const auto write = [&](const PageImage& image) {
            for (int i = 0; i < 50; ++i) failures += writeCacheFile(file, keyNumbered(1), image).ok() ? 0 : 1;
        };
        std::thread one(write, std::cref(first)), two(write, std::cref(second));
        for (int i = 0; i < 100; ++i) {
            const auto read = openCacheFile(file, keyNumbered(1), layout);
            if (fs::exists(file) && read.ok()) QVERIFY(same(*read, first) || same(*read, second));
        }
        one.join();
        two.join();
        QCOMPARE(failures.load(), 0);
        const auto read = openCacheFile(file, keyNumbered(1), layout);
        QVERIFY(read.ok() && (same(*read, first) || same(*read, second)));
    }

    void aFullDiskIsALine() {
#if defined(__unix__)
        const auto folder = path("full");
        const auto layout = layoutNamed("full");
        {
            CacheDisk disk(sink());
            disk.use(folder, 1 << 20);
            std::signal(SIGXFSZ, SIG_IGN);
            struct rlimit before {};
            getrlimit(RLIMIT_FSIZE, &before);
            for (const rlim_t most : {rlim_t(0), rlim_t(50), rlim_t(4096), rlim_t(6000)}) {
                struct rlimit small = before;
                small.rlim_cur = most;
                setrlimit(RLIMIT_FSIZE, &small);
                disk.write(keyNumbered(1), 5, std::make_shared<PageImage>(imageFor(layout, 70)), true);
                const auto image = opened(disk, keyNumbered(1), layout, 5);
                setrlimit(RLIMIT_FSIZE, &before);
                QVERIFY(!image);
            }
        }
        QCOMPARE(m_log.size(), size_t(4));
        QCOMPARE(filesIn(folder), size_t(0));
#else
        QSKIP("a full disk cannot be made here");
#endif
    }

    void aFolderThatCannotBeWrittenIsALine() {
        std::ofstream(path("file")) << "no folder";
        {
            CacheDisk disk(sink());
            disk.use(path("file") / "chats", 1 << 20);
            disk.write(keyNumbered(1), 5, std::make_shared<PageImage>(imageFor(layoutNamed("full"), 70)), true);
            disk.forget(5);
        }
        QCOMPARE(m_log.size(), size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestCacheFile)
#include "test_cache_file.moc"
