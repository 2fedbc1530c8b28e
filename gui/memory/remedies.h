// What helps when a model does not fit, or only just: each way out with the prediction that it leads to.
//
// Invariant: only what can be done now is offered: a shorter context, a KV cache of eight bits, unloading the model that is
// there, a smaller file of the list, another device. Predictions are the engine's own plans; those that arrive late are dropped. Knows nothing of buttons.
#pragma once

#include "gui/engine_client/engine_client.h"

#include <QObject>
#include <QVariantList>

namespace steelyard {

class ModelList;

class Remedies : public QObject {
    Q_OBJECT

public:
    // `models` may be null: then no other file is offered.
    Remedies(EngineClient* engine, const ModelList* models, QObject* parent = nullptr);

    // Looks for what helps this load, which `plan` was made for.
    void find(const LoadOptions& options, const MemoryPlan& plan);
    void clear();

    // Maps of "kind" ("context", "cache", "unload", "model", "device"), "value" (what is to be chosen), "text", "outcome", "fits".
    QVariantList rows() const;

signals:
    void changed();

private:
    enum class Kind { Context, Cache, Unload, Model, Device };
    struct Remedy {
        Kind kind;
        QString value, name;
        MemoryPlan::Fit fit;
        quint64 missingBytes;
    };

    void tryPlan(Kind kind, const LoadOptions& options, const QString& value, const QString& name);
    void add(const Remedy& remedy);
    QString textOf(const Remedy& remedy) const;
    static QString outcomeOf(const Remedy& remedy);

    EngineClient* m_engine;
    const ModelList* m_models;
    QList<Remedy> m_rows; // by kind, then in order of arrival
    quint64 m_number = 0; // of the question that is open
};

} // namespace steelyard
