// What the gauges show: the devices of the engine's snapshot, and before a load what it would take.
//
// Invariant: figures are the snapshot's own, never added up anew; what is not known is -1, never 0. While the chosen model
// is not loaded, the prediction for it stands beside the measured values; once loaded, both can be compared. Knows nothing
// of colours and chats.
#pragma once

#include "gui/engine_client/engine_client.h"
#include "gui/memory/remedies.h"

#include <QObject>
#include <QQmlListProperty>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

constexpr int kHistoryLength = 240; // a minute of snapshots

// One device in use. Bytes as double, because QML numbers are.
class DeviceGauge : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the memory model")
    Q_PROPERTY(QString deviceId MEMBER deviceId NOTIFY changed FINAL)
    Q_PROPERTY(QString name MEMBER name NOTIFY changed FINAL)
    Q_PROPERTY(bool systemMemory MEMBER systemMemory NOTIFY changed FINAL)
    Q_PROPERTY(double totalBytes MEMBER totalBytes NOTIFY changed FINAL)
    Q_PROPERTY(double weightsBytes MEMBER weightsBytes NOTIFY changed FINAL)
    Q_PROPERTY(double residentBytes MEMBER residentBytes NOTIFY changed FINAL)
    Q_PROPERTY(double kvUsedBytes MEMBER kvUsedBytes NOTIFY changed FINAL)
    Q_PROPERTY(double kvCachedBytes MEMBER kvCachedBytes NOTIFY changed FINAL)
    Q_PROPERTY(double kvReservedBytes MEMBER kvReservedBytes NOTIFY changed FINAL)
    Q_PROPERTY(double computeBytes MEMBER computeBytes NOTIFY changed FINAL)
    Q_PROPERTY(double draftBytes MEMBER draftBytes NOTIFY changed FINAL) // the model that guesses ahead, all of it
    Q_PROPERTY(double otherBytes MEMBER otherBytes NOTIFY changed FINAL)
    Q_PROPERTY(double freeBytes MEMBER freeBytes NOTIFY changed FINAL)
    Q_PROPERTY(double ownBytes MEMBER ownBytes NOTIFY changed FINAL)         // all that this program takes
    Q_PROPERTY(QList<double> history MEMBER history NOTIFY changed FINAL)    // ownBytes of the last minute, oldest first

public:
    using QObject::QObject;
    void read(const DeviceSnapshot& device);

    QString deviceId, name;
    bool systemMemory = false;
    double totalBytes = -1, weightsBytes = 0, residentBytes = -1, kvUsedBytes = 0, kvCachedBytes = 0, kvReservedBytes = 0,
           computeBytes = 0, draftBytes = 0, otherBytes = -1, freeBytes = -1, ownBytes = 0;
    QList<double> history;

signals:
    void changed();
};

class MemoryModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(QQmlListProperty<steelyard::DeviceGauge> devices READ devices NOTIFY devicesChanged FINAL)
    Q_PROPERTY(Prediction prediction READ prediction NOTIFY predictionChanged FINAL)
    Q_PROPERTY(QString predictionDevice READ predictionDevice NOTIFY predictionChanged FINAL)
    Q_PROPERTY(double predictedWeightsBytes READ predictedWeightsBytes NOTIFY predictionChanged FINAL)
    Q_PROPERTY(double predictedKvBytes READ predictedKvBytes NOTIFY predictionChanged FINAL)
    Q_PROPERTY(double predictedComputeBytes READ predictedComputeBytes NOTIFY predictionChanged FINAL)
    Q_PROPERTY(double predictedDraftBytes READ predictedDraftBytes NOTIFY predictionChanged FINAL)
    Q_PROPERTY(QString predictionText READ predictionText NOTIFY predictionChanged FINAL) // "fits", "tight", ...
    Q_PROPERTY(QVariantList remedies READ remedies NOTIFY remediesChanged FINAL) // what helps where it does not fit: see remedies.h
    Q_PROPERTY(bool loaded READ loaded NOTIFY factsChanged FINAL)
    Q_PROPERTY(QVariantList ledger READ ledger NOTIFY ledgerChanged FINAL)          // rows {title, value, note}
    Q_PROPERTY(QString differenceText READ differenceText NOTIFY ledgerChanged FINAL) // measured and predicted differ, or empty
    Q_PROPERTY(QString measuredDevice READ measuredDevice NOTIFY ledgerChanged FINAL) // of the loaded model, or empty
    Q_PROPERTY(double measuredPredictionBytes READ measuredPredictionBytes NOTIFY ledgerChanged FINAL) // what its load was to take; -1 = unknown
    Q_PROPERTY(int historyLength READ historyLength CONSTANT FINAL)

public:
    enum class Prediction { None, Working, Fits, Tight, WillNotFit, Unknown, Failed };
    Q_ENUM(Prediction)

    explicit MemoryModel(EngineClient* engine, const ModelList* models = nullptr, QObject* parent = nullptr);

    // The model that would be loaded next; an empty path for none.
    void choose(const LoadOptions& options);

    QQmlListProperty<DeviceGauge> devices() { return {this, &m_devices}; }
    const QList<DeviceGauge*>& deviceList() const { return m_devices; }
    Prediction prediction() const { return m_prediction; }
    QString predictionDevice() const;
    double predictedWeightsBytes() const { return shownPlan() ? double(m_plan->weightsBytes) : 0; }
    double predictedKvBytes() const { return shownPlan() ? double(m_plan->kvBytes) : 0; }
    double predictedComputeBytes() const { return shownPlan() ? double(m_plan->computeBytes) : 0; }
    double predictedDraftBytes() const { return shownPlan() ? double(m_plan->draftBytes) : 0; }
    QString predictionText() const;
    QVariantList remedies() const { return m_remedies.rows(); }
    bool loaded() const { return m_engine->facts().has_value(); }
    QVariantList ledger() const;
    QString differenceText() const;
    QString measuredDevice() const;
    double measuredPredictionBytes() const;
    static int historyLength() { return kHistoryLength; }

    Q_INVOKABLE QString bytesText(double bytes) const;  // "2.4 GB", "unknown" below 0
    Q_INVOKABLE QString exactText(double bytes) const;  // "2,400,123,904 bytes"

    bool eventFilter(QObject* object, QEvent* event) override;

signals:
    void devicesChanged();
    void predictionChanged();
    void remediesChanged();
    void factsChanged();
    void ledgerChanged();

private:
    void readSnapshot();
    void modelStateChanged();
    void startPrediction();
    void addCacheRows(QVariantList& rows) const; // of m_plan
    bool shownPlan() const { return m_plan && m_prediction != Prediction::None; }

    EngineClient* m_engine;
    Remedies m_remedies;
    QList<DeviceGauge*> m_devices;
    LoadOptions m_chosen;
    Prediction m_prediction = Prediction::None;
    QString m_planProblem;
    std::optional<MemoryPlan> m_plan;
    LoadOptions m_planOf;              // what m_plan was made for
    quint64 m_planNumber = 0;          // answers to older questions are dropped
    QTimer m_afterUnload;
};

} // namespace steelyard
