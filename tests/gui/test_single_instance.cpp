// A second start finds the first and hands over its files; a lock of a process that is gone does not stand in the way.

#include "gui/shell/single_instance.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <memory>

using namespace steelyard;

class TestSingleInstance : public QObject {
    Q_OBJECT

private slots:
    void secondFindsTheFirst();
    void anotherFolderIsAnotherProgram();
    void afterTheFirstTheNextIsFirst();
};

void TestSingleInstance::secondFindsTheFirst() {
    QTemporaryDir folder;
    SingleInstance first(folder.path());
    QVERIFY(first.claim({}));
    QSignalSpy raised(&first, &SingleInstance::raiseRequested);
    // The second waits for an answer, so it runs beside the event loop of the first.
    bool claimed = true;
    std::unique_ptr<QThread> other(QThread::create([&] { claimed = SingleInstance(folder.path()).claim({"/models/a.gguf"}); }));
    other->start();
    QVERIFY(raised.wait(20000));
    QTRY_VERIFY_WITH_TIMEOUT(other->isFinished(), 20000);
    QVERIFY(!claimed);
    QCOMPARE(raised.constFirst().constFirst().toStringList(), QStringList{"/models/a.gguf"});
}

void TestSingleInstance::anotherFolderIsAnotherProgram() {
    QTemporaryDir a, b;
    SingleInstance first(a.path()), second(b.path());
    QVERIFY(first.claim({}));
    QVERIFY(second.claim({}));
}

void TestSingleInstance::afterTheFirstTheNextIsFirst() {
    QTemporaryDir folder;
    auto first = std::make_unique<SingleInstance>(folder.path());
    QVERIFY(first->claim({}));
    first.reset();
    SingleInstance next(folder.path());
    QVERIFY(next.claim({}));
}

QTEST_GUILESS_MAIN(TestSingleInstance)
#include "test_single_instance.moc"
