// Reads the open chat and what is being typed into the cache while the person pauses, so that Send has less to read.
//
// Invariant: it asks for no token and shows nothing; it is the engine's least urgent work and is called off as soon as the text
// changes or is sent. The same text is read ahead once. Loads no model. Knows nothing of how a chat is shown.
#pragma once

#include "gui/engine_client/engine_client.h"

#include <QObject>
#include <QString>
#include <QTimer>

namespace steelyard {

class ChatSession;

constexpr int kPauseMs = 700; // of the typing person

class ReadAhead : public QObject {
    Q_OBJECT

public:
    // Both outlive it.
    ReadAhead(EngineClient* engine, ChatSession* session, QObject* parent = nullptr);

    void setOn(bool on);
    void callOff(); // what is being read or was to be

private:
    void textChanged();
    void begin();
    QString textNow() const; // all that would be read, to tell one state from another; empty = nothing to read

    EngineClient* m_engine;
    ChatSession* m_session;
    QTimer m_pause;
    RequestId m_request = 0;
    QString m_read; // of the request, or read already
    bool m_on = true;
};

} // namespace steelyard
