// Where the program keeps what is the person's: chats, settings, models.
//
// Invariant: STEELYARD_DATA_DIR decides where it is set, else the system's place for data of programs. Knows nothing of
// what lies there.
#pragma once

#include <QString>

namespace steelyard {

QString dataFolder();       // ~/.local/share/steelyard on Linux; not created here
QString ownModelsFolder();  // models inside it

} // namespace steelyard
