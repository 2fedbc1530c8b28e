#include "gui/hub/part_file.h"

#include "gui/hub/sync_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <filesystem>
#include <system_error>

namespace steelyard {

namespace {

constexpr qint64 kHashPiece = 16 * 1024 * 1024;
const QString kPart = QStringLiteral(".part");
const QString kSide = QStringLiteral(".part.json");

QJsonObject toJson(const PartRecord& record) {
    return {{QStringLiteral("url"), record.url.toString(QUrl::FullyEncoded)}, {QStringLiteral("label"), record.label},
            {QStringLiteral("etag"), record.etag}, {QStringLiteral("sha256"), record.sha256},
            {QStringLiteral("totalBytes"), double(record.totalBytes)}};
}

PartRecord fromJson(const QJsonObject& object, const QString& fileName) {
    PartRecord record;
    record.fileName = fileName;
    record.url = QUrl(object.value(QStringLiteral("url")).toString());
    record.label = object.value(QStringLiteral("label")).toString(fileName);
    record.etag = object.value(QStringLiteral("etag")).toString();
    record.sha256 = object.value(QStringLiteral("sha256")).toString();
    record.totalBytes = qint64(object.value(QStringLiteral("totalBytes")).toDouble(-1));
    return record;
}

std::filesystem::path toPath(const QString& path) {
    return std::filesystem::path(path.toStdU16String());
}

} // namespace

PartFile::PartFile(const QString& folder, const PartRecord& record) : m_folder(folder), m_record(record), m_file(path(kPart)) {}

QString PartFile::path(const QString& suffix) const {
    return QDir(m_folder).filePath(m_record.fileName + suffix);
}

Error PartFile::writeError() const {
    if (m_file.error() == QFileDevice::ResourceError || m_file.errorString().contains(QStringLiteral("space")))
        return Error{tr("The disk is full. Free some space, then continue; what is there is kept.").toStdString()};
    return Error{tr("The file cannot be written: %1. Check the folder of the models.").arg(m_file.errorString()).toStdString()};
}

Result<void> PartFile::open() {
    if (!QDir().mkpath(m_folder))
        return Error{tr("The folder %1 cannot be made.").arg(QDir::toNativeSeparators(m_folder)).toStdString()};
    for (const QString& taken : {path(kPart), path(kSide)})
        if (QFileInfo(taken).isSymLink()) QFile::remove(taken); // the link, not what it points to
    if (!m_file.open(QIODevice::ReadWrite | QIODevice::Unbuffered)) return writeError();
    m_size = m_file.size();
    m_hashed = 0;
    m_hash.reset();
    m_head.clear();
    return setRecord(m_record);
}

void PartFile::count(const QByteArray& bytes) {
    if (m_head.size() < kHeadBytes) m_head += bytes.left(kHeadBytes - m_head.size());
    m_hash.addData(bytes);
    m_hashed += bytes.size();
}

Result<bool> PartFile::hashMore() {
    if (m_hashed >= m_size) return m_file.seek(m_size);
    const QByteArray piece = m_file.seek(m_hashed) ? m_file.read(std::min(kHashPiece, m_size - m_hashed)) : QByteArray();
    if (piece.isEmpty()) return writeError();
    count(piece);
    if (m_hashed < m_size) return false;
    return m_file.seek(m_size);
}

void PartFile::close() {
    m_file.close();
}

Result<void> PartFile::append(const QByteArray& bytes) {
    // A full disk takes a part first and tells the error with the next piece.
    for (qint64 written = 0; written < bytes.size();) {
        const qint64 more = m_file.write(bytes.constData() + written, bytes.size() - written);
        if (more <= 0) {
            const Error error = writeError();
            m_file.resize(m_size); // so that hash and file agree
            m_file.seek(m_size);
            return error;
        }
        written += more;
    }
    count(bytes);
    m_size += bytes.size();
    return {};
}

Result<void> PartFile::restart() {
    if (!m_file.resize(0) || !m_file.seek(0)) return writeError();
    m_hash.reset();
    m_head.clear();
    m_size = m_hashed = 0;
    return {};
}

Result<void> PartFile::setRecord(const PartRecord& record) {
    const QString fileName = m_record.fileName;
    m_record = record;
    m_record.fileName = fileName;
    QSaveFile side(path(kSide));
    const QByteArray text = QJsonDocument(toJson(m_record)).toJson();
    if (side.open(QIODevice::WriteOnly) && side.write(text) == text.size() && side.commit()) return {};
    return Error{tr("The disk is full or its folder cannot be written, so the download cannot be kept.").toStdString()};
}

QString PartFile::hash() const {
    return QString::fromLatin1(m_hash.result().toHex());
}

Result<QString> PartFile::finish() {
    const QString target = path(QString());
    if (auto synced = syncFile(m_file); !synced) return synced.error();
    m_file.close();
    const QFileInfo there(target);
    if (there.exists() || there.isSymLink())
        return Error{tr("A file named %1 has appeared meanwhile. Remove or rename it, then continue.").arg(m_record.fileName).toStdString()};
    std::error_code failed;
    std::filesystem::rename(toPath(path(kPart)), toPath(target), failed);
    if (failed) return Error{tr("The finished file could not be named %1.").arg(m_record.fileName).toStdString()};
    syncFolder(m_folder);
    QFile::remove(path(kSide));
    return target;
}

void PartFile::discard() {
    m_file.close();
    m_head.clear();
    m_size = m_hashed = 0;
    QFile::remove(path(kPart));
    QFile::remove(path(kSide));
}

QVector<PartRecord> PartFile::unfinished(const QString& folder) {
    QVector<PartRecord> records;
    const QDir dir(folder);
    for (const QString& name : dir.entryList({u'*' + kSide}, QDir::Files | QDir::NoSymLinks, QDir::Name)) {
        QFile side(dir.filePath(name));
        const QString fileName = name.chopped(kSide.size());
        if (!side.open(QIODevice::ReadOnly)) continue;
        const PartRecord record = fromJson(QJsonDocument::fromJson(side.read(64 * 1024)).object(), fileName);
        if (record.url.isValid() && record.url.scheme().startsWith(QStringLiteral("http"))) records.append(record);
    }
    return records;
}

qint64 PartFile::sizeOf(const QString& folder, const PartRecord& record) {
    return QFileInfo(QDir(folder).filePath(record.fileName + kPart)).size();
}

} // namespace steelyard
