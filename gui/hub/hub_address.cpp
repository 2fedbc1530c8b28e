#include "gui/hub/hub_address.h"

#include "gui/hub/safe_name.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace steelyard {

namespace {

const char* const kContext = "HubAddress";

Error error(const char* text) {
    return Error{QCoreApplication::translate(kContext, text).toStdString()};
}

bool isPlainPart(const QString& part) {
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_.+-]*$"));
    return kPlain.match(part).hasMatch() && part != QStringLiteral("..");
}

// "x-00002-of-00005.gguf": one part of several is no model.
int partsOf(const QString& fileName) {
    static const QRegularExpression kSplit(QStringLiteral("-\\d{5}-of-(\\d{5})\\.gguf$"), QRegularExpression::CaseInsensitiveOption);
    const auto match = kSplit.match(fileName);
    return match.hasMatch() ? match.captured(1).toInt() : 1;
}

Result<ModelAddress> finish(const QUrl& url, const QString& label) {
    const QString remote = url.path(QUrl::FullyDecoded).section(u'/', -1);
    if (!remote.endsWith(QStringLiteral(".gguf"), Qt::CaseInsensitive))
        return error(QT_TRANSLATE_NOOP("HubAddress", "Steelyard runs GGUF files. The address must end in .gguf."));
    if (partsOf(remote) > 1)
        return error(QT_TRANSLATE_NOOP("HubAddress", "This model is split into several files, which Steelyard cannot join yet. "
                                                     "Choose one that is a single file."));
    auto name = safeFileName(remote);
    if (!name) return name.error();
    return ModelAddress{url, *name, label};
}

// A page or file of the hub, by the parts of its path: owner, name, resolve|blob|raw, revision, file...
Result<ModelAddress> hubFile(QUrl url, QStringList parts) {
    if (parts.size() >= 3 && parts[2] == QStringLiteral("tree"))
        return error(QT_TRANSLATE_NOOP("HubAddress", "This is the page of a repository. Open the file you want there and copy its address."));
    if (parts.size() < 5)
        return error(QT_TRANSLATE_NOOP("HubAddress", "This names a repository, not a file. Add the file: owner/name/file.gguf"));
    const QString label = parts[0] + u'/' + parts[1] + u'/' + QStringList(parts.mid(4)).join(u'/');
    if (parts[2] == QStringLiteral("blob") || parts[2] == QStringLiteral("raw")) {
        parts[2] = QStringLiteral("resolve");
        url.setPath(u'/' + parts.join(u'/'), QUrl::DecodedMode);
    }
    return finish(url, label);
}

Result<ModelAddress> fullAddress(const QString& text, const QUrl& hub) {
    QUrl url(text, QUrl::TolerantMode);
    const QString scheme = url.scheme().toLower();
    if (scheme == QStringLiteral("file"))
        return error(QT_TRANSLATE_NOOP("HubAddress", "This is a file of this computer. Use “Add a file” for it."));
    if (!url.isValid() || (scheme != QStringLiteral("https") && scheme != QStringLiteral("http")) || url.host().isEmpty())
        return error(QT_TRANSLATE_NOOP("HubAddress", "This is not an address of the web. It must begin with https://"));
    if (!url.userInfo().isEmpty())
        return error(QT_TRANSLATE_NOOP("HubAddress", "The address holds a user name or password. Leave it out."));
    url.setFragment(QString());
    const QString host = url.host();
    const bool isHub = host == hub.host() || host == QStringLiteral("huggingface.co") || host == QStringLiteral("hf.co");
    const QStringList parts = url.path(QUrl::FullyDecoded).split(u'/', Qt::SkipEmptyParts);
    static const QStringList kViews = {QStringLiteral("resolve"), QStringLiteral("blob"), QStringLiteral("raw"), QStringLiteral("tree")};
    const bool isFile = url.path().endsWith(QStringLiteral(".gguf"), Qt::CaseInsensitive);
    if (isHub && (!isFile || kViews.contains(parts.value(2)))) return hubFile(url, parts);
    return finish(url, host + u'/' + url.path(QUrl::FullyDecoded).section(u'/', -1));
}

Result<ModelAddress> shortForm(const QString& text, const QUrl& hub) {
    const QStringList parts = text.split(u'/');
    if (!std::all_of(parts.begin(), parts.end(), isPlainPart) || parts.size() < 2)
        return error(QT_TRANSLATE_NOOP("HubAddress", "Paste the address of a GGUF file, or owner/name/file.gguf of the hub."));
    if (parts.size() == 2) return hubFile(hub, parts);
    QUrl url = hub;
    url.setPath(QStringLiteral("/%1/%2/resolve/main/%3").arg(parts[0], parts[1], QStringList(parts.mid(2)).join(u'/')));
    return finish(url, text);
}

} // namespace

Result<ModelAddress> readModelAddress(const QString& text, const QUrl& hub) {
    QString address = text.trimmed();
    if (address.size() >= 2 && (address.front() == u'"' || address.front() == u'<')) address = address.mid(1).chopped(1).trimmed();
    if (address.isEmpty()) return error(QT_TRANSLATE_NOOP("HubAddress", "Paste the address of a GGUF file, or owner/name/file.gguf of the hub."));
    const bool isOdd = address.size() > 4096 || std::any_of(address.begin(), address.end(), [](QChar c) { return !c.isPrint() || c.isSpace(); });
    if (isOdd) return error(QT_TRANSLATE_NOOP("HubAddress", "The address holds blanks or invisible characters. Copy it again."));
    static const QRegularExpression kLocal(QStringLiteral("^(/|~|\\.{1,2}[/\\\\]|\\\\|[A-Za-z]:)"));
    if (kLocal.match(address).hasMatch())
        return error(QT_TRANSLATE_NOOP("HubAddress", "This is a file of this computer. Use “Add a file” for it."));
    if (address.startsWith(QStringLiteral("hf.co/")) || address.startsWith(QStringLiteral("huggingface.co/")))
        address.prepend(QStringLiteral("https://"));
    static const QRegularExpression kScheme(QStringLiteral("^[A-Za-z][A-Za-z0-9+.-]*:"));
    return kScheme.match(address).hasMatch() ? fullAddress(address, hub) : shortForm(address, hub);
}

QUrl defaultHub() {
    const QString own = qEnvironmentVariable("STEELYARD_HUB");
    return QUrl(own.isEmpty() ? QStringLiteral("https://huggingface.co") : own);
}

} // namespace steelyard
