// A course of values as a line over its filled area, with an optional level to compare with.
//
// Invariant: values are shares of `highest`, the newest at the right edge; fewer than `span` of them leave the left part empty, so
// that time runs at one speed. Knows nothing of what it stands for.
#pragma once

#include "gui/controls/change_and_repaint.h"

#include <QColor>
#include <QList>
#include <QQuickPaintedItem>
#include <QtQml/qqmlregistration.h>

#include <algorithm>

namespace steelyard {

class Chart : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QList<double> values READ values WRITE setValues NOTIFY changed FINAL)
    Q_PROPERTY(double highest READ highest WRITE setHighest NOTIFY changed FINAL)
    Q_PROPERTY(int span READ span WRITE setSpan NOTIFY changed FINAL)          // how many values the width holds
    Q_PROPERTY(double level READ level WRITE setLevel NOTIFY changed FINAL)    // a dashed line; below 0 = none
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY changed FINAL)
    Q_PROPERTY(QColor levelColor READ levelColor WRITE setLevelColor NOTIFY changed FINAL)

public:
    explicit Chart(QQuickItem* parent = nullptr);

    const QList<double>& values() const { return m_values; }
    void setValues(const QList<double>& values) { changeAndRepaint(this, m_values, values); }
    double highest() const { return m_highest; }
    void setHighest(double highest) { changeAndRepaint(this, m_highest, highest); }
    int span() const { return m_span; }
    void setSpan(int span) { changeAndRepaint(this, m_span, std::max(2, span)); }
    double level() const { return m_level; }
    void setLevel(double level) { changeAndRepaint(this, m_level, level); }
    QColor color() const { return m_color; }
    void setColor(const QColor& color) { changeAndRepaint(this, m_color, color); }
    QColor levelColor() const { return m_levelColor; }
    void setLevelColor(const QColor& color) { changeAndRepaint(this, m_levelColor, color); }

    // The line from the oldest value to the newest, in an area of this size.
    QList<QPointF> points(const QSizeF& size) const;
    void paint(QPainter* painter) override;

signals:
    void changed();

private:
    QList<double> m_values;
    double m_highest = 1, m_level = -1;
    int m_span = 2;
    QColor m_color = Qt::black, m_levelColor = Qt::black;
};

} // namespace steelyard
