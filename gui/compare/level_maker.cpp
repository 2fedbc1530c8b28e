#include "gui/compare/level_maker.h"

#include "gui/engine_client/engine_client.h"
#include "gui/engine_client/engine_words.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QStorageInfo>

#include <algorithm>

namespace steelyard {

namespace {

constexpr double kFullBits = 15.5; // of F16, BF16 and F32; what has less has lost something already

// The file's name without its level: "SmolLM2-135M-Instruct" of "SmolLM2-135M-Instruct.Q4_1.gguf".
QString baseName(const QString& path) {
    static const QRegularExpression kLevel(QStringLiteral("[._-](I?Q\\d\\w*|BF16|F16|F32|FP16|FP32|MXFP4|NVFP4)$"), QRegularExpression::CaseInsensitiveOption);
    QString name = QFileInfo(path).completeBaseName();
    return name.remove(kLevel);
}

} // namespace

LevelMaker::LevelMaker(const QString& folder, ComparisonClient* client, const ModelList* models, QObject* parent)
    : QObject(parent), m_folder(folder), m_client(client), m_models(models) {
    connect(client, &ComparisonClient::makingProgressed, this, [this](double fraction) {
        m_fraction = fraction;
        emit progressed();
    });
    connect(client, &ComparisonClient::made, this, [this](const QuantizeResult&, const QString& problem) { finish(problem); });
    connect(models, &ModelList::countChanged, this, &LevelMaker::levelsChanged);
}

QVector<const ModelEntry*> LevelMaker::filesOfModel() const {
    QVector<const ModelEntry*> files;
    const ModelEntry* one = m_models->find(m_source);
    if (one == nullptr) return files;
    for (const ModelEntry& entry : m_models->entries())
        if (entry.name == one->name && entry.problem.isEmpty() && !entry.reading) files.append(&entry);
    std::stable_sort(files.begin(), files.end(), [](const ModelEntry* a, const ModelEntry* b) { return a->bitsPerWeight > b->bitsPerWeight; });
    return files;
}

void LevelMaker::look(const QString& path) {
    m_source = path;
    const auto files = filesOfModel();
    chooseSource(files.isEmpty() ? path : files.first()->path);
}

void LevelMaker::chooseSource(const QString& path) {
    m_source = path;
    m_sizes.clear();
    m_problem.clear();
    m_reading = true;
    emit levelsChanged();
    m_client->levelsOf(path, this, [this, number = ++m_lookNumber](const Result<std::vector<QuantizedSize>>& sizes) {
        if (number != m_lookNumber) return;
        m_reading = false;
        m_problem = QString::fromStdString(sizes.sentence());
        if (sizes) m_sizes = *sizes;
        emit levelsChanged();
    });
}

QString LevelMaker::warning() const {
    const ModelEntry* entry = m_models->find(m_source);
    if (entry == nullptr || entry->bitsPerWeight <= 0 || entry->bitsPerWeight >= kFullBits) return {};
    return tr("%1 is itself quantized: what is made from it loses on top of what it has lost already.").arg(entry->quantization);
}

QVariantList LevelMaker::sources() const {
    QVariantList all;
    for (const ModelEntry* entry : filesOfModel())
        all += QVariantMap{{QStringLiteral("path"), entry->path}, {QStringLiteral("text"), m_models->title(entry->path)}, {QStringLiteral("note"), bytesInWords(entry->sizeBytes)}};
    return all;
}

bool LevelMaker::isThere(const QString& type) const {
    for (const ModelEntry* entry : filesOfModel())
        if (entry->quantization.compare(type, Qt::CaseInsensitive) == 0) return true;
    return false;
}

QVariantList LevelMaker::levels() const {
    QVariantList all;
    const QLocale locale;
    const ModelEntry* source = m_models->find(m_source);
    for (const QuantizedSize& size : m_sizes) {
        const QString type = QString::fromStdString(size.type);
        const bool more = source != nullptr && source->bitsPerWeight > 0 && size.bitsPerWeight > source->bitsPerWeight + 0.5;
        all += QVariantMap{{QStringLiteral("type"), type},
                           {QStringLiteral("sizeText"), bytesInWords(qint64(size.fileBytes))},
                           {QStringLiteral("bitsText"), tr("%1 bits per weight").arg(locale.toString(size.bitsPerWeight, 'f', 2))},
                           {QStringLiteral("there"), isThere(type)},
                           {QStringLiteral("note"), isThere(type) ? tr("on this computer") : more ? tr("larger than its source, no better") : size.needsImportance ? tr("poor without an importance matrix") : QString()}};
    }
    return all;
}

QString LevelMaker::problem() const { return inWords(m_problem); }

QString LevelMaker::outputFor(const QString& type) const {
    return QDir(m_folder).filePath(QStringLiteral("%1-%2.gguf").arg(baseName(m_source), type));
}

QString LevelMaker::current() const {
    if (m_queue.isEmpty()) return {};
    const QString now = tr("Making %1").arg(m_queue.first().type);
    return m_queue.size() == 1 ? now : now + QStringLiteral(" · ") + tr("%Ln more after it", nullptr, int(m_queue.size()) - 1);
}

void LevelMaker::make(const QStringList& types) {
    quint64 bytes = 0;
    for (const QuantizedSize& size : m_sizes)
        if (types.contains(QString::fromStdString(size.type))) bytes += size.fileBytes;
    QDir().mkpath(m_folder);
    const qint64 room = QStorageInfo(m_folder).bytesAvailable();
    if (room >= 0 && quint64(room) < bytes)
        return emit failed(tr("The levels take %1, and the disk has %2 free. Choose fewer, or make room.").arg(bytesInWords(qint64(bytes)), bytesInWords(room)));
    const bool idle = m_queue.isEmpty();
    for (const QString& type : types) m_queue.append({m_source, type, outputFor(type)});
    if (idle) makeNext();
    else emit makingChanged();
}

void LevelMaker::makeNext() {
    m_cancelled = false;
    m_fraction = 0;
    emit makingChanged();
    emit progressed();
    if (m_queue.isEmpty()) return;
    const Order& order = m_queue.first();
    QuantizeRequest request;
    request.input = EngineClient::toPath(order.source);
    request.output = EngineClient::toPath(order.output);
    request.type = order.type.toStdString();
    m_client->make(request);
}

void LevelMaker::cancel() {
    if (m_queue.isEmpty()) return;
    m_cancelled = true;
    m_queue.erase(m_queue.begin() + 1, m_queue.end());
    m_client->cancelMaking();
    emit makingChanged();
}

void LevelMaker::finish(const QString& problem) {
    if (m_queue.isEmpty()) return;
    const Order order = m_queue.takeFirst();
    if (problem.isEmpty()) {
        emit made(order.output, QStringLiteral("%1 · %2").arg(baseName(order.source), order.type));
    } else if (!m_cancelled) {
        emit failed(tr("%1 was not made: %2").arg(order.type, inWords(problem)));
    }
    makeNext();
}

void LevelMaker::retranslate() {
    emit levelsChanged();
    emit makingChanged();
}

} // namespace steelyard
