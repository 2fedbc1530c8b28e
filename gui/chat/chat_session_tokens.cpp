// How probable the tokens of a reply were, from the store.
#include "gui/chat/chat_session.h"

#include "gui/chat/token_probabilities.h"
#include "gui/store/store.h"

namespace steelyard {

void ChatSession::showTokens(qint64 replyId) {
    m_store->run(
        this, [replyId](Repositories& r) { return r.messages.tokens(replyId); },
        [this](const Result<QString>& stored) {
            if (stored) emit tokensRead(shownTokens(*stored));
            else emit failed(QString::fromStdString(stored.sentence()));
        });
}

} // namespace steelyard
