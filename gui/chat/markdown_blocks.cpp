#include "gui/chat/markdown_blocks.h"

#include "gui/chat/markdown_inline.h"

#include <algorithm>
#include <memory>

extern "C" {
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
}

namespace steelyard {
namespace {

constexpr int kMaxDepth = 24;              // of quotes and lists
constexpr qsizetype kMaxCells = 1200;      // of a table that is drawn as one
constexpr int kPartLines = 120;            // lines of code in one block
constexpr qsizetype kPartLength = 8000;    // characters of code in one block
constexpr qsizetype kMaxParagraph = 40000; // characters; a longer one is shown as typed
constexpr int kOptions = CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE;

struct ParserDeleter {
    void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
};
struct NodeDeleter {
    void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using NodePointer = std::unique_ptr<cmark_node, NodeDeleter>;

NodePointer parseTree(const QByteArray& source) {
    cmark_gfm_core_extensions_ensure_registered();
    const std::unique_ptr<cmark_parser, ParserDeleter> parser(cmark_parser_new(kOptions));
    for (const char* name : {"table", "strikethrough", "autolink", "tasklist"})
        if (cmark_syntax_extension* extension = cmark_find_syntax_extension(name))
            cmark_parser_attach_syntax_extension(parser.get(), extension);
    cmark_parser_attach_syntax_extension(parser.get(), formulaExtension());
    cmark_parser_feed(parser.get(), source.constData(), static_cast<size_t>(source.size()));
    return NodePointer(cmark_parser_finish(parser.get()));
}

// Where each line begins, in characters; the parser's own idea of lines (\n, \r\n, \r).
QVector<qsizetype> lineStarts(QStringView text) {
    QVector<qsizetype> starts{0};
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'\n' || (text[i] == u'\r' && (i + 1 == text.size() || text[i + 1] != u'\n')))
            starts.append(i + 1);
    }
    return starts;
}

// Cuts long text at ends of lines, or where it must, never inside a surrogate pair.
QVector<QStringView> parts(QStringView text) {
    QVector<QStringView> result;
    qsizetype start = 0, lastBreak = 0;
    int lines = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'\n') {
            lastBreak = i + 1;
            ++lines;
        }
        const bool full = lines >= kPartLines || i + 1 - start >= kPartLength;
        if (!full || i + 1 == text.size()) continue;
        qsizetype end = lastBreak > start ? lastBreak : i + 1;
        if (text[end - 1].isHighSurrogate()) --end;
        result.append(text.mid(start, end - start));
        start = end;
        lines = 0;
    }
    result.append(text.mid(start));
    return result;
}

class Walker {
public:
    explicit Walker(QStringView source) : m_source(source), m_lines(lineStarts(source)) {}

    QVector<MarkdownBlock> blocks;

    void walk(cmark_node* node) {
        switch (cmark_node_get_type(node)) {
        case CMARK_NODE_BLOCK_QUOTE: walkQuote(node); return;
        case CMARK_NODE_LIST: walkList(node); return;
        case CMARK_NODE_PARAGRAPH:
        case CMARK_NODE_HEADING: addText(node); return;
        case CMARK_NODE_CODE_BLOCK: addCode(node); return;
        case CMARK_NODE_THEMATIC_BREAK: add(MarkdownBlock::Kind::Rule); return;
        case CMARK_NODE_HTML_BLOCK: addTyped(unmarked(cmark_node_get_literal(node))); return;
        default: break;
        }
        if (qstrcmp(cmark_node_get_type_string(node), "table") == 0)
            addTable(node);
        else
            addTyped(sourceOf(node).toString());
    }

    qsizetype lineStart(int line) const { return m_lines.value(line - 1, m_source.size()); }
    // Whether the line (from 1) has its end, so that no later character can change what it is.
    bool isComplete(int line) const { return line < m_lines.size(); }

private:
    QStringView sourceOf(cmark_node* node) const {
        const qsizetype from = lineStart(cmark_node_get_start_line(node));
        const qsizetype to = lineStart(cmark_node_get_end_line(node) + 1);
        return m_source.mid(from, std::max<qsizetype>(0, to - from));
    }

    MarkdownBlock& add(MarkdownBlock::Kind kind) {
        MarkdownBlock block;
        block.kind = kind;
        block.quote = m_quote;
        block.indent = m_indent;
        block.marker = std::exchange(m_marker, QString());
        block.tight = std::exchange(m_nextIsTight, false);
        blocks.append(block);
        return blocks.last();
    }

    void walkQuote(cmark_node* node) {
        if (m_depth >= kMaxDepth) return addTyped(sourceOf(node).toString());
        ++m_depth;
        ++m_quote;
        for (cmark_node* child = cmark_node_first_child(node); child; child = cmark_node_next(child)) walk(child);
        --m_quote;
        --m_depth;
    }

    void walkList(cmark_node* node) {
        if (m_depth >= kMaxDepth) return addTyped(sourceOf(node).toString());
        ++m_depth;
        ++m_indent;
        const bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
        const bool tight = cmark_node_get_list_tight(node);
        const QChar delimiter = cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? u')' : u'.';
        qint64 number = cmark_node_get_list_start(node);
        bool firstItem = m_indent == 1;
        for (cmark_node* item = cmark_node_first_child(node); item; item = cmark_node_next(item)) {
            m_marker = ordered ? QString::number(number++) + delimiter : bullet(item);
            m_nextIsTight = tight && !firstItem;
            firstItem = false;
            if (!cmark_node_first_child(item)) add(MarkdownBlock::Kind::Text);
            for (cmark_node* child = cmark_node_first_child(item); child; child = cmark_node_next(child)) {
                walk(child);
                m_nextIsTight = tight;
            }
        }
        m_nextIsTight = false;
        --m_indent;
        --m_depth;
    }

    static QString bullet(cmark_node* item) {
        if (qstrcmp(cmark_node_get_type_string(item), "tasklist") != 0) return QStringLiteral("•");
        return cmark_gfm_extensions_get_tasklist_item_checked(item) ? QStringLiteral("☑") : QStringLiteral("☐");
    }

    void addText(cmark_node* node) {
        InlineText content = inlineText(node);
        if (content.plain.size() > kMaxParagraph) return addTyped(content.plain);
        MarkdownBlock& block = add(MarkdownBlock::Kind::Text);
        if (cmark_node_get_type(node) == CMARK_NODE_HEADING) block.heading = cmark_node_get_heading_level(node);
        block.rightToLeft = isRightToLeft(content.plain);
        block.text = std::move(content.html);
        block.plain = std::move(content.plain);
    }

    void addParts(MarkdownBlock::Kind kind, QString text, const QString& language) {
        if (text.endsWith(u'\n')) text.chop(1);
        const QVector<QStringView> cut = parts(text);
        for (qsizetype i = 0; i < cut.size(); ++i) {
            const bool last = i + 1 == cut.size();
            QStringView part = cut[i];
            if (!last && part.endsWith(u'\n')) part.chop(1); // the next block begins a line anyway
            MarkdownBlock& block = add(kind);
            block.text = part.toString();
            block.language = language;
            block.first = i == 0;
            block.last = last;
            if (kind == MarkdownBlock::Kind::Plain) block.rightToLeft = isRightToLeft(part);
        }
    }

    void addCode(cmark_node* node) {
        const QString info = unmarked(cmark_node_get_fence_info(node));
        addParts(MarkdownBlock::Kind::Code, unmarked(cmark_node_get_literal(node)), info.section(u' ', 0, 0));
    }

    void addTyped(const QString& text) { addParts(MarkdownBlock::Kind::Plain, text, {}); }

    void addTable(cmark_node* node) {
        const int columns = cmark_gfm_extensions_get_table_columns(node);
        const uint8_t* alignments = cmark_gfm_extensions_get_table_alignments(node);
        QStringList cells, lines;
        for (cmark_node* row = cmark_node_first_child(node); row; row = cmark_node_next(row)) {
            int column = 0;
            QStringList line;
            for (cmark_node* cell = cmark_node_first_child(row); cell && column < columns; cell = cmark_node_next(cell), ++column) {
                const InlineText content = inlineText(cell);
                cells.append(content.html);
                line.append(content.plain);
            }
            for (; column < columns; ++column) cells.append(QString());
            lines.append(line.join(QStringLiteral(" | ")));
        }
        if (cells.size() > kMaxCells) return addTyped(lines.join(u'\n'));
        MarkdownBlock& block = add(MarkdownBlock::Kind::Table);
        block.columns = columns;
        block.cells = cells;
        block.plain = lines.join(u'\n');
        block.rightToLeft = isRightToLeft(block.plain);
        for (int i = 0; i < columns; ++i)
            block.alignments.append(alignments[i] == 'r' ? Qt::AlignRight
                                    : alignments[i] == 'c' ? Qt::AlignHCenter : Qt::AlignLeft);
    }

    QStringView m_source;
    QVector<qsizetype> m_lines;
    QString m_marker;
    int m_quote = 0, m_indent = 0, m_depth = 0;
    bool m_nextIsTight = false;
};

} // namespace

QVector<MarkdownBlock> parseMarkdown(QStringView text, qsizetype* finalLength, qsizetype* finalBlocks) {
    Walker walker(text);
    const NodePointer root = parseTree(markedSource(text));
    qsizetype length = 0, count = 0;
    for (cmark_node* node = cmark_node_first_child(root.get()); node; node = cmark_node_next(node)) {
        // A block is final once a complete line has begun the next one.
        const int line = cmark_node_get_start_line(node);
        cmark_node* const before = cmark_node_previous(node);
        const int lineBefore = before ? cmark_node_get_start_line(before) : 0; // 0: cut off the front of a table
        if (lineBefore > 0 && line > lineBefore && walker.isComplete(line)) {
            length = walker.lineStart(line);
            count = walker.blocks.size();
        }
        walker.walk(node);
    }
    if (finalLength) *finalLength = length;
    if (finalBlocks) *finalBlocks = count;
    return walker.blocks;
}

QVector<MarkdownBlock> plainBlocks(QStringView text) {
    QVector<MarkdownBlock> blocks;
    const QVector<QStringView> cut = parts(text);
    for (qsizetype i = 0; i < cut.size(); ++i) {
        QStringView part = cut[i];
        if (i + 1 < cut.size() && part.endsWith(u'\n')) part.chop(1);
        MarkdownBlock block;
        block.kind = MarkdownBlock::Kind::Plain;
        block.text = part.toString();
        block.first = i == 0;
        block.last = i + 1 == cut.size();
        block.rightToLeft = isRightToLeft(part);
        blocks.append(block);
    }
    return blocks;
}

bool isRightToLeft(QStringView text) { return text.isRightToLeft(); }

} // namespace steelyard
