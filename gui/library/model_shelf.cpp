#include "gui/library/model_shelf.h"

#include "gui/engine_client/engine_words.h"
#include "gui/store/known_models.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QEvent>
#include <QFileInfo>

#include <algorithm>

namespace steelyard {

namespace {

constexpr int kSettleMs = 400;        // a copied file makes many small changes
constexpr int kRecheckMs = 3'000;
constexpr qint64 kStillGrowingMs = 60'000; // a bad file this young may still be on its way
constexpr int kMostWatched = 500;

QString fromStd(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

ModelShelf::ModelShelf(const QString& ownFolder, EngineClient* engine, Store* store, ModelList* models, QObject* parent)
    : QObject(parent), m_ownFolder(QDir::cleanPath(ownFolder)), m_engine(engine), m_store(store), m_models(models) {
    m_jobs.setMaxThreadCount(1);
    m_jobs.setThreadPriority(QThread::LowPriority);
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    m_recheck.setSingleShot(true);
    m_recheck.setInterval(kRecheckMs);
    connect(&m_settle, &QTimer::timeout, this, &ModelShelf::rescan);
    connect(&m_recheck, &QTimer::timeout, this, &ModelShelf::rescan);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &ModelShelf::scheduleRescan);
    QCoreApplication::instance()->installEventFilter(this);
    m_store->run(this, [](Repositories& r) { return r.models.list(); },
                 [this](const Result<QVector<ModelRecord>>& records) {
                     if (records)
                         for (const ModelRecord& record : *records)
                             if (!m_records.contains(record.path)) m_records.insert(record.path, record);
                     m_known = true;
                     rescan();
                 });
}

// What the list says in words is said anew.
bool ModelShelf::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::LanguageChange && object == QCoreApplication::instance()) {
        m_planned.clear();
        for (const FoundFile& file : std::as_const(m_found)) show(file);
        planShown();
    }
    return QObject::eventFilter(object, event);
}

ModelShelf::~ModelShelf() {
    m_jobs.clear();
    m_jobs.waitForDone();
}

void ModelShelf::setFolders(const QStringList& folders) {
    if (folders == m_folders) return;
    m_folders = folders;
    rescan();
}

void ModelShelf::setPlanOptions(const LoadOptions& options) {
    m_planOptions = options;
    m_planOptions.path.clear();
    planShown();
}

void ModelShelf::setWatched(bool watched) {
    if (watched == m_watched) return;
    m_watched = watched;
    if (!watched) return;
    m_planned.clear(); // free memory has changed since
    planShown();
    rescan(); // not every file system tells its changes
}

void ModelShelf::scheduleRescan() {
    m_settle.start();
}

void ModelShelf::rescan() {
    if (!m_known) return; // comes with the store's answer
    if (m_scanning) {
        m_again = true;
        return;
    }
    m_scanning = true;
    m_again = false;
    emit scanningChanged();
    QStringList single;
    for (const ModelRecord& record : std::as_const(m_records))
        if (record.addedAlone) single.append(record.path);
    m_jobs.start([this, folders = QStringList{m_ownFolder} + m_folders, single] {
        const ScanResult result = scanForModels(folders, single);
        QMetaObject::invokeMethod(this, [this, result] { adopt(result); }, Qt::QueuedConnection); // the destructor waits for this job
    });
}

void ModelShelf::adopt(const ScanResult& result) {
    m_scanning = false;
    m_found.clear();
    for (const FoundFile& file : result.files)
        if (!m_records.value(file.path).hidden) m_found.insert(file.path, file);
    const QVector<ModelEntry> shown = m_models->entries();
    for (const ModelEntry& entry : shown)
        if (!m_found.contains(entry.path)) m_models->remove(entry.path);
    for (const FoundFile& file : std::as_const(m_found)) show(file);
    watch(result.folders);
    planShown();
    emit scanningChanged();
    if (m_again) rescan();
}

void ModelShelf::watch(const QStringList& folders) {
    QStringList wanted = folders.mid(0, kMostWatched);
    // The own folder may not be there yet: then its parent tells when it comes.
    if (!QFileInfo::exists(m_ownFolder)) wanted.append(QFileInfo(m_ownFolder).path());
    const QStringList watched = m_watcher.directories();
    for (const QString& folder : watched)
        if (!wanted.contains(folder)) m_watcher.removePath(folder);
    for (const QString& folder : std::as_const(wanted))
        if (!watched.contains(folder) && QFileInfo::exists(folder)) m_watcher.addPath(folder);
}

ModelRecord ModelShelf::recordOf(const FoundFile& file) const {
    ModelRecord record = m_records.value(file.path);
    record.path = file.path;
    const bool isSame = record.sizeBytes == file.sizeBytes && record.modifiedAtMs == file.modifiedAtMs;
    if (isSame) return record;
    ModelRecord fresh; // the facts were another file's
    fresh.path = file.path;
    fresh.addedAlone = record.addedAlone;
    fresh.addedAtMs = record.addedAtMs;
    fresh.sizeBytes = file.sizeBytes;
    fresh.modifiedAtMs = file.modifiedAtMs;
    return fresh;
}

ModelEntry ModelShelf::entryOf(const ModelRecord& record) const {
    const QFileInfo info(record.path);
    ModelEntry entry;
    entry.path = record.path;
    entry.name = shownModelName(record.path, record.sizeBytes, record.name, record.sha256);
    entry.fileName = info.fileName();
    entry.folder = info.path();
    entry.sizeBytes = record.sizeBytes;
    entry.architecture = record.architecture;
    entry.quantization = record.quantization;
    entry.trainedContext = record.trainedContext;
    entry.parameters = record.parameters;
    entry.bitsPerWeight = record.bitsPerWeight;
    entry.hasChatTemplate = record.hasChatTemplate;
    entry.problem = inWords(record.problem);
    entry.starter = knownModel(record.path, record.sizeBytes, record.sha256).starter;
    entry.own = entry.folder == m_ownFolder || entry.folder.startsWith(m_ownFolder + u'/');
    if (const ModelEntry* old = m_models->find(record.path); old != nullptr && old->sizeBytes == entry.sizeBytes) {
        entry.fit = old->fit;
        entry.fitText = old->fitText;
    }
    return entry;
}

void ModelShelf::show(const FoundFile& file) {
    const ModelRecord record = recordOf(file);
    const bool isReadNow = m_readNow.value(file.path) == file;
    // A problem is looked at again in each session: the program may have learned the format meanwhile.
    const bool isKnown = !record.architecture.isEmpty() && (record.problem.isEmpty() || isReadNow);
    if (isKnown || isReadNow) {
        m_models->put(entryOf(record));
        const bool isYoung = QDateTime::currentMSecsSinceEpoch() - file.modifiedAtMs < kStillGrowingMs;
        if (!record.problem.isEmpty() && isYoung) m_recheck.start();
        return;
    }
    ModelEntry entry = entryOf(record);
    entry.reading = true;
    entry.problem.clear();
    m_models->put(entry);
    read(file);
}

void ModelShelf::read(const FoundFile& file) {
    if (m_readNow.value(file.path) == file) return;
    m_readNow.insert(file.path, file);
    m_engine->inspect(file.path, this, [this, file](const Result<FileSummary>& summary) { fileRead(file, summary); });
}

void ModelShelf::fileRead(const FoundFile& file, const Result<FileSummary>& summary) {
    if (m_found.value(file.path) != file) return; // changed or gone meanwhile; a later scan reads it
    ModelRecord record = recordOf(file);
    record.problem = fromStd(summary ? summary->refusal : summary.error().sentence);
    if (summary) {
        const ModelFacts& facts = summary->facts;
        record.name = fromStd(facts.name);
        record.architecture = fromStd(facts.architecture);
        record.quantization = fromStd(facts.quantization);
        record.trainedContext = facts.trainedContext;
        record.parameters = qint64(facts.parameters);
        record.bitsPerWeight = facts.bitsPerWeight;
        record.hasChatTemplate = facts.hasChatTemplate;
    }
    save(record);
    show(file);
    if (m_watched && record.problem.isEmpty()) planOne(file.path);
}

void ModelShelf::save(const ModelRecord& record) {
    m_records.insert(record.path, record);
    m_store->run([record](Repositories& r) { return r.models.save(record); });
}

void ModelShelf::addFile(const QString& chosen) {
    const QString path = partsBeside(chosen).first();
    ModelRecord record = m_records.value(path);
    record.path = path;
    record.addedAlone = true;
    record.hidden = false;
    save(record);
    rescan();
}

void ModelShelf::setHidden(const QString& path, bool hidden) {
    ModelRecord record = m_records.value(path);
    record.path = path;
    record.hidden = hidden;
    save(record);
    if (hidden) m_models->remove(path);
    rescan();
}

void ModelShelf::noteDownload(const QString& path, const QString& sha256, const QString& source) {
    const QFileInfo info(path);
    ModelRecord record;
    record.path = path;
    record.sizeBytes = info.size();
    record.modifiedAtMs = info.lastModified().toMSecsSinceEpoch();
    record.sha256 = sha256;
    record.source = source;
    save(record);
    rescan();
}

void ModelShelf::planShown() {
    if (!m_watched) return;
    for (const ModelEntry& entry : m_models->entries())
        if (entry.problem.isEmpty() && !entry.reading) planOne(entry.path);
}

void ModelShelf::planOne(const QString& path) {
    const auto known = m_planned.constFind(path);
    if (known != m_planned.constEnd() && *known == m_planOptions) return;
    m_planned.insert(path, m_planOptions);
    LoadOptions options = m_planOptions;
    options.path = path;
    m_engine->plan(options, this, [this, path, planned = m_planOptions](const Result<MemoryPlan>& plan) {
        if (!plan || !(planned == m_planOptions)) return;
        const QString needed = bytesInWords(qint64(plan->totalBytes));
        const QString there = plan->freeBytes ? bytesInWords(qint64(*plan->freeBytes)) : tr("an unknown amount");
        const QString words = tr("Takes %1 of memory with %L2 tokens of context; %3 is free.").arg(needed).arg(plan->contextLength).arg(there);
        switch (plan->fit) {
        case MemoryPlan::Fit::Fits: return setFit(path, ModelList::Fits, words);
        case MemoryPlan::Fit::Tight: return setFit(path, ModelList::Tight, words);
        case MemoryPlan::Fit::WillNotFit: return setFit(path, ModelList::WillNotFit, tr("%1 It is %2 short.").arg(words, bytesInWords(qint64(plan->missingBytes))));
        case MemoryPlan::Fit::Unknown: return setFit(path, ModelList::FitUnknown, QString());
        }
    });
}

void ModelShelf::setFit(const QString& path, int fit, const QString& text) {
    const ModelEntry* shown = m_models->find(path);
    if (shown == nullptr) return;
    ModelEntry entry = *shown;
    entry.fit = fit;
    entry.fitText = text;
    m_models->put(entry);
}

} // namespace steelyard
