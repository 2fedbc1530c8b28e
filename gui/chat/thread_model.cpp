#include "gui/chat/thread_model.h"

#include "gui/chat/reply_figures_text.h"
#include "gui/engine_client/amounts.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace steelyard {
namespace {

constexpr int kSliceMs = 8;
constexpr qsizetype kRebuildLength = 200000; // characters of new messages that are made into rows in steps

} // namespace

ThreadModel::ThreadModel(QObject* parent) : QAbstractListModel(parent), m_starts{0} {
    m_parseTimer.setInterval(0);
    connect(&m_parseTimer, &QTimer::timeout, this, &ThreadModel::parseSlice);
}

// --- Rows

void ThreadModel::recount() {
    m_starts.clear();
    int row = 0;
    for (size_t i = m_parsedFrom; i < m_messages.size(); ++i) {
        m_starts.push_back(row);
        row += m_messages[i].rows();
    }
    m_starts.push_back(row);
}

int ThreadModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_starts.back(); }

int ThreadModel::rowsBefore(size_t message) const { return m_starts[message - m_parsedFrom]; }

ThreadModel::Place ThreadModel::placeOf(int row) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), row);
    const size_t message = m_parsedFrom + static_cast<size_t>(after - m_starts.begin() - 1);
    const View& view = m_messages[message];
    int inside = row - *(after - 1);
    if (!view.isUser() && inside-- == 0) return {message, Part::Head, 0};
    if (view.hasThought() && inside-- == 0) return {message, Part::Thought, 0};
    if (inside < view.thoughtBlocks.size()) return {message, Part::ThoughtText, inside};
    inside -= static_cast<int>(view.thoughtBlocks.size());
    if (inside < view.blocks.size()) return {message, Part::Block, inside};
    return {message, Part::Foot, 0};
}

QString ThreadModel::kindOf(const View& view, const Place& place) const {
    switch (place.part) {
    case Part::Head: return QStringLiteral("head");
    case Part::Thought: return QStringLiteral("thought");
    case Part::ThoughtText: return QStringLiteral("thinking");
    case Part::Foot: return QStringLiteral("foot");
    case Part::Block: break;
    }
    if (view.isUser()) return QStringLiteral("user");
    switch (view.blocks[place.block].kind) {
    case MarkdownBlock::Kind::Text: return QStringLiteral("text");
    case MarkdownBlock::Kind::Code: return QStringLiteral("code");
    case MarkdownBlock::Kind::Table: return QStringLiteral("table");
    case MarkdownBlock::Kind::Rule: return QStringLiteral("rule");
    case MarkdownBlock::Kind::Plain: return QStringLiteral("plain");
    }
    return {};
}

QHash<int, QByteArray> ThreadModel::roleNames() const {
    return {{KindRole, "kind"}, {MessageIdRole, "messageId"}, {FromUserRole, "fromUser"}, {TextRole, "text"}, {PlainRole, "plain"},
            {MarkerRole, "marker"}, {LanguageRole, "language"}, {HeadingRole, "heading"}, {QuoteRole, "quote"}, {IndentRole, "indent"},
            {TightRole, "tight"}, {RightToLeftRole, "rightToLeft"}, {FirstRole, "first"}, {LastRole, "last"}, {ColumnsRole, "columns"},
            {CellsRole, "cells"}, {AlignmentsRole, "alignments"}, {ModelNameRole, "modelName"}, {StatusRole, "status"},
            {ThoughtTextRole, "thoughtText"}, {OpenRole, "open"}, {LiveRole, "live"}, {FiguresRole, "figures"}, {StopRole, "stop"},
            {StopReasonRole, "stopReason"}, {BranchRole, "branch"}, {BranchesRole, "branches"}, {LastMessageRole, "lastMessage"}, {CanGoOnRole, "canGoOn"},
            {HasTokensRole, "hasTokens"}};
}

QVariant ThreadModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Place place = placeOf(index.row());
    const View& view = m_messages[place.message];
    if (role == KindRole) return kindOf(view, place);
    if (role == LastMessageRole) return place.message + 1 == m_messages.size();
    if (role >= TextRole && role <= AlignmentsRole) {
        if (place.part == Part::Block) return blockData(view.blocks[place.block], role);
        if (place.part == Part::ThoughtText) return blockData(view.thoughtBlocks[place.block], role);
        static const MarkdownBlock none;
        return blockData(none, role);
    }
    return messageData(view, role);
}

QVariant ThreadModel::blockData(const MarkdownBlock& block, int role) const {
    switch (role) {
    case TextRole: return block.text;
    case PlainRole: return block.plain;
    case MarkerRole: return block.marker;
    case LanguageRole: return block.language;
    case HeadingRole: return block.heading;
    case QuoteRole: return block.quote;
    case IndentRole: return block.indent;
    case TightRole: return block.tight;
    case RightToLeftRole: return block.rightToLeft;
    case FirstRole: return block.first;
    case LastRole: return block.last;
    case ColumnsRole: return block.columns;
    case CellsRole: return block.cells;
    case AlignmentsRole: {
        QVariantList list;
        for (int alignment : block.alignments) list += alignment;
        return list;
    }
    default: return {};
    }
}

QVariant ThreadModel::messageData(const View& view, int role) const {
    const MessageRecord& message = view.data.message;
    switch (role) {
    case MessageIdRole: return message.id;
    case FromUserRole: return view.isUser();
    case ModelNameRole: return message.modelName;
    case StatusRole: return view.status;
    case ThoughtTextRole:
        if (view.thinking) return tr("Thinking");
        return message.reasoningMs > 0 ? tr("Thought for %1").arg(durationInWords(double(message.reasoningMs))) : tr("Thought");
    case OpenRole: return view.thoughtOpen;
    case LiveRole: return view.live;
    case FiguresRole: return message.figures ? ReplyFiguresText::line(*message.figures) : QString();
    case StopRole: return view.isUser() || view.live ? QString() : ReplyFiguresText::stopped(message);
    case StopReasonRole: return view.isUser() || view.live ? -2 : message.stopReason.value_or(-1);
    case CanGoOnRole: return !view.isUser() && !view.live && ReplyFiguresText::canGoOn(message);
    case HasTokensRole: return message.hasTokens;
    case BranchRole: return view.data.branch;
    case BranchesRole: return static_cast<int>(view.data.siblings.size());
    default: return {};
    }
}

// --- From messages to rows

void ThreadModel::makeBlocks(View& view) const {
    const QString& text = view.data.message.content;
    view.stream.clear();
    view.streamed = 0;
    if (view.isUser() || m_raw) {
        view.blocks = text.isEmpty() ? QVector<MarkdownBlock>() : plainBlocks(text);
    } else if (view.live) {
        view.stream.append(text);
        view.streamed = text.size();
        view.blocks = view.stream.blocks();
    } else {
        view.blocks = parseMarkdown(text);
    }
}

void ThreadModel::makeThought(View& view) const {
    const QString& text = view.data.message.reasoning;
    view.thoughtBlocks = view.thoughtOpen && !text.isEmpty() ? plainBlocks(text) : QVector<MarkdownBlock>();
}

void ThreadModel::setThread(const QVector<ThreadMessage>& thread) {
    size_t same = 0;
    while (same < m_messages.size() && qsizetype(same) < thread.size() &&
           m_messages[same].data.message.id == thread[qsizetype(same)].message.id &&
           (m_messages[same].live || m_messages[same].data.message.content == thread[qsizetype(same)].message.content))
        ++same;
    qsizetype length = 0;
    for (qsizetype i = qsizetype(same); i < thread.size(); ++i) length += thread[i].message.content.size();
    if (same == 0 || m_parsedFrom > 0 || length > kRebuildLength) {
        beginResetModel();
        m_messages.clear();
        for (const ThreadMessage& message : thread) m_messages.push_back({message, {}, {}, {}, 0, false, false, false, false, {}});
        m_parsedFrom = m_messages.size();
        recount();
        endResetModel();
        parseSlice();
    } else {
        dropFrom(same);
        for (size_t i = 0; i < same; ++i) {
            View next = m_messages[i];
            next.data.siblings = thread[qsizetype(i)].siblings;
            next.data.branch = thread[qsizetype(i)].branch;
            const qsizetype blocks = next.blocks.size();
            replace(i, std::move(next), blocks);
        }
        for (qsizetype i = qsizetype(same); i < thread.size(); ++i)
            appendWithRows({thread[i], {}, {}, {}, 0, false, false, false, false, {}});
    }
    emit messagesChanged();
}

// Makes rows for as many messages as fit a fraction of a frame, newest first, and goes on after the next events.
void ThreadModel::parseSlice() {
    QElapsedTimer timer;
    timer.start();
    size_t from = m_parsedFrom;
    while (from > 0 && (from == m_parsedFrom || timer.elapsed() < kSliceMs)) {
        --from;
        makeBlocks(m_messages[from]);
        makeThought(m_messages[from]);
    }
    if (from < m_parsedFrom) {
        int rows = 0;
        for (size_t i = from; i < m_parsedFrom; ++i) rows += m_messages[i].rows();
        beginInsertRows({}, 0, rows - 1);
        m_parsedFrom = from;
        recount();
        endInsertRows();
    }
    if (m_parsedFrom > 0)
        m_parseTimer.start();
    else
        m_parseTimer.stop();
}

void ThreadModel::dropFrom(size_t message) {
    if (message >= m_messages.size()) return;
    beginRemoveRows({}, rowsBefore(message), rowCount() - 1);
    m_messages.resize(message);
    recount();
    endRemoveRows();
}

void ThreadModel::appendWithRows(View view) {
    makeBlocks(view);
    makeThought(view);
    beginInsertRows({}, rowCount(), rowCount() + view.rows() - 1);
    m_messages.push_back(std::move(view));
    recount();
    endInsertRows();
    if (m_messages.size() > 1) tell(rowsBefore(m_messages.size() - 2), rowsBefore(m_messages.size() - 1)); // no longer the last
}

void ThreadModel::tell(int firstRow, int endRow) {
    if (firstRow < endRow) emit dataChanged(index(firstRow), index(endRow - 1));
}

// Takes over `next` while `before` rows that end in front of `row` become `after` rows.
void ThreadModel::resize(size_t message, View next, int row, qsizetype before, qsizetype after) {
    const int difference = static_cast<int>(after - before);
    if (difference > 0) beginInsertRows({}, row, row + difference - 1);
    if (difference < 0) beginRemoveRows({}, row + difference, row - 1);
    m_messages[message] = std::move(next);
    recount();
    if (difference > 0) endInsertRows();
    if (difference < 0) endRemoveRows();
}

void ThreadModel::replace(size_t message, View next, qsizetype sameBlocks) {
    if (message < m_parsedFrom) {
        m_messages[message] = std::move(next); // its rows are made later
        m_messages[message].blocks.clear();
        m_messages[message].thoughtBlocks.clear();
        return;
    }
    const View& old = m_messages[message];
    const int base = rowsBefore(message), oldHead = old.headRows(), newHead = next.headRows();
    View half = next; // first the head, then the blocks: each step is consistent
    half.blocks = old.blocks;
    resize(message, std::move(half), base + oldHead, oldHead, newHead);
    const qsizetype before = m_messages[message].blocks.size(), after = next.blocks.size();
    resize(message, std::move(next), base + newHead + static_cast<int>(before), before, after);
    tell(base, base + newHead);
    tell(base + newHead + static_cast<int>(std::min(sameBlocks, after)), base + m_messages[message].rows());
}

// --- Changes

void ThreadModel::setRaw(bool raw) {
    if (raw == m_raw) return;
    m_raw = raw;
    beginResetModel();
    m_parsedFrom = m_messages.size();
    recount();
    endResetModel();
    parseSlice();
    emit rawChanged();
}

void ThreadModel::setLive(const LiveReply& reply) {
    const size_t at = indexOf(reply.order.reply.id);
    if (at == m_messages.size()) return;
    View next = m_messages[at];
    const bool began = !next.live;
    next.live = true;
    next.data.message.modelName = reply.order.reply.modelName;
    next.data.message.content = reply.parts.answer;
    next.data.message.reasoning = reply.parts.reasoning;
    next.data.message.reasoningMs = reply.reasoningMs;
    next.status = ReplyFiguresText::status(reply);
    next.thinking = reply.parts.thinking;
    if (!next.thoughtTouched) next.thoughtOpen = next.thinking; // open while it runs, folded when it is done
    makeThought(next);
    qsizetype same = 0;
    if (m_raw || began || next.streamed > next.data.message.content.size() || (next.streamed == 0 && !next.blocks.isEmpty())) {
        makeBlocks(next);
    } else if (next.streamed < next.data.message.content.size()) {
        next.stream.append(QStringView(next.data.message.content).mid(next.streamed));
        next.streamed = next.data.message.content.size();
        next.blocks = next.stream.blocks();
        same = next.stream.firstChanged();
    } else {
        same = next.blocks.size();
    }
    replace(at, std::move(next), same);
}

void ThreadModel::setEnded(const MessageRecord& reply) {
    const size_t at = indexOf(reply.id);
    if (at == m_messages.size()) return;
    View next = m_messages[at];
    next.data.message = reply;
    next.live = next.thinking = false;
    next.status.clear();
    if (!next.thoughtTouched) next.thoughtOpen = false;
    makeThought(next);
    makeBlocks(next);
    const QVector<MarkdownBlock>& old = m_messages[at].blocks;
    const qsizetype shared = std::min(old.size(), next.blocks.size());
    qsizetype same = 0;
    while (same < shared && old[same] == next.blocks[same]) ++same;
    replace(at, std::move(next), same);
    emit messagesChanged();
}

void ThreadModel::retranslate() { tell(0, rowCount()); }

void ThreadModel::toggleThought(qint64 messageId) {
    const size_t at = indexOf(messageId);
    if (at == m_messages.size()) return;
    View next = m_messages[at];
    next.thoughtOpen = !next.thoughtOpen;
    next.thoughtTouched = true;
    makeThought(next);
    const qsizetype blocks = next.blocks.size();
    replace(at, std::move(next), blocks);
}

// --- Questions

size_t ThreadModel::indexOf(qint64 messageId) const {
    for (size_t i = m_messages.size(); i > 0; --i) // the newest are asked for most
        if (m_messages[i - 1].data.message.id == messageId) return i - 1;
    return m_messages.size();
}

const ThreadMessage* ThreadModel::find(qint64 messageId) const {
    const size_t at = indexOf(messageId);
    return at == m_messages.size() ? nullptr : &m_messages[at].data;
}

const ThreadMessage* ThreadModel::last() const { return m_messages.empty() ? nullptr : &m_messages.back().data; }

QVector<MessageRecord> ThreadModel::pathTo(qint64 messageId) const {
    QVector<MessageRecord> path;
    const size_t end = indexOf(messageId);
    if (end == m_messages.size()) return path;
    for (size_t i = 0; i <= end; ++i) path.append(m_messages[i].data.message);
    return path;
}

QString ThreadModel::storedText(qint64 messageId) const {
    const ThreadMessage* message = find(messageId);
    return message ? message->message.content : QString();
}

QString ThreadModel::codeAt(int row) const {
    if (row < 0 || row >= rowCount()) return {};
    const Place place = placeOf(row);
    if (place.part != Part::Block) return {};
    const QVector<MarkdownBlock>& blocks = m_messages[place.message].blocks;
    qsizetype first = place.block;
    while (first > 0 && !blocks[first].first) --first;
    QStringList parts;
    for (qsizetype i = first; i < blocks.size(); ++i) {
        parts += blocks[i].text;
        if (blocks[i].last) break;
    }
    return parts.join(u'\n');
}

} // namespace steelyard
