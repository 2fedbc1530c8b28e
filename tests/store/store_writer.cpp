// A second program with the store open, to be killed: it streams a reply into a chat and prints how many characters are saved.
#include "tests/store/store_folder.h"

#include <QCoreApplication>

#include <cstdio>

using namespace steelyard;
using namespace steelyard::storetest;

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    Store store(QString::fromLocal8Bit(argv[1]));
    if (!isOpened(store) || store.state() != Store::State::Saving) return 1;
    const qint64 chat = *now(store, [](Repositories& r) { return r.chats.create({}); });
    const qint64 asked = *now(store, [chat](Repositories& r) { return r.messages.add(question(chat, QStringLiteral("Go on."))); });
    const qint64 answered = *now(store, [=](Repositories& r) { return r.messages.add(reply(chat, QString(), asked)); });
    QString content;
    for (;;) {
        content += QStringLiteral("word ");
        const auto saved = now(store, [=](Repositories& r) { return r.messages.saveProgress(answered, content, QString()); }, Durability::Relaxed);
        if (!saved) return 2;
        std::printf("%lld %d\n", static_cast<long long>(answered), int(content.size()));
        std::fflush(stdout);
    }
}
