#include "gui/controls/pattern.h"

#include <QPainter>
#include <QSGNode>

#include <algorithm>

namespace steelyard {

void Pattern::setKind(Kind kind) {
    if (kind == m_kind) return;
    m_kind = kind;
    update();
    emit kindChanged();
}

void Pattern::setColor(const QColor& color) {
    if (color == m_color) return;
    m_color = color;
    update();
    emit colorChanged();
}

void Pattern::setSpacing(qreal spacing) {
    spacing = std::max<qreal>(3, spacing); // nearer than this it is a grey area, not a pattern
    if (spacing == m_spacing) return;
    m_spacing = spacing;
    update();
    emit spacingChanged();
}

// An area under a pixel has nothing to paint on.
QSGNode* Pattern::updatePaintNode(QSGNode* node, UpdatePaintNodeData* data) {
    if (width() >= 1 && height() >= 1) return QQuickPaintedItem::updatePaintNode(node, data);
    delete node;
    return nullptr;
}

void Pattern::paint(QPainter* painter) {
    if (m_kind == Plain) return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_color, 1.4));
    const qreal w = width(), h = height();
    if (m_kind == Hatch || m_kind == Cross)
        for (qreal x = -h; x < w; x += m_spacing) painter->drawLine(QPointF(x, h), QPointF(x + h, 0));
    if (m_kind == BackHatch || m_kind == Cross)
        for (qreal x = -h; x < w; x += m_spacing) painter->drawLine(QPointF(x, 0), QPointF(x + h, h));
    if (m_kind == Vertical)
        for (qreal x = m_spacing / 2; x < w; x += m_spacing) painter->drawLine(QPointF(x, 0), QPointF(x, h));
    if (m_kind == Dots) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_color);
        int row = 0;
        for (qreal y = m_spacing / 2; y < h; y += m_spacing / 1.4, ++row)
            for (qreal x = row % 2 ? m_spacing : m_spacing / 2; x < w; x += m_spacing) painter->drawEllipse(QPointF(x, y), 1.1, 1.1);
    }
}

} // namespace steelyard
