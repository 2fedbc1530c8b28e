// A chart draws what it is given: the newest at the right, time at one speed, nothing outside its area.
#include "gui/controls/chart.h"

#include <QTest>

using namespace steelyard;

class TestChart : public QObject {
    Q_OBJECT

private slots:
    void theNewestStandsAtTheRight() {
        Chart chart;
        chart.setSpan(5);
        chart.setHighest(10);
        chart.setValues({0, 5, 10});
        const QList<QPointF> line = chart.points({40, 20});
        QCOMPARE(line, (QList<QPointF>{{20, 20}, {30, 10}, {40, 0}}));
    }

    void onlyTheLastSpanIsShown() {
        Chart chart;
        chart.setSpan(2);
        chart.setHighest(4);
        chart.setValues({4, 1, 2});
        QCOMPARE(chart.points({10, 4}), (QList<QPointF>{{0, 3}, {10, 2}}));
    }

    void valuesStayInsideTheArea() {
        Chart chart;
        chart.setHighest(1);
        chart.setValues({-3, 7});
        QCOMPARE(chart.points({10, 10}), (QList<QPointF>{{0, 10}, {10, 0}}));
        chart.setHighest(0); // nothing to measure by
        QVERIFY(chart.points({10, 10}).isEmpty());
    }
};

QTEST_MAIN(TestChart)
#include "test_chart.moc"
