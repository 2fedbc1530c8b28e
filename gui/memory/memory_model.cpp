#include "gui/memory/memory_model.h"

#include "gui/store/model_list.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLocale>

#include <cmath>

namespace steelyard {

namespace {

constexpr size_t kHistoryLength = 240; // a minute of snapshots

double orUnknown(const std::optional<uint64_t>& bytes) { return bytes ? double(*bytes) : -1; }

} // namespace

void DeviceGauge::read(const DeviceSnapshot& device) {
    deviceId = QString::fromStdString(device.id);
    systemMemory = device.isSystemMemory;
    name = QString::fromStdString(device.name);
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
    emit changed();
}

MemoryModel::MemoryModel(EngineClient* engine, QObject* parent) : QObject(parent), m_engine(engine) {
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
        m_history.clear();
        for (size_t i = 0; i < devices.size(); ++i) m_devices << new DeviceGauge(this);
    }
    for (qsizetype i = 0; i < m_devices.size(); ++i) m_devices[i]->read(devices[size_t(i)]);
    if (!devices.empty()) m_history.push_back(double(devices.front().use.totalBytes()));
    if (m_history.size() > kHistoryLength) m_history.pop_front();
    if (!sameDevices) emit devicesChanged();
    emit ledgerChanged();
}

void MemoryModel::modelStateChanged() {
    emit factsChanged();
    startPrediction();
}

void MemoryModel::startPrediction() {
    const bool isLoaded = m_engine->modelState() == EngineClient::ModelState::Ready && m_engine->loadOptions() == m_chosen;
    if (m_chosen.path.isEmpty() || isLoaded) {
        ++m_planNumber;
        m_prediction = Prediction::None;
        emit predictionChanged();
        emit ledgerChanged();
        return;
    }
    if (m_plan && m_planOf == m_chosen && m_prediction != Prediction::None) return; // already shown
    const quint64 number = ++m_planNumber;
    m_plan.reset();
    m_prediction = Prediction::Working;
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
    case Prediction::Failed: return m_planProblem;
    }
    return {};
}

int MemoryModel::contextRemedy() const {
    const bool needed = m_prediction == Prediction::WillNotFit || m_prediction == Prediction::Tight;
    if (!needed || !m_plan || m_plan->contextLimit < 512 || m_plan->contextLimit >= m_plan->contextLength) return 0;
    return int(m_plan->contextLimit / 256 * 256);
}

QVariantList MemoryModel::ledger() const {
    QVariantList rows;
    const auto row = [&rows](const QString& title, const QString& value, const QString& note = {}) {
        rows << QVariantMap{{QStringLiteral("title"), title}, {QStringLiteral("value"), value}, {QStringLiteral("note"), note}};
    };
    const QLocale locale;
    if (const auto& facts = m_engine->facts()) {
        row(tr("Model"), QString::fromStdString(facts->name), QString::fromStdString(facts->architecture));
        row(tr("Quantization"), QString::fromStdString(facts->quantization),
            tr("%1 bits per weight").arg(locale.toString(facts->bitsPerWeight, 'f', 2)));
        row(tr("KV cache per token"), exactText(double(facts->kvBytesPerToken)));
        const int used = int(m_engine->snapshot()->contextUsedTokens);
        row(tr("Context"), tr("%Ln token(s)", "", int(facts->contextLength)), used > 0 ? tr("%Ln token(s) used", "", used) : QString());
        if (facts->kvBytesPerToken > 0 && !m_devices.isEmpty() && m_devices.front()->freeBytes >= 0) {
            const double reach = double(facts->contextLength) + m_devices.front()->freeBytes / double(facts->kvBytesPerToken);
            const bool modelEndsFirst = facts->trainedContext > 0 && reach > double(facts->trainedContext);
            row(tr("Memory ends at"), tr("%Ln token(s)", "", int(std::min(reach, 2147483647.0))),
                modelEndsFirst ? tr("the model itself ends at %Ln token(s)", "", int(facts->trainedContext)) : QString());
        }
    } else if (shownPlan()) {
        for (const PlannedKind& kind : m_plan->kinds)
            row(kind.kind == "window" ? tr("KV cache per token, windowed layers") : tr("KV cache per token"), exactText(double(kind.bytesPerToken)),
                kind.fixedBytes > 0 ? tr("and %1 in all").arg(exactText(double(kind.fixedBytes))) : QString());
        row(tr("Context planned"), tr("%Ln token(s)", "", int(m_plan->contextLength)),
            m_plan->contextLimit > 0 ? tr("at most %Ln token(s) fit", "", int(m_plan->contextLimit)) : QString());
    }
    return rows;
}

QString MemoryModel::differenceText() const {
    if (!m_plan || m_devices.isEmpty() || m_planOf != m_engine->loadOptions() || !m_engine->facts()) return {};
    for (const DeviceSnapshot& device : m_engine->snapshot()->devices) {
        if (device.id != m_plan->deviceId) continue;
        const double measured = double(device.use.totalBytes()), predicted = double(m_plan->totalBytes);
        if (predicted <= 0 || std::abs(measured - predicted) / predicted <= 0.03) return {};
        return tr("Predicted were %1, taken are %2.").arg(bytesText(predicted), bytesText(measured));
    }
    return {};
}

QVariantList MemoryModel::history() const {
    double most = 0;
    for (const double bytes : m_history) most = std::max(most, bytes);
    QVariantList points;
    for (const double bytes : m_history) points << (most > 0 ? bytes / most : 0);
    return points;
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
    }
    return false;
}

} // namespace steelyard
