// Where the program keeps what is the person's: chats, settings, models.
//
// Invariant: STEELYARD_DATA_DIR decides where it is set, else the system's place for data of programs. Knows nothing of
// what lies there.
#pragma once

#include <QString>

namespace steelyard {

QString dataFolder();       // ~/.local/share/steelyard on Linux; not created here
// Where the caches of chats are kept that lie in such a data folder: ~/.cache/steelyard/chats, or inside a folder of one's own.
QString keptChatsFolder(const QString& dataFolder);
QString ownModelsFolder();  // models inside it

} // namespace steelyard
