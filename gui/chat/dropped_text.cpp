#include "gui/chat/dropped_text.h"

#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QStringDecoder>

#include <algorithm>

namespace steelyard {
namespace {

// A fence that the content does not close.
QString fenceFor(const QString& content) {
    qsizetype longest = 2, run = 0;
    for (const QChar c : content) {
        run = c == u'`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return QString(longest + 1, u'`');
}

} // namespace

DroppedText DroppedText::read(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return {{}, tr("%1 cannot be read.").arg(name)};
    if (file.size() > kMaxDroppedBytes)
        return {{}, tr("%1 is too long for a question: %2, at most %3 are taken.")
                        .arg(name, QLocale().formattedDataSize(file.size()), QLocale().formattedDataSize(kMaxDroppedBytes))};
    const QByteArray bytes = file.read(kMaxDroppedBytes);
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString content = decoder.decode(bytes);
    if (decoder.hasError() || bytes.contains('\0')) return {{}, tr("%1 is not a file of text.").arg(name)};
    const QString fence = fenceFor(content);
    const QString end = content.isEmpty() || content.endsWith(u'\n') ? QString() : QStringLiteral("\n");
    return {QStringLiteral("%1:\n%2\n%3%4%2\n").arg(name, fence, content, end), {}};
}

} // namespace steelyard
