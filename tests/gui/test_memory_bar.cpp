// A part of the memory bar is as wide as its bytes say, and says what it is.

#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>
#include <QTest>

#include <memory>

namespace {

const char* kBar = R"(
import QtQuick
import Steelyard.Controls
MemoryBar {
    width: 1000
    height: 22
    animated: false
    totalBytes: 8e9
    description: "all"
    segments: [
        BarSegment { bytes: 2.4e9; label: "weights 2.4 GB"; tip: "w" },
        BarSegment { bytes: 1e6; label: "KV used 1 MB"; tip: "k" },
        BarSegment { bytes: 0; label: "nothing" },
        BarSegment { bytes: 5.599e9; label: "free 5.6 GB" }
    ]
})";

} // namespace

class TestMemoryBar : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void widthsAreBytes();
    void partsStandInOrder();
    void labelsStandInsideWhereTheyFit();
    void followsItsNumbers();

private:
    // What a Repeater makes has a place among the items, not among the objects.
    QList<QQuickItem*> parts() const {
        QList<QQuickItem*> found;
        for (QQuickItem* child : m_bar->childItems())
            for (QQuickItem* part : child->childItems())
                if (part->objectName() == "part") found << part;
        return found;
    }

    QQmlEngine m_engine;
    std::unique_ptr<QQuickItem> m_bar;
};

void TestMemoryBar::initTestCase() {
    m_engine.addImportPath("qrc:/");
    QQmlComponent component(&m_engine);
    component.setData(kBar, {});
    m_bar.reset(qobject_cast<QQuickItem*>(component.create()));
    QVERIFY2(m_bar, qPrintable(component.errorString()));
}

void TestMemoryBar::widthsAreBytes() {
    QCOMPARE(parts().size(), 4);
    const QList<double> bytes = {2.4e9, 1e6, 0, 5.599e9};
    for (int i = 0; i < 4; ++i) QVERIFY2(qAbs(parts()[i]->width() - bytes[i] / 8e9 * 1000) < 0.5, qPrintable(QString::number(i)));
}

void TestMemoryBar::partsStandInOrder() {
    // A positioner lays out with the frame; a bar without a window is asked for it by hand.
    QQuickWindow window;
    m_bar->setParentItem(window.contentItem());
    QTRY_COMPARE(qRound(parts()[3]->x()), qRound(2.401e9 / 8e9 * 1000));
    double end = 0;
    for (QQuickItem* part : parts()) {
        if (part->width() == 0) continue;
        QVERIFY(qAbs(part->x() - end) < 0.5);
        end = part->x() + part->width();
    }
    QVERIFY(qAbs(end - 1000) < 1);
    m_bar->setParentItem(nullptr);
}

void TestMemoryBar::labelsStandInsideWhereTheyFit() {
    QList<bool> inside;
    for (QQuickItem* part : parts()) inside << part->property("modelData").value<QObject*>()->property("labelInside").toBool();
    QCOMPARE(inside, (QList<bool>{true, false, false, true}));
}

void TestMemoryBar::followsItsNumbers() {
    QObject* segment = parts()[1]->property("modelData").value<QObject*>();
    segment->setProperty("bytes", 4e8);
    QVERIFY(qAbs(parts()[1]->width() - 50) < 0.5);
    m_bar->setProperty("totalBytes", 16e9);
    QVERIFY(qAbs(parts()[1]->width() - 25) < 0.5);
}

QTEST_MAIN(TestMemoryBar)
#include "test_memory_bar.moc"
