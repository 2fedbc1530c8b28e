// Fills its area with a pattern of thin lines or dots, so that areas are told apart without their colour.
//
// Invariant: the pattern is tied to the item's left edge and does not shift while the item grows. Knows nothing of what it
// stands for.
#pragma once

#include <QColor>
#include <QQuickPaintedItem>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class Pattern : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(Kind kind READ kind WRITE setKind NOTIFY kindChanged FINAL)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY colorChanged FINAL)
    Q_PROPERTY(qreal spacing READ spacing WRITE setSpacing NOTIFY spacingChanged FINAL) // between lines or dots

public:
    enum Kind { Plain, Hatch, BackHatch, Vertical, Dots, Cross };
    Q_ENUM(Kind)

    explicit Pattern(QQuickItem* parent = nullptr) : QQuickPaintedItem(parent) {}

    Kind kind() const { return m_kind; }
    void setKind(Kind kind);
    QColor color() const { return m_color; }
    void setColor(const QColor& color);
    qreal spacing() const { return m_spacing; }
    void setSpacing(qreal spacing);

    void paint(QPainter* painter) override;

protected:
    QSGNode* updatePaintNode(QSGNode* node, UpdatePaintNodeData* data) override;

signals:
    void kindChanged();
    void colorChanged();
    void spacingChanged();

private:
    Kind m_kind = Plain;
    QColor m_color = Qt::black;
    qreal m_spacing = 7;
};

} // namespace steelyard
