// The model of the window as the chat page shows it: what is chosen, how far its load is, and what there is to know of it.
//
// Invariant: every sentence here is for people; the state is the engine client's. Knows nothing of chats.
#pragma once

#include "gui/engine_client/engine_client.h"
#include "gui/engine_client/engine_words.h"

#include <QAbstractItemModel>
#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class ModelList;

class ModelControl : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("part of the chat desk")
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(qreal fraction READ fraction NOTIFY fractionChanged)
    Q_PROPERTY(QString path READ path NOTIFY changed)         // loading, ready or failed
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString failure READ failure NOTIFY changed)
    Q_PROPERTY(QString facts READ facts NOTIFY changed)       // "gemma3 · 268 M · Q4_K_M · on NVIDIA ..." when ready
    Q_PROPERTY(bool baseModel READ baseModel NOTIFY changed)  // ready, and continues text
    Q_PROPERTY(QString templateProblem READ templateProblem NOTIFY changed)
    Q_PROPERTY(QString notices READ notices NOTIFY changed)
    Q_PROPERTY(int contextLength READ contextLength NOTIFY changed)   // reserved; 0 when nothing is loaded
    Q_PROPERTY(int trainedContext READ trainedContext NOTIFY changed) // 0 = unknown
    Q_PROPERTY(QAbstractItemModel* models READ models CONSTANT)
    Q_PROPERTY(int modelCount READ modelCount NOTIFY modelsChanged)

public:
    enum State { None, Loading, Ready, Failed };
    Q_ENUM(State)

    ModelControl(EngineClient* engine, ModelList* models, QObject* parent = nullptr);

    State state() const;
    qreal fraction() const { return m_engine->loadFraction(); }
    QString path() const { return m_engine->modelPath(); }
    QString title() const;
    QString failure() const { return inWords(m_engine->failure()); }
    QString facts() const;
    bool baseModel() const;
    QString templateProblem() const;
    QString notices() const; // sentences, one a line
    int contextLength() const;
    int trainedContext() const;
    QAbstractItemModel* models() const;
    int modelCount() const;

    Q_INVOKABLE void cancelLoad() { m_engine->cancelLoad(); }
    Q_INVOKABLE void unload() { m_engine->unload(); }
    // "Gemma 3 270M · Q4_K_M"; empty for an empty path.
    Q_INVOKABLE QString titleOf(const QString& path) const;
    Q_INVOKABLE bool isStarter(const QString& path) const;

signals:
    void changed();
    void fractionChanged();
    void modelsChanged();

private:
    EngineClient* m_engine;
    ModelList* m_models;
};

} // namespace steelyard
