// Draws points over two axes with any painter, so that the window, a picture and an SVG file show the same plot.
//
// Invariant: each point has a shape of its own and its name beside it, so that nothing is told by colour alone; names do not cover
// each other where there is room. Axes begin at zero. Knows nothing of what the points stand for.
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <QVector>

#include <functional>

namespace steelyard {

struct NamedPoint {
    double x = 0, y = 0, yError = 0;
    QString label;
    int shape = 0; // of four, and its colour
};

struct PlotLook {
    QColor text, quietText, line, ground;
    QVector<QColor> colors; // of shapes
    QFont font;
};

struct Plot {
    QVector<NamedPoint> points;
    QString xTitle, yTitle;
    std::function<QString(double)> xText, yText; // of a mark of the axis
    double level = -1;                           // a dashed line across, at this y; below 0 = none
    QString levelLabel;
};

// Steps of an axis from 0 to at least `highest`: 1, 2 or 5 times a power of ten, at most `most` of them.
QVector<double> axisMarks(double highest, int most);

void drawShape(QPainter& painter, int shape, const QPointF& center, double size, const QColor& color);
void drawPlot(QPainter& painter, const QRectF& area, const Plot& plot, const PlotLook& look);

} // namespace steelyard
