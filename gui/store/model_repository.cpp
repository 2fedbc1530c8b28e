#include "gui/store/model_repository.h"

#include <QDateTime>

namespace steelyard {

namespace {

QString text(const QString& value) {
    return value.isNull() ? QStringLiteral("") : value;
}

} // namespace

Result<QVector<ModelRecord>> ModelRepository::list() {
    auto rows = m_database.run(QStringLiteral("SELECT path, sha256, size_bytes, modified_at, name, architecture, quantization, trained_context, "
                                              "parameters, bits_per_weight, has_chat_template, problem, source, hidden, added_alone, added_at "
                                              "FROM models ORDER BY path"));
    if (!rows) return rows.error();
    QVector<ModelRecord> models;
    while (rows->next()) {
        ModelRecord model;
        model.path = rows->value(0).toString();
        model.sha256 = rows->value(1).toString();
        model.sizeBytes = rows->value(2).toLongLong();
        model.modifiedAtMs = rows->value(3).toLongLong();
        model.name = rows->value(4).toString();
        model.architecture = rows->value(5).toString();
        model.quantization = rows->value(6).toString();
        model.trainedContext = rows->value(7).toLongLong();
        model.parameters = rows->value(8).toLongLong();
        model.bitsPerWeight = rows->value(9).toDouble();
        model.hasChatTemplate = rows->value(10).toBool();
        model.problem = rows->value(11).toString();
        model.source = rows->value(12).toString();
        model.hidden = rows->value(13).toBool();
        model.addedAlone = rows->value(14).toBool();
        model.addedAtMs = rows->value(15).toLongLong();
        models.append(model);
    }
    return models;
}

Result<void> ModelRepository::save(const ModelRecord& model) {
    return m_database.execute(
        QStringLiteral("INSERT INTO models (path, sha256, size_bytes, modified_at, name, architecture, quantization, trained_context, parameters, "
                       "bits_per_weight, has_chat_template, problem, source, hidden, added_alone, added_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                       "ON CONFLICT (path) DO UPDATE SET "
                       "sha256 = CASE WHEN excluded.sha256 <> '' THEN excluded.sha256 ELSE sha256 END, "
                       "source = CASE WHEN excluded.source <> '' THEN excluded.source ELSE source END, "
                       "size_bytes = excluded.size_bytes, modified_at = excluded.modified_at, name = excluded.name, "
                       "architecture = excluded.architecture, quantization = excluded.quantization, trained_context = excluded.trained_context, "
                       "parameters = excluded.parameters, bits_per_weight = excluded.bits_per_weight, "
                       "has_chat_template = excluded.has_chat_template, problem = excluded.problem, hidden = excluded.hidden, "
                       "added_alone = excluded.added_alone"),
        {model.path, text(model.sha256), model.sizeBytes, model.modifiedAtMs, text(model.name), text(model.architecture), text(model.quantization),
         model.trainedContext, model.parameters, model.bitsPerWeight, model.hasChatTemplate, text(model.problem), text(model.source), model.hidden,
         model.addedAlone, model.addedAtMs != 0 ? model.addedAtMs : QDateTime::currentMSecsSinceEpoch()});
}

Result<void> ModelRepository::setHidden(const QString& path, bool hidden) {
    return m_database.execute(QStringLiteral("INSERT INTO models (path, hidden, added_at) VALUES (?, ?, ?) "
                                             "ON CONFLICT (path) DO UPDATE SET hidden = excluded.hidden"),
                              {path, hidden, QDateTime::currentMSecsSinceEpoch()});
}

Result<void> ModelRepository::remove(const QString& path) {
    return m_database.execute(QStringLiteral("DELETE FROM models WHERE path = ?"), {path});
}

} // namespace steelyard
