#include "gui/controls/icon.h"

#include <QPainter>
#include <QSvgRenderer>

namespace steelyard {

Icon::Icon(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    setImplicitSize(m_size, m_size);
}

void Icon::setName(const QString& name) {
    if (name == m_name) return;
    m_name = name;
    update();
    emit nameChanged();
}

void Icon::setColor(const QColor& color) {
    if (color == m_color) return;
    m_color = color;
    update();
    emit colorChanged();
}

void Icon::setSize(int size) {
    if (size == m_size) return;
    m_size = size;
    setImplicitSize(size, size);
    update();
    emit sizeChanged();
}

void Icon::paint(QPainter* painter) {
    if (m_name.isEmpty()) return;
    QSvgRenderer svg(QStringLiteral(":/icons/%1.svg").arg(m_name));
    if (!svg.isValid()) return;
    svg.setAspectRatioMode(Qt::KeepAspectRatio);
    // The shape is drawn apart and tinted, since painting over the item's own surface would tint what lies beside it too.
    const qreal scale = painter->deviceTransform().m11();
    QImage image((QSizeF(width(), height()) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return;
    image.fill(Qt::transparent);
    QPainter tint(&image);
    tint.setRenderHint(QPainter::Antialiasing);
    svg.render(&tint, QRectF(QPointF(0, 0), image.size()));
    tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
    tint.fillRect(image.rect(), m_color);
    tint.end();
    painter->drawImage(QRectF(0, 0, width(), height()), image);
}

} // namespace steelyard
