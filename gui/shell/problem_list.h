// What the person should know about the program itself: a sentence each, and what to press.
//
// Invariant: a problem stands once by its key; the newest text counts; a dismissed one stays away until its text changes. Knows
// nothing of where problems come from.
#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class ProblemList : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")

public:
    struct Problem {
        QString key;
        QString tone;   // "info", "warn", "bad"
        QString text;
        QString action; // the button's word, or empty
    };
    enum Role { KeyRole = Qt::UserRole + 1, ToneRole, TextRole, ActionRole };

    using QAbstractListModel::QAbstractListModel;

    // An empty text takes the problem away.
    void set(const Problem& problem);
    const QVector<Problem>& problems() const { return m_problems; }

    Q_INVOKABLE void dismiss(const QString& key);
    Q_INVOKABLE void act(const QString& key) { emit acted(key); }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

signals:
    void acted(const QString& key); // the button of a problem was pressed
    void dismissed(const QString& key, const QString& text);

private:
    qsizetype find(const QString& key) const;

    QVector<Problem> m_problems;
    QHash<QString, QString> m_dismissed; // key to text
};

} // namespace steelyard
