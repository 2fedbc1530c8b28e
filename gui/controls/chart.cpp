#include "gui/controls/chart.h"

#include <QPainter>

#include <algorithm>

namespace steelyard {

Chart::Chart(QQuickItem* parent) : QQuickPaintedItem(parent) { setImplicitSize(240, 64); }

QList<QPointF> Chart::points(const QSizeF& size) const {
    QList<QPointF> points;
    if (m_highest <= 0) return points;
    const qsizetype shown = std::min<qsizetype>(m_values.size(), m_span);
    const double step = size.width() / (m_span - 1);
    for (qsizetype i = 0; i < shown; ++i) {
        const double share = std::clamp(m_values[m_values.size() - shown + i] / m_highest, 0.0, 1.0);
        points.append({size.width() - double(shown - 1 - i) * step, size.height() * (1 - share)});
    }
    return points;
}

void Chart::paint(QPainter* painter) {
    constexpr double kStroke = 1.5;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(0, kStroke / 2); // the line stays inside at both ends
    const QSizeF size(width(), height() - kStroke);
    const QList<QPointF> line = points(size);
    if (line.size() > 1) {
        QPolygonF area(line);
        area << QPointF(line.last().x(), height()) << QPointF(line.first().x(), height());
        QColor ground = m_color;
        ground.setAlphaF(0.18f);
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawPolygon(area);
        painter->setPen(QPen(m_color, kStroke));
        painter->drawPolyline(QPolygonF(line));
    }
    if (m_level < 0 || m_highest <= 0) return;
    const double y = size.height() * (1 - std::clamp(m_level / m_highest, 0.0, 1.0));
    painter->setPen(QPen(m_levelColor, 1, Qt::DashLine));
    painter->drawLine(QPointF(0, y), QPointF(size.width(), y));
}

} // namespace steelyard
