#include "gui/controls/point_plot.h"

#include <QLocale>
#include <QVariantMap>

#include <algorithm>
#include <cmath>
#include <utility>

namespace steelyard {

QString bytesMark(double value) {
    return value <= 0 ? QLocale().toString(0) : QLocale().formattedDataSize(qint64(value), value < 1e6 ? 0 : std::fmod(value, 1e9) == 0 || value < 1e9 ? 0 : 1, QLocale::DataSizeSIFormat);
}

QString numberMark(double value) { return QLocale().toString(value, 'g', 4); }

PointPlot::PointPlot(QQuickItem* parent) : QQuickPaintedItem(parent) { setImplicitSize(320, 220); }

void PointPlot::paint(QPainter* painter) {
    Plot plot;
    for (const QVariant& value : std::as_const(m_points)) {
        const QVariantMap point = value.toMap();
        plot.points += NamedPoint{point.value(QStringLiteral("x")).toDouble(), point.value(QStringLiteral("y")).toDouble(),
                                  point.value(QStringLiteral("yError")).toDouble(), point.value(QStringLiteral("label")).toString(),
                                  point.value(QStringLiteral("column")).toInt()};
    }
    plot.xTitle = m_xTitle;
    plot.yTitle = m_yTitle;
    plot.xText = bytesMark;
    plot.yText = numberMark;
    plot.level = m_level;
    plot.levelLabel = m_levelLabel;
    drawPlot(*painter, boundingRect(), plot, {m_textColor, m_quietColor, m_lineColor, Qt::transparent, m_colors, m_font});
}

PointMark::PointMark(QQuickItem* parent) : QQuickPaintedItem(parent) { setImplicitSize(14, 14); }

void PointMark::paint(QPainter* painter) {
    painter->setRenderHint(QPainter::Antialiasing);
    drawShape(*painter, m_shape, boundingRect().center(), std::min(width(), height()) * 0.72, m_color);
}

} // namespace steelyard
