// What a setter of a painted item does: takes another value, paints again and tells. Knows nothing of what is painted.
#pragma once

#include <QObject>

namespace steelyard {

// The item tells by its signal changed().
template <class Item, class Value>
void changeAndRepaint(Item* item, Value& member, const Value& value) {
    if (member == value) return;
    member = value;
    item->update();
    emit item->changed();
}

} // namespace steelyard
