// A model hub on this machine that answers as a test says, faults included.
//
// Invariant: one request per connection; every request is kept for the test to look at. Knows nothing of downloads.
#pragma once

#include <QCryptographicHash>
#include <QHash>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>

#include <functional>

namespace steelyard::guitest {

struct FakeRequest {
    QString path; // with the query
    QHash<QByteArray, QByteArray> headers; // names in lower case
    qint64 rangeFrom() const { return headers.value("range").mid(6).chopped(1).toLongLong(); }
    bool hasRange() const { return headers.contains("range"); }
};

struct FakeAnswer {
    int status = 200;
    QVector<QPair<QByteArray, QByteArray>> headers; // Content-Length is added unless it is here
    QByteArray body;
    qsizetype closeAfter = -1; // bytes of the body, then the connection is cut
    int dripMs = 0;            // between bytes; 0 = all at once
    bool hang = false;         // nothing after what was sent
};

class FakeHub : public QTcpServer {
public:
    using Handler = std::function<FakeAnswer(const FakeRequest&)>;

    FakeHub() { listen(QHostAddress::LocalHost); }

    QUrl url(const QString& path = QString()) const { return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(serverPort()).arg(path)); }
    QString text(const QString& path) const { return url(path).toString(); }
    void on(const QString& path, Handler handler) { m_handlers.insert(path, std::move(handler)); }
    const QVector<FakeRequest>& requests() const { return m_requests; }
    void clearRequests() { m_requests.clear(); }

    static QByteArray digestOf(const QByteArray& bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex(); }

    // As a hub serves a file: with entity tag and ranges.
    static FakeAnswer file(const FakeRequest& request, const QByteArray& content, const QByteArray& etag) {
        FakeAnswer answer;
        answer.headers = {{"ETag", '"' + etag + '"'}, {"Accept-Ranges", "bytes"}, {"Content-Type", "application/octet-stream"}};
        answer.body = content;
        const bool isSame = !request.headers.contains("if-range") || request.headers.value("if-range") == '"' + etag + '"';
        if (!request.hasRange() || !isSame) return answer;
        const qint64 from = request.rangeFrom();
        answer.status = from < content.size() ? 206 : 416;
        answer.headers.append({"Content-Range", from < content.size() ? "bytes " + QByteArray::number(from) + '-' +
                                                                            QByteArray::number(content.size() - 1) + '/' + QByteArray::number(content.size())
                                                                      : "bytes */" + QByteArray::number(content.size())});
        answer.body = content.mid(from);
        return answer;
    }

protected:
    void incomingConnection(qintptr handle) override {
        auto* socket = new QTcpSocket(this);
        socket->setSocketDescriptor(handle);
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket, received = QByteArray()]() mutable {
            received += socket->readAll();
            const qsizetype end = received.indexOf("\r\n\r\n");
            if (end < 0) return;
            answer(socket, parse(received.left(end)));
            received.clear();
        });
    }

private:
    static FakeRequest parse(const QByteArray& head) {
        FakeRequest request;
        const QList<QByteArray> lines = head.split('\n');
        request.path = QString::fromLatin1(lines.first().split(' ').value(1));
        for (const QByteArray& line : lines.mid(1)) request.headers.insert(line.left(line.indexOf(':')).toLower(), line.mid(line.indexOf(':') + 1).trimmed());
        return request;
    }

    void answer(QTcpSocket* socket, const FakeRequest& request) {
        m_requests.append(request);
        const auto handler = m_handlers.value(request.path.section(u'?', 0, 0));
        const FakeAnswer answer = handler ? handler(request) : FakeAnswer{404, {}, "no such file", -1, 0, false};
        QByteArray head = "HTTP/1.1 " + QByteArray::number(answer.status) + " X\r\nConnection: close\r\n";
        bool hasLength = false;
        for (const auto& [name, value] : answer.headers) {
            head += name + ": " + value + "\r\n";
            hasLength = hasLength || name == "Content-Length" || name == "Transfer-Encoding";
        }
        if (!hasLength) head += "Content-Length: " + QByteArray::number(answer.body.size()) + "\r\n";
        socket->write(head + "\r\n");
        const QByteArray body = answer.closeAfter >= 0 ? answer.body.left(answer.closeAfter) : answer.body;
        if (answer.dripMs > 0) return drip(socket, body, answer.dripMs);
        socket->write(body);
        if (!answer.hang) socket->disconnectFromHost();
    }

    static void drip(QTcpSocket* socket, const QByteArray& body, int ms) {
        auto* timer = new QTimer(socket);
        connect(timer, &QTimer::timeout, socket, [socket, body, timer, at = qsizetype(0)]() mutable {
            if (at < body.size()) {
                socket->write(body.mid(at++, 1));
                return;
            }
            timer->stop();
            socket->disconnectFromHost();
        });
        timer->start(ms);
    }

    QHash<QString, Handler> m_handlers;
    QVector<FakeRequest> m_requests;
};

} // namespace steelyard::guitest
