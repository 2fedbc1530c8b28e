// One answer forced through all columns, token by token, as the page draws it.
//
// Invariant: levels run from 0 (as the reference, or first choice) to 3 (far from it, or a late choice) and follow fixed limits, which
// the legend names. Stored with a comparison as JSON. Knows nothing of engines at work.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class SameTextView : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(bool filled READ filled NOTIFY changed)
    Q_PROPERTY(bool sameTokens READ sameTokens NOTIFY changed) // token i is the same one in all columns
    Q_PROPERTY(int reference READ reference NOTIFY changed)
    // Of each column: {name, summary, problem, isReference, tokens: [{text, kl, klLevel, rank, rankLevel, summary}]}
    Q_PROPERTY(QVariantList columns READ columns NOTIFY changed)
    Q_PROPERTY(QStringList klScale READ klScale NOTIFY changed)
    Q_PROPERTY(QStringList rankScale READ rankScale NOTIFY changed)

public:
    using QObject::QObject;

    bool filled() const { return !m_same.columns.empty(); }
    bool sameTokens() const { return m_same.sameTokens; }
    int reference() const { return int(m_same.reference); }
    QVariantList columns() const;
    QStringList klScale() const;
    QStringList rankScale() const;

    // The most probable tokens of a column in the place of a token: {text, percent, share, chosen}.
    Q_INVOKABLE QVariantList alternatives(int column, int token) const;
    // What is to be said of one token in a column: "41 % · third choice · 0.12 nats".
    Q_INVOKABLE QString tokenSummary(int column, int token) const;

    static int klLevel(double kl);
    static int rankLevel(unsigned rank);

    void set(const SameText& sameText, const QStringList& names);
    void clear();
    QJsonObject toJson() const;
    void fromJson(const QJsonObject& json, const QStringList& names);
    void retranslate() { emit changed(); }

signals:
    void changed();

private:
    SameText m_same;
    QStringList m_names;
};

} // namespace steelyard
