#include "gui/memory/memory_model.h"

#include "gui/engine_client/engine_words.h"
#include "gui/store/known_models.h"
#include "gui/store/model_list.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLocale>

#include <cmath>

namespace steelyard {

namespace {

constexpr int kUnloadMs = 300; // in which the engine gives the memory back

double orUnknown(const std::optional<uint64_t>& bytes) { return bytes ? double(*bytes) : -1; }

} // namespace

void DeviceGauge::read(const DeviceSnapshot& device) {
    deviceId = QString::fromStdString(device.id);
    systemMemory = device.isSystemMemory;
    name = shownDeviceName(device.name);
    if (systemMemory && name == QLatin1String("System memory")) name = tr("System memory"); // no device of a maker's name
    totalBytes = orUnknown(device.totalBytes);
    freeBytes = orUnknown(device.freeBytes);
    otherBytes = orUnknown(device.otherBytes);
    weightsBytes = double(device.use.weightsBytes);
    residentBytes = orUnknown(device.use.weightsResidentBytes);
    kvUsedBytes = double(device.use.kvUsedBytes);
    kvCachedBytes = double(device.use.kvCachedBytes);
    kvReservedBytes = double(device.use.kvReservedBytes);
    computeBytes = double(device.use.computeBytes);
    draftBytes = double(device.use.draftBytes);
    ownBytes = double(device.use.totalBytes());
    history.append(ownBytes);
    if (history.size() > kHistoryLength) history.removeFirst();
    emit changed();
}

MemoryModel::MemoryModel(EngineClient* engine, const ModelList* models, QObject* parent)
    : QObject(parent), m_engine(engine), m_remedies(engine, models) {
    connect(&m_remedies, &Remedies::changed, this, &MemoryModel::remediesChanged);
    m_afterUnload.setSingleShot(true);
    m_afterUnload.setInterval(kUnloadMs);
    connect(&m_afterUnload, &QTimer::timeout, this, [this] {
        if (m_engine->modelState() != EngineClient::ModelState::None) return;
        m_plan.reset();
        startPrediction();
    });
    connect(engine, &EngineClient::snapshotChanged, this, &MemoryModel::readSnapshot);
    connect(engine, &EngineClient::modelStateChanged, this, &MemoryModel::modelStateChanged);
    QCoreApplication::instance()->installEventFilter(this);
    readSnapshot();
}

void MemoryModel::choose(const LoadOptions& options) {
    if (options == m_chosen) return;
    m_chosen = options;
    startPrediction();
}

void MemoryModel::readSnapshot() {
    const std::shared_ptr<const Snapshot> snapshot = m_engine->snapshot();
    const auto& devices = snapshot->devices;
    bool sameDevices = qsizetype(devices.size()) == m_devices.size();
    for (qsizetype i = 0; sameDevices && i < m_devices.size(); ++i)
        sameDevices = m_devices[i]->deviceId == QString::fromStdString(devices[size_t(i)].id);
    if (!sameDevices) {
        qDeleteAll(m_devices);
        m_devices.clear();
        for (size_t i = 0; i < devices.size(); ++i) m_devices << new DeviceGauge(this);
    }
    for (qsizetype i = 0; i < m_devices.size(); ++i) m_devices[i]->read(devices[size_t(i)]);
    if (!sameDevices) emit devicesChanged();
    emit ledgerChanged();
}

void MemoryModel::modelStateChanged() {
    emit factsChanged();
    // What was unloaded gives its memory back: what was predicted before does not hold any more.
    if (m_engine->modelState() == EngineClient::ModelState::None) m_afterUnload.start();
    startPrediction();
}

void MemoryModel::startPrediction() {
    const bool isLoaded = m_engine->modelState() == EngineClient::ModelState::Ready && m_engine->loadOptions() == m_chosen;
    if (m_chosen.path.isEmpty() || isLoaded) {
        ++m_planNumber;
        m_prediction = Prediction::None;
        m_remedies.clear();
        emit predictionChanged();
        emit ledgerChanged();
        return;
    }
    if (m_plan && m_planOf == m_chosen && m_prediction != Prediction::None) return; // already shown
    const quint64 number = ++m_planNumber;
    m_plan.reset();
    m_prediction = Prediction::Working;
    m_remedies.clear();
    emit predictionChanged();
    m_engine->plan(m_chosen, this, [this, number, options = m_chosen](const Result<MemoryPlan>& plan) {
        if (number != m_planNumber) return;
        if (!plan.ok()) {
            m_prediction = Prediction::Failed;
            m_planProblem = QString::fromStdString(plan.sentence());
        } else {
            m_plan = plan.value();
            m_planOf = options;
            switch (m_plan->fit) {
            case MemoryPlan::Fit::Fits: m_prediction = Prediction::Fits; break;
            case MemoryPlan::Fit::Tight: m_prediction = Prediction::Tight; break;
            case MemoryPlan::Fit::WillNotFit: m_prediction = Prediction::WillNotFit; break;
            case MemoryPlan::Fit::Unknown: m_prediction = Prediction::Unknown; break;
            }
        }
        if (m_prediction == Prediction::WillNotFit || m_prediction == Prediction::Tight) m_remedies.find(options, *m_plan);
        emit predictionChanged();
        emit ledgerChanged();
    });
}

QString MemoryModel::predictionDevice() const { return shownPlan() ? QString::fromStdString(m_plan->deviceId) : QString(); }

QString MemoryModel::predictionText() const {
    switch (m_prediction) {
    case Prediction::None: return {};
    case Prediction::Working: return tr("weighing…");
    case Prediction::Fits: return tr("fits");
    case Prediction::Tight: return tr("tight");
    case Prediction::WillNotFit: return tr("will not fit: %1 short").arg(bytesText(double(m_plan->missingBytes)));
    case Prediction::Unknown: return tr("free memory is unknown");
    case Prediction::Failed: return inWords(m_planProblem);
    }
    return {};
}

namespace {

void addRow(QVariantList& rows, const QString& title, const QString& value, const QString& note = {}) {
    rows << QVariantMap{{QStringLiteral("title"), title}, {QStringLiteral("value"), value}, {QStringLiteral("note"), note}};
}

} // namespace

// What grows with the chat, what grows up to a window, and what stays the same at any length.
void MemoryModel::addCacheRows(QVariantList& rows) const {
    for (const PlannedKind& kind : m_plan->kinds) {
        const QString perToken = exactText(double(kind.bytesPerToken)), inAll = exactText(double(kind.fixedBytes));
        if (kind.kind == "recurrent") addRow(rows, tr("State of recurrent layers"), inAll, tr("the same at any length"));
        else if (kind.kind == "window") addRow(rows, tr("KV cache of windowed layers"), inAll, tr("at most; %1 per token").arg(perToken));
        else if (kind.kind == "latent") addRow(rows, tr("Latent cache per token"), perToken, tr("in place of keys and values"));
        else if (kind.kind == "compressed") addRow(rows, tr("Compressed cache per token"), perToken, tr("in place of keys and values"));
        else addRow(rows, tr("KV cache per token"), perToken);
    }
}

QVariantList MemoryModel::ledger() const {
    QVariantList rows;
    const auto row = [&rows](const QString& title, const QString& value, const QString& note = {}) { addRow(rows, title, value, note); };
    const QLocale locale;
    if (const auto& facts = m_engine->facts()) {
        row(tr("Model"), shownModelName(m_engine->modelPath(), qint64(facts->fileBytes), QString::fromStdString(facts->name)), QString::fromStdString(facts->architecture));
        row(tr("Quantization"), QString::fromStdString(facts->quantization),
            tr("%1 bits per weight").arg(locale.toString(facts->bitsPerWeight, 'f', 2)));
        if (!measuredDevice().isEmpty()) addCacheRows(rows);
        else if (facts->kvBytesPerToken > 0) row(tr("KV cache per token"), exactText(double(facts->kvBytesPerToken)));
        const int used = int(m_engine->snapshot()->contextUsedTokens);
        row(tr("Context"), tr("%Ln token(s)", "", int(facts->contextLength)), used > 0 ? tr("%Ln token(s) used", "", used) : QString());
        if (facts->kvBytesPerToken > 0 && !m_devices.isEmpty() && m_devices.front()->freeBytes >= 0) {
            const double reach = double(facts->contextLength) + m_devices.front()->freeBytes / double(facts->kvBytesPerToken);
            const bool modelEndsFirst = facts->trainedContext > 0 && reach > double(facts->trainedContext);
            row(tr("Memory ends at"), tr("%Ln token(s)", "", int(std::min(reach, 2147483647.0))),
                modelEndsFirst ? tr("the model itself ends at %Ln token(s)", "", int(facts->trainedContext)) : QString());
        }
    } else if (shownPlan()) {
        addCacheRows(rows);
        row(tr("Context planned"), tr("%Ln token(s)", "", int(m_plan->contextLength)),
            m_plan->contextLimit > 0 ? tr("at most %Ln token(s) fit", "", int(m_plan->contextLimit)) : QString());
    }
    return rows;
}

QString MemoryModel::measuredDevice() const {
    const bool isPlanned = m_plan && m_engine->facts() && m_planOf == m_engine->loadOptions();
    return isPlanned ? QString::fromStdString(m_plan->deviceId) : QString();
}

double MemoryModel::measuredPredictionBytes() const { return measuredDevice().isEmpty() ? -1 : double(m_plan->totalBytes); }

QString MemoryModel::differenceText() const {
    const QString id = measuredDevice();
    const double predicted = measuredPredictionBytes();
    if (predicted <= 0) return {};
    for (const DeviceGauge* device : m_devices) {
        if (device->deviceId != id) continue;
        if (std::abs(device->ownBytes - predicted) / predicted <= 0.03) return {};
        return tr("Predicted were %1, taken are %2.").arg(bytesText(predicted), bytesText(device->ownBytes));
    }
    return {};
}

QString MemoryModel::bytesText(double bytes) const { return bytes < 1000 ? exactText(bytes) : bytesInWords(qint64(bytes)); }

QString MemoryModel::exactText(double bytes) const {
    if (bytes < 0) return tr("unknown");
    return tr("%1 bytes").arg(QLocale().toString(qint64(bytes)));
}

bool MemoryModel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::LanguageChange && object == QCoreApplication::instance()) {
        readSnapshot();
        emit predictionChanged();
        emit remediesChanged();
    }
    return false;
}

} // namespace steelyard
