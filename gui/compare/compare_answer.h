// One answer of one column: what it says, what it does now, and what it took.
//
// Invariant: figures are there only once they were measured; marks only once the answers that they compare are whole. Knows
// nothing of other columns.
#pragma once

#include "gui/engine_client/comparison_port.h"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace steelyard {

// What an answer took, as the engine measured it.
struct AnswerFigures {
    int promptTokens = 0, tokens = 0;
    double ttftMs = 0, prefillTokensPerSecond = 0, decodeTokensPerSecond = 0, itlP50Ms = 0, itlP95Ms = 0, loadMs = 0;
    double acceptedShare = -1; // of tokens guessed ahead; below 0 = none were guessed
    bool besideOthers = false; // measured while other columns answered too
};

class CompareAnswer : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the comparison")
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(QString text READ text NOTIFY textChanged)
    Q_PROPERTY(QString marked READ marked NOTIFY textChanged) // rich text in which words of its own are marked, or empty
    Q_PROPERTY(QString status READ status NOTIFY changed)     // what it does now, why it ended early; empty for an ordinary end
    Q_PROPERTY(double fraction READ fraction NOTIFY changed)  // of the load
    Q_PROPERTY(QString problem READ problem NOTIFY changed)
    Q_PROPERTY(QString difference READ difference NOTIFY textChanged) // "parts after 12 words, in 3 places"
    Q_PROPERTY(QVariantList figures READ figures NOTIFY changed)      // {label, value, tip}

public:
    enum State { Waiting, Loading, Reading, Writing, Done, Failed };
    Q_ENUM(State)

    using QObject::QObject;

    State state() const { return m_state; }
    const QString& text() const { return m_text; }
    const QString& marked() const { return m_marked; }
    QString status() const;
    double fraction() const { return m_fraction; }
    QString problem() const;
    QString difference() const;
    QVariantList figures() const;
    bool isOver() const { return m_state == Done || m_state == Failed; }
    const std::vector<int32_t>& ids() const { return m_ids; }
    const std::optional<AnswerFigures>& measured() const { return m_figures; }

    void load(double fraction);
    void read(int readTokens, int allTokens);
    void append(const QString& text);
    void finish(const ColumnAnswer& answer);
    void stop(const QString& sentence); // it will not come: the engine's sentence, or empty when the person stopped it
    // Marks where this answer has words that the one it is compared with has not. `isReference`: the others are compared with this one.
    void mark(const std::vector<AnswerPiece>& pieces, const AnswerDifferences& differences, bool isReference);
    void retranslate();

    QJsonObject toJson() const;
    void fromJson(const QJsonObject& json);

signals:
    void changed();
    void textChanged();

private:
    State m_state = Waiting;
    QString m_text, m_marked, m_problem;
    double m_fraction = 0;
    int m_readTokens = 0, m_allTokens = 0;
    StopReason m_reason = StopReason::EndToken;
    std::vector<int32_t> m_ids;
    std::optional<AnswerFigures> m_figures;
    std::optional<AnswerDifferences> m_differences; // without its pieces
    bool m_isReference = false;
};

} // namespace steelyard
