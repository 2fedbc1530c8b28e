#include "gui/compare/vote_list.h"

#include "gui/compare/vote_confidence.h"

#include <QLocale>

#include <algorithm>

namespace steelyard {

VoteList::VoteList(Store* store, QObject* parent) : QObject(parent), m_store(store) { reload(); }

void VoteList::reload() {
    m_store->run(this, [](Repositories& r) { return r.votes.counts(); }, [this](const Result<QVector<VoteCount>>& counts) {
        if (!counts) return emit failed(QString::fromStdString(counts.sentence()));
        m_counts = *counts;
        emit changed();
    });
}

void VoteList::cast(qint64 comparisonId, const QStringList& names, int winner) {
    const auto store = [comparisonId, names, winner](Repositories& r) -> Result<void> {
        for (int i = 0; i < names.size(); ++i) {
            for (int j = i + 1; j < names.size(); ++j) {
                if (winner >= 0 && winner != i && winner != j) continue; // says nothing of these two
                const auto outcome = winner < 0 ? VoteRepository::Outcome::NoDifference : winner == i ? VoteRepository::Outcome::First : VoteRepository::Outcome::Second;
                if (auto added = r.votes.add(comparisonId, names[i], names[j], outcome); !added) return added;
            }
        }
        return {};
    };
    m_store->run(this, store, [this](const Result<void>& done) {
        if (!done) emit failed(QString::fromStdString(done.sentence()));
        reload();
    });
}

QString VoteList::inWords(const VoteCount& count) {
    const int votes = count.firstWins + count.secondWins;
    if (votes == 0) return tr("%Ln vote(s), all without a difference", nullptr, count.ties);
    const bool first = count.firstWins >= count.secondWins;
    const int wins = std::max(count.firstWins, count.secondWins);
    const ShareRange range = wilsonRange(wins, votes);
    const double luck = chanceOfLuck(count.firstWins, count.secondWins);
    const QLocale locale;
    const QString share = tr("between %1 and %2 % with 95 % confidence").arg(qRound(100 * range.least)).arg(qRound(100 * range.most));
    if (count.firstWins == count.secondWins) return tr("even: %1 to %2").arg(count.firstWins).arg(count.secondWins) + QStringLiteral(" · ") + share;
    const QString who = tr("%1 preferred in %2 of %3 votes").arg(first ? count.first : count.second).arg(wins).arg(votes);
    const QString proof = luck < 0.05 ? tr("hardly by luck (%1 %)").arg(locale.toString(100 * luck, 'f', luck < 0.01 ? 2 : 1)) : tr("may be luck (%1 %)").arg(qRound(100 * luck));
    return who + QStringLiteral(" · ") + share + QStringLiteral(" · ") + proof;
}

QVariantList VoteList::pairs() const {
    QVariantList all;
    for (const VoteCount& count : m_counts)
        all += QVariantMap{{QStringLiteral("first"), count.first}, {QStringLiteral("second"), count.second}, {QStringLiteral("firstWins"), count.firstWins},
                           {QStringLiteral("secondWins"), count.secondWins}, {QStringLiteral("ties"), count.ties}, {QStringLiteral("words"), inWords(count)}};
    return all;
}

} // namespace steelyard
