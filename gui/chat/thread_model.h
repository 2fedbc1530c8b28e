// The shown branch of a chat as rows for one list view: a message is a head, its blocks and a foot, each a row of its own,
// so that a list of any length draws only what is seen and a growing reply changes only its last rows.
//
// Invariant: rows follow the messages' order; a long history is turned into rows from its end in short steps, so that
// opening it never holds up the window (the rows of older messages are inserted above). Knows nothing of the store or the engine.
#pragma once

#include "gui/chat/markdown_stream.h"
#include "gui/chat/reply_runner.h"
#include "gui/store/records.h"

#include <QAbstractListModel>
#include <QSet>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace steelyard {

class ThreadModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("part of a chat session")
    Q_PROPERTY(int messageCount READ messageCount NOTIFY messagesChanged)
    Q_PROPERTY(bool raw READ raw WRITE setRaw NOTIFY rawChanged) // replies as they were written instead of as Markdown

public:
    enum Role {
        KindRole = Qt::UserRole + 1, // "user", "head", "thought", "thinking", "text", "code", "table", "rule", "plain", "foot"
        MessageIdRole, FromUserRole, TextRole, PlainRole, MarkerRole, LanguageRole, HeadingRole, QuoteRole, IndentRole, TightRole,
        RightToLeftRole, FirstRole, LastRole, ColumnsRole, CellsRole, AlignmentsRole,
        ModelNameRole, StatusRole, ThoughtTextRole, OpenRole, LiveRole, FiguresRole, StopRole, StopReasonRole, BranchRole,
        BranchesRole, LastMessageRole, CanGoOnRole, HasTokensRole
    };

    explicit ThreadModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int messageCount() const { return static_cast<int>(m_messages.size()); }
    bool raw() const { return m_raw; }
    void setRaw(bool raw);

    // Messages that stay (same id and text, from the first on) keep their rows.
    void setThread(const QVector<ThreadMessage>& thread);
    // A reply that is being made. Its message must be in the thread; else nothing happens.
    void setLive(const LiveReply& reply);
    // A reply's end, as stored.
    void setEnded(const MessageRecord& reply);

    void retranslate();

    QVector<MessageRecord> pathTo(qint64 messageId) const; // from the first to this one, included; empty if it is not here
    const ThreadMessage* find(qint64 messageId) const;
    const ThreadMessage* last() const;

    Q_INVOKABLE void toggleThought(qint64 messageId);
    // The whole message as it is stored.
    Q_INVOKABLE QString storedText(qint64 messageId) const;
    // The whole code block that a row is a part of.
    Q_INVOKABLE QString codeAt(int row) const;
    bool isComplete() const { return m_parsedFrom == 0; } // all messages have their rows

signals:
    void messagesChanged();
    void rawChanged();

private:
    enum class Part { Head, Thought, ThoughtText, Block, Foot };
    struct Place {
        size_t message;
        Part part;
        qsizetype block; // of blocks or thoughtBlocks
    };
    struct View {
        ThreadMessage data;
        QVector<MarkdownBlock> blocks, thoughtBlocks;
        MarkdownStream stream;          // of a live reply
        qsizetype streamed = 0;         // characters of the answer that the stream has
        bool live = false, thinking = false;
        bool thoughtOpen = false, thoughtTouched = false; // by the person
        QString status;
        bool isUser() const { return data.message.role == MessageRole::User; }
        bool hasThought() const { return thinking || !data.message.reasoning.isEmpty(); }
        int headRows() const { return (isUser() ? 0 : 1) + (hasThought() ? 1 : 0) + static_cast<int>(thoughtBlocks.size()); }
        int rows() const { return headRows() + static_cast<int>(blocks.size()) + 1; }
    };

    Place placeOf(int row) const;
    int rowsBefore(size_t message) const; // of a message that has rows
    QVariant blockData(const MarkdownBlock& block, int role) const;
    QVariant messageData(const View& view, int role) const;
    QString kindOf(const View& view, const Place& place) const;
    void makeBlocks(View& view) const;
    void makeThought(View& view) const;
    void parseSlice();
    void dropFrom(size_t message);
    void appendWithRows(View view);
    // Replaces a message by its next state; its first `sameBlocks` blocks are the same.
    void replace(size_t message, View next, qsizetype sameBlocks);
    void resize(size_t message, View next, int row, qsizetype before, qsizetype after);
    void tell(int firstRow, int endRow);
    void recount();
    size_t indexOf(qint64 messageId) const; // m_messages.size() = none

    std::vector<View> m_messages;
    size_t m_parsedFrom = 0;   // messages from here on have rows
    std::vector<int> m_starts; // first row of each message that has rows, and the end
    QTimer m_parseTimer;
    bool m_raw = false;
};

} // namespace steelyard
