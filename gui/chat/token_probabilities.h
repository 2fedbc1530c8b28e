// How probable the tokens of a reply were: as they come from the engine, as they are stored, and as they are shown.
//
// Invariant: a token whose bytes are no whole characters is written by its bytes, never as a broken character. Knows nothing of the store.
#pragma once

#include "engine/event.h"

#include <QJsonArray>
#include <QString>
#include <QVariantList>

namespace steelyard {

// Adds tokens to a list in the stored form (resources/sql).
void appendTokens(const std::vector<TokenLogprobs>& tokens, QJsonArray& stored);

// Rows of "text", "share" (0 to 1), "percent" and "others" (rows of "text", "share", "percent", "chosen").
QVariantList shownTokens(const QString& stored);

} // namespace steelyard
