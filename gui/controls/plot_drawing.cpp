#include "gui/controls/plot_drawing.h"

#include <QFontMetricsF>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace steelyard {

namespace {

constexpr double kGap = 6, kPointSize = 11;

// Where values lie in the area.
struct Axes {
    QRectF area;
    double xMost = 1, yMost = 1;

    QPointF at(double x, double y) const { return {area.left() + area.width() * x / xMost, area.bottom() - area.height() * y / yMost}; }
};

double highestOf(const Plot& plot, bool ofX) {
    double highest = ofX ? 0 : std::max(0.0, plot.level);
    for (const NamedPoint& point : plot.points) highest = std::max(highest, ofX ? point.x : point.y + point.yError);
    return highest > 0 ? highest : 1;
}

void drawAxes(QPainter& painter, const Axes& axes, const QRectF& area, const Plot& plot, const PlotLook& look, const QVector<double>& xMarks, const QVector<double>& yMarks) {
    const QFontMetricsF metrics(look.font);
    for (const double y : yMarks) {
        const QPointF left = axes.at(0, y);
        painter.setPen(QPen(look.line, 1));
        painter.drawLine(left, QPointF(axes.area.right(), left.y()));
        painter.setPen(look.quietText);
        painter.drawText(QRectF(area.left(), left.y() - metrics.height() / 2, axes.area.left() - area.left() - kGap, metrics.height()), Qt::AlignRight | Qt::AlignVCenter, plot.yText(y));
    }
    for (const double x : xMarks) {
        const QPointF bottom = axes.at(x, 0);
        painter.setPen(QPen(look.line, 1));
        painter.drawLine(bottom, bottom + QPointF(0, 4));
        painter.setPen(look.quietText);
        const double width = metrics.horizontalAdvance(plot.xText(x)) + 2;
        const double left = std::min(bottom.x() - width / 2, area.right() - width);
        painter.drawText(QRectF(left, bottom.y() + 5, width, metrics.height()), Qt::AlignCenter, plot.xText(x));
    }
    painter.setPen(look.quietText);
    painter.drawText(QRectF(area.left(), area.top(), area.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, plot.yTitle);
    painter.drawText(QRectF(axes.area.left(), area.bottom() - metrics.height(), axes.area.width(), metrics.height()), Qt::AlignRight | Qt::AlignVCenter, plot.xTitle);
}

// The first place around the point that is inside and covers nothing.
QRectF placeFor(const QSizeF& size, const QPointF& point, const QRectF& area, const QVector<QRectF>& taken) {
    const double away = kPointSize / 2 + kGap;
    const QPointF places[] = {{point.x() + away, point.y() - size.height() / 2}, {point.x() - away - size.width(), point.y() - size.height() / 2},
                              {point.x() - size.width() / 2, point.y() - away - size.height()}, {point.x() - size.width() / 2, point.y() + away},
                              {point.x() + away, point.y() - size.height()}, {point.x() + away, point.y()}};
    for (const QPointF& place : places) {
        const QRectF label(place, size);
        const bool isFree = std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(label); });
        if (isFree && area.contains(label)) return label;
    }
    return {places[0], size};
}

} // namespace

QVector<double> axisMarks(double highest, int most) {
    QVector<double> marks;
    if (!(highest > 0) || most < 1 || !std::isfinite(highest)) return {0};
    const double rough = highest / most, power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    const int count = int(std::ceil(highest / step - 1e-9));
    for (int i = 0; i <= count; ++i) marks += i * step;
    return marks;
}

void drawShape(QPainter& painter, int shape, const QPointF& center, double size, const QColor& color) {
    const double half = size / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (((shape % 4) + 4) % 4) {
    case 0: painter.drawEllipse(center, half, half); break;
    case 1: painter.drawRect(QRectF(center.x() - half * 0.9, center.y() - half * 0.9, size * 0.9, size * 0.9)); break;
    case 2: painter.drawPolygon(QPolygonF({center + QPointF(0, -half * 1.1), center + QPointF(half * 1.1, half * 0.9), center + QPointF(-half * 1.1, half * 0.9)})); break;
    default: painter.drawPolygon(QPolygonF({center + QPointF(0, -half * 1.2), center + QPointF(half * 1.2, 0), center + QPointF(0, half * 1.2), center + QPointF(-half * 1.2, 0)})); break;
    }
}

void drawPlot(QPainter& painter, const QRectF& area, const Plot& plot, const PlotLook& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(look.font);
    const QFontMetricsF metrics(look.font);
    const QVector<double> yMarks = axisMarks(highestOf(plot, false), 4), xMarks = axisMarks(highestOf(plot, true), 5);
    double left = 0;
    for (const double y : yMarks) left = std::max(left, metrics.horizontalAdvance(plot.yText(y)));
    Axes axes;
    axes.area = area.adjusted(left + 2 * kGap, metrics.height() + kGap + 2, -kGap, -2 * metrics.height() - 2 * kGap);
    axes.xMost = xMarks.last() > 0 ? xMarks.last() : 1;
    axes.yMost = yMarks.last() > 0 ? yMarks.last() : 1;
    drawAxes(painter, axes, area, plot, look, xMarks, yMarks);
    QVector<QRectF> taken;
    for (const NamedPoint& point : plot.points) {
        const QPointF center = axes.at(point.x, point.y);
        taken += QRectF(center.x() - kPointSize / 2, center.y() - kPointSize / 2, kPointSize, kPointSize);
    }
    if (plot.level >= 0) {
        const QPointF from = axes.at(0, plot.level);
        painter.setPen(QPen(look.quietText, 1, Qt::DashLine));
        painter.drawLine(from, QPointF(axes.area.right(), from.y()));
        const QSizeF size(metrics.horizontalAdvance(plot.levelLabel) + 2, metrics.height());
        const QRectF label(axes.area.right() - size.width(), from.y() - size.height() - 1, size.width(), size.height());
        painter.setPen(look.quietText);
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, plot.levelLabel);
        taken += label;
    }
    for (const NamedPoint& point : plot.points) {
        const QPointF center = axes.at(point.x, point.y);
        const QColor color = look.colors.isEmpty() ? look.text : look.colors[point.shape % look.colors.size()];
        if (point.yError > 0) {
            painter.setPen(QPen(color, 1.5));
            const double top = axes.at(point.x, point.y + point.yError).y(), bottom = std::min(axes.area.bottom(), axes.at(point.x, point.y - point.yError).y());
            painter.drawLine(QPointF(center.x(), top), QPointF(center.x(), bottom));
            for (const double y : {top, bottom}) painter.drawLine(QPointF(center.x() - 3, y), QPointF(center.x() + 3, y));
        }
        drawShape(painter, point.shape, center, kPointSize, color);
        const QRectF label = placeFor({metrics.horizontalAdvance(point.label) + 2, metrics.height()}, center, area, taken);
        taken += label;
        painter.setPen(look.text);
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, point.label);
    }
    painter.restore();
}

} // namespace steelyard
