// What is known of model files, so that a start reads no header twice.
//
// Invariant: a path stands once; the facts of a row count only while size and modification time of the file are the row's.
// A row outlives its file, because where it came from and its hash stay true when the file comes back. Runs on the store
// thread inside the caller's transaction. Knows nothing of folders or of the files themselves.
#pragma once

#include "gui/store/database.h"
#include "gui/store/records.h"

namespace steelyard {

class ModelRepository {
public:
    explicit ModelRepository(Database& database) : m_database(database) {}

    Result<QVector<ModelRecord>> list(); // hidden ones too
    // Adds or replaces by path. An empty hash or source keeps what is stored, and so does the time of adding.
    Result<void> save(const ModelRecord& model);
    Result<void> setHidden(const QString& path, bool hidden);
    Result<void> remove(const QString& path);

private:
    Database& m_database;
};

} // namespace steelyard
