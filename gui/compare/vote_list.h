// The blind votes of all comparisons, pair by pair, and what they prove.
//
// Invariant: a vote for one of several columns counts against each of the others; rows follow the store. Knows nothing of answers.
#pragma once

#include "gui/store/store.h"

#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class VoteList : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(QVariantList pairs READ pairs NOTIFY changed) // {first, second, firstWins, secondWins, ties, words}
    Q_PROPERTY(int count READ count NOTIFY changed)

public:
    explicit VoteList(Store* store, QObject* parent = nullptr);

    QVariantList pairs() const;
    int count() const { return int(m_counts.size()); }
    const QVector<VoteCount>& counts() const { return m_counts; }

    // `winner` is an index of `names`, or -1 for no difference.
    void cast(qint64 comparisonId, const QStringList& names, int winner);
    void reload();
    void retranslate() { emit changed(); }

    static QString inWords(const VoteCount& count);

signals:
    void changed();
    void failed(const QString& sentence);

private:
    Store* m_store;
    QVector<VoteCount> m_counts;
};

} // namespace steelyard
