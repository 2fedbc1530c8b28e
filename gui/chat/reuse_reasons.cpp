#include "gui/chat/reuse_reasons.h"

#include "gui/engine_client/engine_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace steelyard {
namespace {

struct Row {
    const char *reason; // as the engine writes it
    const char *what, *remedy;
};

constexpr Row kRows[] = {
    {"first turn",
     QT_TRANSLATE_NOOP("ReuseReasons", "Nothing that begins alike had been read before."), ""},
    {"edited message",
     QT_TRANSLATE_NOOP("ReuseReasons", "An earlier message differs from what was read before; from there on all is read again."),
     QT_TRANSLATE_NOOP("ReuseReasons", "Changes near the end of a chat cost less than changes near its beginning.")},
    {"template dropped reasoning",
     QT_TRANSLATE_NOOP("ReuseReasons", "The model's chat format leaves the reasoning of earlier replies out, so what followed it is read again."),
     QT_TRANSLATE_NOOP("ReuseReasons", "It costs a part of the last reply at each turn and belongs to this model; one that does not reason has no such cost.")},
    {"date in system prompt",
     QT_TRANSLATE_NOOP("ReuseReasons", "The system prompt holds the date or the time, which has changed; everything behind it is read again."),
     QT_TRANSLATE_NOOP("ReuseReasons", "A system prompt without a date keeps a chat ready for days.")},
    {"window moved",
     QT_TRANSLATE_NOOP("ReuseReasons", "This model sees only the last part of the text in some layers, and the place to go on from had left that part."),
     QT_TRANSLATE_NOOP("ReuseReasons", "Going on at the end of the chat reads only what is new; going back to an earlier message does not.")},
    {"model reloaded",
     QT_TRANSLATE_NOOP("ReuseReasons", "The model was loaded after the chat's last turn, and its cache was empty."),
     QT_TRANSLATE_NOOP("ReuseReasons", "While a model stays loaded, its chats go on from where they were.")},
    {"evicted",
     QT_TRANSLATE_NOOP("ReuseReasons", "Other chats needed the room, so what was kept of this one was let go."),
     QT_TRANSLATE_NOOP("ReuseReasons", "A longer context on load keeps more chats ready at once.")},
    {"recurrent state",
     QT_TRANSLATE_NOOP("ReuseReasons", "This model has recurrent layers, which can go on only from places that were remembered; it was read from the last of them."),
     QT_TRANSLATE_NOOP("ReuseReasons", "Going on at the end of the chat reads least.")},
    {"rope factors",
     QT_TRANSLATE_NOOP("ReuseReasons", "From this length on the model counts positions in another way, so everything was read once more."),
     QT_TRANSLATE_NOOP("ReuseReasons", "It happens once in a chat.")},
};

QString words(const char* text) { return *text ? QCoreApplication::translate("ReuseReasons", text) : QString(); }

} // namespace

ReuseReason reuseReason(const QString& reason) {
    const Row* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return reason == QLatin1String(r.reason); });
    if (row == std::end(kRows)) return {inWords(reason), {}, {}};
    return {inWords(reason), words(row->what), words(row->remedy)};
}

} // namespace steelyard
