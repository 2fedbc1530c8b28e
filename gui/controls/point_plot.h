// Points over two axes as an item: each a map of x, y, yError, label and column (its shape). Drawn by plot_drawing.h.
//
// Invariant: an axis that counts bytes is written in units of a thousand, others as plain numbers, both as the program's language
// writes them. Knows nothing of what the points stand for.
#pragma once

#include "gui/controls/change_and_repaint.h"
#include "gui/controls/plot_drawing.h"

#include <QQuickPaintedItem>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

// A mark of an axis: "1.5 GB"; "0.05".
QString bytesMark(double value);
QString numberMark(double value);

class PointPlot : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QVariantList points READ points WRITE setPoints NOTIFY changed FINAL)
    Q_PROPERTY(QString xTitle MEMBER m_xTitle WRITE setXTitle NOTIFY changed FINAL)
    Q_PROPERTY(QString yTitle MEMBER m_yTitle WRITE setYTitle NOTIFY changed FINAL)
    Q_PROPERTY(double level MEMBER m_level WRITE setLevel NOTIFY changed FINAL) // a dashed line; below 0 = none
    Q_PROPERTY(QString levelLabel MEMBER m_levelLabel WRITE setLevelLabel NOTIFY changed FINAL)
    Q_PROPERTY(QColor textColor MEMBER m_textColor WRITE setTextColor NOTIFY changed FINAL)
    Q_PROPERTY(QColor quietColor MEMBER m_quietColor WRITE setQuietColor NOTIFY changed FINAL)
    Q_PROPERTY(QColor lineColor MEMBER m_lineColor WRITE setLineColor NOTIFY changed FINAL)
    Q_PROPERTY(QList<QColor> colors MEMBER m_colors WRITE setColors NOTIFY changed FINAL) // of columns
    Q_PROPERTY(QFont font MEMBER m_font WRITE setFont NOTIFY changed FINAL)

public:
    explicit PointPlot(QQuickItem* parent = nullptr);

    QVariantList points() const { return m_points; }
    void setPoints(const QVariantList& points) { changeAndRepaint(this, m_points, points); }
    void setXTitle(const QString& title) { changeAndRepaint(this, m_xTitle, title); }
    void setYTitle(const QString& title) { changeAndRepaint(this, m_yTitle, title); }
    void setLevel(double level) { changeAndRepaint(this, m_level, level); }
    void setLevelLabel(const QString& label) { changeAndRepaint(this, m_levelLabel, label); }
    void setTextColor(const QColor& color) { changeAndRepaint(this, m_textColor, color); }
    void setQuietColor(const QColor& color) { changeAndRepaint(this, m_quietColor, color); }
    void setLineColor(const QColor& color) { changeAndRepaint(this, m_lineColor, color); }
    void setColors(const QList<QColor>& colors) { changeAndRepaint(this, m_colors, colors); }
    void setFont(const QFont& font) { changeAndRepaint(this, m_font, font); }

    void paint(QPainter* painter) override;

signals:
    void changed();

private:
    QVariantList m_points;
    QString m_xTitle, m_yTitle, m_levelLabel;
    double m_level = -1;
    QColor m_textColor = Qt::black, m_quietColor = Qt::darkGray, m_lineColor = Qt::lightGray;
    QList<QColor> m_colors;
    QFont m_font;
};

// The mark of a column beside its name: the same shape and colour as in plots.
class PointMark : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int shape MEMBER m_shape WRITE setShape NOTIFY changed FINAL)
    Q_PROPERTY(QColor color MEMBER m_color WRITE setColor NOTIFY changed FINAL)

public:
    explicit PointMark(QQuickItem* parent = nullptr);

    void setShape(int shape) { changeAndRepaint(this, m_shape, shape); }
    void setColor(const QColor& color) { changeAndRepaint(this, m_color, color); }
    void paint(QPainter* painter) override;

signals:
    void changed();

private:
    int m_shape = 0;
    QColor m_color = Qt::black;
};

} // namespace steelyard
