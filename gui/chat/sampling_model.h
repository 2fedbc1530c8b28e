// The rows of the sampling section: what each number is for the open chat, whether the chat chose it, and what form its replies have.
//
// Invariant: nothing is kept here; what is chosen is told by `chosen`, and what counts comes in by show(). Knows nothing of the store.
#pragma once

#include "gui/chat/sampling_parameters.h"
#include "gui/engine_client/engine_client.h"

#include <QAbstractListModel>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class SamplingModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("part of the chat session")
    Q_PROPERTY(int ownCount READ ownCount NOTIFY shown)                       // what the chat chose itself
    Q_PROPERTY(int hiddenOwnCount READ hiddenOwnCount NOTIFY shown)           // of those, in the part that can be folded
    Q_PROPERTY(int form READ form NOTIFY shown)                               // a ReplyForm
    Q_PROPERTY(QString formText READ formText NOTIFY shown)
    Q_PROPERTY(QString formProblem READ formProblem NOTIFY formProblemChanged) // in the window's language; empty = sound
    Q_PROPERTY(bool logprobs READ logprobs NOTIFY shown)

public:
    enum Role { KeyRole = Qt::UserRole + 1, LabelRole, TipRole, GroupRole, FromRole, ToRole, StepRole, ValueRole, OwnRole, IsTextRole, TextRole, ExampleRole, ProblemRole, BeginsRole };

    explicit SamplingModel(EngineClient* engine, QObject* parent = nullptr);

    // What the chat chose, and what counts for the rest.
    void show(const QJsonObject& own, const SamplingOptions& model);
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    Q_INVOKABLE void setNumber(const QString& key, double value);
    Q_INVOKABLE void setText(const QString& key, const QString& text);
    Q_INVOKABLE void reset(const QString& key);
    Q_INVOKABLE void resetAll();
    Q_INVOKABLE void setForm(int form);
    Q_INVOKABLE void setFormText(const QString& text);
    Q_INVOKABLE void setLogprobs(bool on);

    int ownCount() const;
    int hiddenOwnCount() const;
    int form() const { return static_cast<int>(replyFormOf(m_own)); }
    QString formText() const;
    QString formProblem() const { return m_formProblem; }
    bool logprobs() const { return m_own.value(QLatin1String(kLogprobsKey)).toBool(); }

signals:
    void chosen(const QString& key, const QJsonValue& value); // Undefined = no longer
    void shown();
    void formProblemChanged();

private:
    QString problemOf(const SamplingText& row) const;
    void checkForm();
    void setFormProblem(const QString& problem);

    EngineClient* m_engine;
    QJsonObject m_own;
    SamplingOptions m_model;
    QTimer m_formTimer;
    QString m_checkedText, m_formProblem;
    int m_checkedForm = 0;
    int m_check = 0; // late answers are told by it
};

} // namespace steelyard
