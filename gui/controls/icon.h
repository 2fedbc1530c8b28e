// A line icon of resources/icons in one colour.
//
// Icons are drawn black on a 20 px grid; their shape is kept and their colour replaced, so that one file serves both
// themes and every state. Invariant: sharp at any size and scale, because it is drawn from the SVG at the item's size.
// Knows nothing of the theme: the colour comes from outside.
#pragma once

#include <QColor>
#include <QQuickPaintedItem>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class Icon : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString name READ name WRITE setName NOTIFY nameChanged FINAL)    // the file's stem; unknown = nothing
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY colorChanged FINAL)
    Q_PROPERTY(int size READ size WRITE setSize NOTIFY sizeChanged FINAL)        // pixels, both ways

public:
    explicit Icon(QQuickItem* parent = nullptr);

    QString name() const { return m_name; }
    void setName(const QString& name);
    QColor color() const { return m_color; }
    void setColor(const QColor& color);
    int size() const { return m_size; }
    void setSize(int size);

    void paint(QPainter* painter) override;

signals:
    void nameChanged();
    void colorChanged();
    void sizeChanged();

private:
    QString m_name;
    QColor m_color = Qt::black;
    int m_size = 20;
};

} // namespace steelyard
