#include "gui/hub/transfer.h"

#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QRegularExpression>
#include <QStorageInfo>

#include <algorithm>

namespace steelyard {

namespace {

constexpr int kReportMs = 200;
constexpr int kSpeedWindowMs = 4'000;
constexpr int kLongestRetryMs = 60'000;
constexpr int kMostRedirects = 10;
constexpr int kMostRestarts = 2;
constexpr qint64 kSmallestModel = 24; // a GGUF header
constexpr qint64 kReadBuffer = 4 * 1024 * 1024;

// The SHA-256 that a hub publishes as entity tag: 64 hex digits, else empty.
QString sha256Of(QByteArray tag) {
    tag = tag.trimmed();
    if (tag.startsWith("W/")) tag.remove(0, 2);
    tag.replace('"', "");
    static const QRegularExpression kDigest(QStringLiteral("^[0-9a-fA-F]{64}$"));
    const QString text = QString::fromLatin1(tag);
    return kDigest.match(text).hasMatch() ? text.toLower() : QString();
}

// "bytes 100-199/200": where the rest begins and how long the whole is (-1 = not told).
bool readContentRange(const QByteArray& text, qint64& from, qint64& total) {
    static const QRegularExpression kRange(QStringLiteral("^bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)$"));
    const auto match = kRange.match(QString::fromLatin1(text));
    if (!match.hasMatch()) return false;
    from = match.captured(1).toLongLong();
    total = match.captured(3) == QStringLiteral("*") ? -1 : match.captured(3).toLongLong();
    return true;
}

// What the first bytes are, when they are no model's.
QString foreignKind(const QByteArray& head) {
    const QByteArray text = head.trimmed().toLower();
    if (head.startsWith("GGUF")) return {};
    if (text.startsWith('<')) return Transfer::tr("This is a web page, not a model. Copy the address of the file itself (its download button).");
    if (text.startsWith("version https://git-lfs"))
        return Transfer::tr("This is a pointer to the model, not the model. Use the address with /resolve/ in it.");
    if (text.startsWith('{')) return Transfer::tr("The server answered with a message, not with a model. Check the address.");
    return Transfer::tr("This is not a GGUF file. Choose a file whose name ends in .gguf.");
}

} // namespace

Transfer::Transfer(const QString& folder, const PartRecord& record, const TransferOptions& options, QNetworkAccessManager* network,
                   QObject* parent)
    : QObject(parent), m_folder(folder), m_options(options), m_network(network), m_part(folder, record) {
    m_step.setInterval(0);
    m_retryTimer.setSingleShot(true);
    m_reportTimer.setInterval(kReportMs);
    connect(&m_step, &QTimer::timeout, this, &Transfer::prepare);
    connect(&m_retryTimer, &QTimer::timeout, this, [this] { request(m_part.record().url); });
    connect(&m_reportTimer, &QTimer::timeout, this, [this] { report(m_progress.state); });
    m_clock.start();
}

Transfer::~Transfer() {
    stopReply();
}

void Transfer::start() {
    stopReply();
    m_failures = m_restarts = 0;
    m_samples.clear();
    m_part.close();
    if (auto opened = m_part.open(); !opened) return fail(QString::fromStdString(opened.sentence()));
    report(m_part.size() > 0 ? TransferState::Checking : TransferState::Connecting);
    m_step.start();
}

void Transfer::pause() {
    stopReply();
    m_part.close();
    report(TransferState::Paused);
}

void Transfer::discard() {
    stopReply();
    m_part.discard();
}

void Transfer::prepare() {
    const auto hashed = m_part.hashMore();
    if (hashed && !*hashed) return;
    m_step.stop();
    if (!hashed) return fail(QString::fromStdString(hashed.sentence()));
    request(m_part.record().url);
}

void Transfer::request(const QUrl& url) {
    if (url == m_part.record().url) {
        m_visited.clear();
        m_linkedSha256.clear();
        m_linkedBytes = -1;
    }
    m_visited.insert(url);
    m_bodyAccepted = false;
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setTransferTimeout(m_options.stallMs);
    request.setRawHeader("User-Agent", "Steelyard");
    request.setRawHeader("Accept-Encoding", "identity"); // the bytes as they are, so that ranges count them
    if (m_part.size() > 0) {
        request.setRawHeader("Range", "bytes=" + QByteArray::number(m_part.size()) + '-');
        const QByteArray etag = m_part.record().etag.toLatin1();
        if (!etag.isEmpty() && !etag.startsWith("W/")) request.setRawHeader("If-Range", etag);
    }
    m_reply = m_network->get(request);
    m_reply->setReadBufferSize(kReadBuffer);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &Transfer::readHeaders);
    connect(m_reply, &QNetworkReply::readyRead, this, &Transfer::readBody);
    connect(m_reply, &QNetworkReply::finished, this, &Transfer::requestEnded);
    if (m_progress.state != TransferState::Running) report(TransferState::Connecting);
}

QByteArray Transfer::header(const char* name) const {
    return m_reply->rawHeader(name);
}

void Transfer::readHeaders() {
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    takePublished();
    if (!m_bodyAccepted && (status == 200 || status == 206)) acceptBody(status);
}

void Transfer::takePublished() {
    if (const QString linked = sha256Of(header("X-Linked-Etag")); !linked.isEmpty()) m_linkedSha256 = linked;
    bool isNumber = false;
    if (const qint64 linked = header("X-Linked-Size").toLongLong(&isNumber); isNumber && linked > 0) m_linkedBytes = linked;
}

void Transfer::acceptBody(int status) {
    if (m_reply->header(QNetworkRequest::ContentTypeHeader).toString().startsWith(QStringLiteral("text/html"), Qt::CaseInsensitive)) {
        m_part.discard();
        return fail(foreignKind("<html"));
    }
    if (status == 206) return acceptRest();
    // The whole file: the first request, or a server that knows no ranges, or a file that has changed.
    if (m_part.size() > 0)
        if (auto done = m_part.restart(); !done) return fail(QString::fromStdString(done.sentence()));
    bool isNumber = false;
    const qint64 length = header("Content-Length").toLongLong(&isNumber);
    PartRecord record = m_part.record();
    record.etag = QString::fromLatin1(header("ETag"));
    record.sha256 = m_linkedSha256.isEmpty() ? sha256Of(header("ETag")) : m_linkedSha256;
    record.totalBytes = isNumber && length > 0 ? length : m_linkedBytes;
    if (m_linkedBytes > 0 && record.totalBytes != m_linkedBytes)
        return retry(tr("The server sends %1 bytes, the hub announces %2.").arg(record.totalBytes).arg(m_linkedBytes));
    if (auto saved = m_part.setRecord(record); !saved) return fail(QString::fromStdString(saved.sentence()));
    if (!hasSpace()) return;
    m_bodyAccepted = true;
    report(TransferState::Running);
}

void Transfer::acceptRest() {
    const PartRecord& record = m_part.record();
    qint64 from = -1, total = -1;
    const bool isRange = readContentRange(header("Content-Range"), from, total);
    const QString etag = QString::fromLatin1(header("ETag"));
    const bool isOther = (!record.sha256.isEmpty() && !m_linkedSha256.isEmpty() && record.sha256 != m_linkedSha256) ||
                         (!record.etag.isEmpty() && !etag.isEmpty() && record.etag != etag) ||
                         (record.totalBytes > 0 && total > 0 && record.totalBytes != total);
    if (!isRange || from != m_part.size() || isOther) return startOver();
    if (!hasSpace()) return;
    m_bodyAccepted = true;
    report(TransferState::Running);
}

bool Transfer::hasSpace() {
    const qint64 missing = m_part.record().totalBytes - m_part.size();
    const qint64 available = m_options.freeBytes ? m_options.freeBytes(m_folder) : QStorageInfo(m_folder).bytesAvailable();
    if (missing <= 0 || available < 0 || missing + m_options.reserveBytes <= available) return true;
    const QLocale locale;
    fail(tr("There is not enough space: %1 are still to come, %2 are free. Free some space, then continue.")
             .arg(locale.formattedDataSize(missing, 1, QLocale::DataSizeSIFormat), locale.formattedDataSize(available, 1, QLocale::DataSizeSIFormat)));
    return false;
}

void Transfer::readBody() {
    if (!m_bodyAccepted || !m_reply || !m_reply->isOpen()) return;
    const QByteArray bytes = m_reply->readAll();
    if (bytes.isEmpty()) return;
    if (auto done = m_part.append(bytes); !done) return fail(QString::fromStdString(done.sentence()));
    m_failures = 0;
    const qint64 total = m_part.record().totalBytes;
    if (total > 0 && m_part.size() > total) {
        m_part.discard();
        return fail(tr("The server sends more than it announced, so this is not the published file. Try again later."));
    }
    checkHead();
}

// The first bytes tell at once whether this can be a model.
bool Transfer::checkHead() {
    if (m_part.size() < 4) return true;
    const QString foreign = foreignKind(m_part.head());
    if (foreign.isEmpty()) return true;
    m_part.discard();
    fail(foreign);
    return false;
}

void Transfer::requestEnded() {
    if (!m_reply) return;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_bodyAccepted) readBody();
    if (!m_reply) return; // readBody failed
    const QNetworkReply::NetworkError error = m_reply->error();
    if (status >= 300 && status < 400 && status != 304) return redirect();
    if (status == 416) return m_part.size() == m_part.record().totalBytes ? checkAndFinish() : startOver();
    if (status >= 400) return failStatus(status);
    if (error != QNetworkReply::NoError) return failNetwork(error);
    if (!m_bodyAccepted) return retry(tr("The server's answer makes no sense (%1).").arg(status));
    if (const qint64 total = m_part.record().totalBytes; total > 0 && m_part.size() < total)
        return retry(tr("The server closed the connection before the end."));
    checkAndFinish();
}

void Transfer::redirect() {
    const QUrl from = m_reply->url();
    const QUrl to = from.resolved(QUrl::fromEncoded(header("Location")));
    stopReply();
    if (!to.isValid() || to.host().isEmpty() || !to.scheme().startsWith(QStringLiteral("http")))
        return fail(tr("The server points to something that is no address of the web."));
    if (from.scheme() == QStringLiteral("https") && to.scheme() != QStringLiteral("https"))
        return fail(tr("The server points to an address without encryption. The download was stopped."));
    if (m_visited.contains(to) || m_visited.size() > kMostRedirects)
        return fail(tr("The server sends the request round in a circle. Check the address."));
    request(to);
}

void Transfer::checkAndFinish() {
    stopReply();
    if (!checkHead()) return;
    report(TransferState::Checking);
    const QString hash = m_part.hash();
    const QString published = m_part.record().sha256;
    if (const qint64 size = m_part.size(); size < kSmallestModel) {
        m_part.discard();
        return fail(tr("The file holds only %1 bytes, so it is no model. Check the address.").arg(size));
    }
    if (!published.isEmpty() && published != hash) {
        m_part.discard();
        return fail(tr("What arrived is not the published file (its SHA-256 differs), so it was deleted. Try again."));
    }
    auto finished = m_part.finish();
    if (!finished) return fail(QString::fromStdString(finished.sentence()));
    m_progress.path = *finished;
    m_progress.sha256 = hash;
    m_progress.verified = !published.isEmpty();
    report(TransferState::Finished);
}

void Transfer::startOver() {
    stopReply();
    if (++m_restarts > kMostRestarts) return fail(tr("The file changes on the server while it is sent. Try again later."));
    if (auto done = m_part.restart(); !done) return fail(QString::fromStdString(done.sentence()));
    m_samples.clear();
    request(m_part.record().url);
}

void Transfer::stopReply() {
    m_step.stop();
    m_retryTimer.stop();
    m_reportTimer.stop();
    if (!m_reply) return;
    QNetworkReply* reply = m_reply;
    m_reply = nullptr;
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

void Transfer::retry(const QString& reason, int afterMs) {
    stopReply();
    if (++m_failures > m_options.retries) return fail(tr("%1 It was tried %2 times.").arg(reason).arg(m_options.retries + 1));
    if (afterMs < 0) afterMs = int(std::min<qint64>(kLongestRetryMs, qint64(m_options.firstRetryMs) << std::min(m_failures - 1, 16)));
    report(TransferState::WaitingToRetry, reason);
    m_retryTimer.start(afterMs);
}

void Transfer::fail(const QString& sentence) {
    stopReply();
    m_part.close();
    report(TransferState::Failed, sentence);
}

void Transfer::failStatus(int status) {
    if (status < 500 && status != 408 && status != 429 && m_part.size() == 0) m_part.discard(); // nothing to go on with
    if (status == 401 || status == 403)
        return fail(tr("The server gives this file only to signed-in people (%1). Download it in a browser and add the file.").arg(status));
    if (status == 404 || status == 410) return fail(tr("There is no file at this address (%1). Check its spelling.").arg(status));
    if (status == 408 || status == 429 || status >= 500) {
        bool isNumber = false;
        const int seconds = header("Retry-After").toInt(&isNumber);
        const bool wait = isNumber && seconds >= 0;
        return retry(tr("The server is busy or broken (%1).").arg(status), wait ? std::min(seconds * 1000, kLongestRetryMs) : -1);
    }
    fail(tr("The server refuses this request (%1). Check the address.").arg(status));
}

void Transfer::failNetwork(QNetworkReply::NetworkError error) {
    switch (error) {
    case QNetworkReply::HostNotFoundError:
        return retry(tr("The server %1 was not found. Check the connection and the address.").arg(m_reply->url().host()));
    case QNetworkReply::SslHandshakeFailedError:
        return fail(tr("No trusted connection to %1 could be made. Check the date of this computer and its network.").arg(m_reply->url().host()));
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::UnknownProxyError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return fail(tr("The request could not be made: %1").arg(m_reply->errorString()));
    case QNetworkReply::ConnectionRefusedError:
        return retry(tr("The server %1 does not answer.").arg(m_reply->url().host()));
    case QNetworkReply::OperationCanceledError:
    case QNetworkReply::TimeoutError:
        return retry(tr("Nothing came for %n second(s).", nullptr, std::max(1, m_options.stallMs / 1000)));
    default:
        return retry(tr("The connection was lost."));
    }
}

void Transfer::report(TransferState state, const QString& sentence) {
    const qint64 now = m_clock.elapsed();
    m_progress.state = state;
    m_progress.sentence = sentence;
    m_progress.receivedBytes = m_part.size();
    m_progress.totalBytes = m_part.record().totalBytes;
    m_samples.append({now, m_part.size()});
    while (m_samples.size() > 2 && now - m_samples.first().first > kSpeedWindowMs) m_samples.removeFirst();
    const auto& [sinceMs, sinceBytes] = m_samples.first();
    const qint64 grown = std::max<qint64>(0, m_part.size() - sinceBytes);
    m_progress.bytesPerSecond = state == TransferState::Running && now > sinceMs ? grown * 1000 / (now - sinceMs) : 0;
    if (state == TransferState::Running && !m_reportTimer.isActive()) m_reportTimer.start();
    if (state != TransferState::Running) m_reportTimer.stop();
    emit progressed(m_progress);
}

} // namespace steelyard
