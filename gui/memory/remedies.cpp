#include "gui/memory/remedies.h"

#include "gui/engine_client/engine_words.h"
#include "gui/store/model_list.h"

#include <QLocale>

#include <algorithm>

namespace steelyard {
namespace {

constexpr quint32 kShortestContext = 512, kContextStep = 256;
constexpr int kMostFiles = 3; // that are planned for
const QString kFullCache = QStringLiteral("f16"), kHalfCache = QStringLiteral("q8_0");

} // namespace

Remedies::Remedies(EngineClient* engine, const ModelList* models, QObject* parent) : QObject(parent), m_engine(engine), m_models(models) {}

void Remedies::clear() {
    ++m_number;
    if (m_rows.isEmpty()) return;
    m_rows.clear();
    emit changed();
}

void Remedies::find(const LoadOptions& options, const MemoryPlan& plan) {
    clear();
    if (plan.contextLimit >= kShortestContext && plan.contextLimit < plan.contextLength) {
        LoadOptions shorter = options;
        shorter.contextLength = plan.contextLimit / kContextStep * kContextStep;
        tryPlan(Kind::Context, shorter, QString::number(shorter.contextLength), QLocale().toString(shorter.contextLength));
    }
    if (options.kvType == kFullCache) {
        LoadOptions coarser = options;
        coarser.kvType = kHalfCache;
        tryPlan(Kind::Cache, coarser, kHalfCache, {});
    }
    if (m_engine->modelState() == EngineClient::ModelState::Ready && m_engine->modelPath() != options.path) {
        quint64 taken = 0;
        for (const DeviceSnapshot& device : m_engine->snapshot()->devices)
            if (device.id == plan.deviceId) taken += device.use.totalBytes();
        const QString name = m_models ? m_models->title(m_engine->modelPath()) : QString::fromStdString(m_engine->facts()->name);
        const bool fits = plan.fit == MemoryPlan::Fit::Tight || taken >= plan.missingBytes;
        if (taken > 0) add({Kind::Unload, m_engine->modelPath(), name, fits ? MemoryPlan::Fit::Fits : MemoryPlan::Fit::WillNotFit, fits ? 0 : plan.missingBytes - taken});
    }
    const ModelEntry* chosen = m_models ? m_models->find(options.path) : nullptr;
    if (chosen) {
        QList<ModelEntry> smaller;
        for (const ModelEntry& entry : m_models->entries())
            if (entry.problem.isEmpty() && !entry.reading && entry.sizeBytes < chosen->sizeBytes) smaller.append(entry);
        // The same model in a smaller quantization first, then the largest of the others.
        std::sort(smaller.begin(), smaller.end(), [&](const ModelEntry& a, const ModelEntry& b) {
            const bool sameA = a.name == chosen->name, sameB = b.name == chosen->name;
            return sameA != sameB ? sameA : a.sizeBytes > b.sizeBytes;
        });
        for (const ModelEntry& entry : smaller.mid(0, kMostFiles)) {
            LoadOptions other = options;
            other.path = entry.path;
            tryPlan(Kind::Model, other, entry.path, m_models->title(entry.path));
        }
    }
    m_engine->devices(this, [this, options, number = m_number, used = plan.deviceId](const std::vector<DeviceInfo>& devices) {
        if (number != m_number) return;
        for (const DeviceInfo& device : devices) {
            if (!device.usable || device.software || device.kind == DeviceKind::Emulated || device.id == used) continue;
            LoadOptions other = options;
            other.device = QString::fromStdString(device.id);
            tryPlan(Kind::Device, other, other.device, shownDeviceName(device.name));
        }
    });
}

void Remedies::tryPlan(Kind kind, const LoadOptions& options, const QString& value, const QString& name) {
    m_engine->plan(options, this, [this, kind, value, name, number = m_number](const Result<MemoryPlan>& plan) {
        if (number != m_number || !plan || plan->fit == MemoryPlan::Fit::WillNotFit) return; // it would not help
        const bool known = std::any_of(m_rows.begin(), m_rows.end(), [&](const Remedy& row) { return row.kind == Kind::Model; });
        if (kind == Kind::Model && known) return; // the best one is enough
        add({kind, value, name, plan->fit, 0});
    });
}

void Remedies::add(const Remedy& remedy) {
    const auto after = std::find_if(m_rows.begin(), m_rows.end(), [&](const Remedy& row) { return row.kind > remedy.kind; });
    m_rows.insert(after, remedy);
    emit changed();
}

QString Remedies::textOf(const Remedy& remedy) const {
    switch (remedy.kind) {
    case Kind::Context: return tr("Shorten context to %1").arg(remedy.name);
    case Kind::Cache: return tr("Keep 8 bits in the KV cache");
    case Kind::Unload: return tr("Unload %1").arg(remedy.name);
    case Kind::Model: return tr("Take %1").arg(remedy.name);
    case Kind::Device: return tr("Run on %1").arg(remedy.name);
    }
    return {};
}

QString Remedies::outcomeOf(const Remedy& remedy) {
    switch (remedy.fit) {
    case MemoryPlan::Fit::Fits: return tr("fits");
    case MemoryPlan::Fit::Tight: return tr("tight");
    case MemoryPlan::Fit::WillNotFit: return tr("still %1 short").arg(bytesInWords(qint64(remedy.missingBytes)));
    case MemoryPlan::Fit::Unknown: return tr("free memory is unknown");
    }
    return {};
}

QVariantList Remedies::rows() const {
    static constexpr const char* kKinds[] = {"context", "cache", "unload", "model", "device"};
    QVariantList rows;
    for (const Remedy& remedy : m_rows)
        rows << QVariantMap{{QStringLiteral("kind"), QLatin1String(kKinds[size_t(remedy.kind)])},
                            {QStringLiteral("value"), remedy.value},
                            {QStringLiteral("text"), textOf(remedy)},
                            {QStringLiteral("outcome"), outcomeOf(remedy)},
                            {QStringLiteral("fits"), remedy.fit == MemoryPlan::Fit::Fits}};
    return rows;
}

} // namespace steelyard
