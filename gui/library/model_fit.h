// The predictions of ModelList under a name that QML can import.
//
// Knows nothing of how a prediction is made.
#pragma once

#include "gui/store/model_list.h"

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace steelyard {

class ModelFit : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("only its values are used")

public:
    enum Value { Unknown = ModelList::FitUnknown, Fits = ModelList::Fits, Tight = ModelList::Tight, WillNotFit = ModelList::WillNotFit };
    Q_ENUM(Value)
};

} // namespace steelyard
