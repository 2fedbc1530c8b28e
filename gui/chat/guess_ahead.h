// How replies guess ahead, chosen for each model: not at all, by looking up, or by looking up and with a smaller model or the
// layer that predicts tokens in files that have one.
//
// Invariant: what was not chosen is the setting's default; a smaller model that is gone counts as looking up. The choice is
// remembered between starts. Knows nothing of chats or of how guesses are checked.
#pragma once

#include "gui/engine_client/engine_client.h"

#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class ModelList;
class Store;

class GuessAhead : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("part of the chat desk")

public:
    GuessAhead(Store* store, ModelList* models, QObject* parent = nullptr);

    void restore(const QJsonObject& choices); // as remember() stored them
    void setOn(bool on);                      // for models without a choice of their own

    SpeculationOptions options(const QString& modelPath) const;
    QString draft(const QString& modelPath) const; // the smaller model's path, or empty
    bool usesPredictor(const QString& modelPath) const;
    void sawPredictor(const QString& modelPath); // its file has such a layer

    // "off", "lookup", "predictor", or the path of a smaller model.
    Q_INVOKABLE QString choice(const QString& modelPath) const;
    Q_INVOKABLE void choose(const QString& modelPath, const QString& choice);
    // What can be chosen: maps of "value", "text", "note", "enabled".
    Q_INVOKABLE QVariantList choices(const QString& modelPath) const;
    // What the choice means, in plain words.
    Q_INVOKABLE QString explanation(const QString& modelPath) const;

    static QString storedKey(); // of the setting that remembers the choices

signals:
    void changed();

private:
    Store* m_store;
    ModelList* m_models;
    QJsonObject m_choices; // model path to choice
    QStringList m_predictors;  // models with such a layer, as far as they were loaded
    bool m_on = true;
};

} // namespace steelyard
