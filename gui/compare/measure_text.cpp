#include "gui/compare/measure_text.h"

#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStringDecoder>

namespace steelyard {

namespace {

constexpr qint64 kMostFileBytes = 32'000'000; // a text that takes days to measure is a mistake
constexpr qsizetype kMostChatCharacters = 400'000;

struct ReadText {
    QString text, problem;
};

ReadText readText(const QString& path) {
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly)) return {{}, MeasureText::tr("%1 cannot be read: %2.").arg(name, file.errorString())};
    if (file.size() > kMostFileBytes) return {{}, MeasureText::tr("%1 is longer than 32 MB. Choose a part of it.").arg(name)};
    QStringDecoder decoder(QStringDecoder::Utf8);
    QString text = decoder(file.readAll());
    if (decoder.hasError() || text.contains(QChar(0))) return {{}, MeasureText::tr("%1 is no text in UTF-8.").arg(name)};
    return {text, {}};
}

struct ChatTexts {
    QString text;
    int chats = 0;
};

} // namespace

MeasureText::MeasureText(Store* store, QObject* parent) : QObject(parent), m_store(store), m_sample(sample()) {
    m_jobs.setMaxThreadCount(1);
}

MeasureText::~MeasureText() { m_jobs.waitForDone(); }

QString MeasureText::sample() {
    QFile file(QStringLiteral(":/texts/sample.txt"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

void MeasureText::setSource(Source source) {
    if (source == m_source) return;
    m_source = source;
    m_problem.clear();
    if (source == Chats) readChats();
    emit changed();
}

void MeasureText::setOwn(const QString& text) {
    if (text == m_own) return;
    m_own = text;
    if (m_source == Own) emit changed();
}

const QString& MeasureText::value() const {
    switch (m_source) {
    case Sample: return m_sample;
    case Own: return m_own;
    case File: return m_fileText;
    case Chats: return m_chats;
    }
    return m_own;
}

QString MeasureText::name() const {
    switch (m_source) {
    case Sample: return tr("Sample text");
    case Own: return tr("Own text");
    case File: return m_fileName;
    case Chats: return tr("Past chats");
    }
    return {};
}

QString MeasureText::description() const {
    const QString length = tr("%1 characters").arg(QLocale().toString(value().size()));
    switch (m_source) {
    case Sample: return tr("Plain English prose that comes with the program: %1. Your own text says more about your own use.").arg(length);
    case Own: return m_own.isEmpty() ? tr("Paste a text of the kind that you work with.") : length;
    case File: return m_reading ? tr("The file is being read.") : m_fileName.isEmpty() ? tr("Choose a file of text.") : QStringLiteral("%1: %2").arg(m_fileName, length);
    case Chats: return m_reading ? tr("The chats are being read.") : QStringLiteral("%1: %2").arg(tr("%Ln chat(s), the newest first", nullptr, m_chatCount), length);
    }
    return {};
}

void MeasureText::chooseFile(const QUrl& url) {
    m_source = File;
    m_problem.clear();
    m_fileName = QFileInfo(url.toLocalFile()).fileName();
    m_fileText.clear();
    m_reading = true;
    emit changed();
    m_jobs.start([this, path = url.toLocalFile()] {
        QMetaObject::invokeMethod(
            this,
            [this, read = readText(path)] {
                m_reading = false;
                m_fileText = read.text;
                m_problem = read.problem;
                emit changed();
            },
            Qt::QueuedConnection);
    });
}

void MeasureText::readChats() {
    m_reading = true;
    const auto gather = [](Repositories& r) -> Result<ChatTexts> {
        const auto chats = r.chats.list();
        if (!chats) return chats.error();
        ChatTexts all;
        for (const ChatRecord& chat : *chats) {
            if (all.text.size() >= kMostChatCharacters) break;
            const auto thread = r.messages.thread(chat.id);
            if (!thread) return thread.error();
            const qsizetype before = all.text.size();
            for (const ThreadMessage& shown : *thread)
                if (!shown.message.content.isEmpty()) all.text += shown.message.content + QStringLiteral("\n\n");
            all.chats += all.text.size() > before ? 1 : 0;
        }
        all.text.truncate(kMostChatCharacters);
        return all;
    };
    m_store->run(this, gather, [this](const Result<ChatTexts>& all) {
        m_reading = false;
        if (all) {
            m_chats = all->text;
            m_chatCount = all->chats;
        }
        if (m_source == Chats) m_problem = QString::fromStdString(all.sentence());
        emit changed();
    });
}

} // namespace steelyard
