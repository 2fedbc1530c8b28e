#include "gui/chat/markdown_inline.h"

#include <QUrl>

#include <algorithm>
#include <cstring>

extern "C" {
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <cmark-gfm/chunk.h>
}

namespace steelyard {
namespace {

// Private-use characters (F3 B0 80 8x in UTF-8) that stand in the parser's input only.
const QString kAmpersand = QString::fromUcs4(U"\U000F0000", 1); // an ampersand: no entity is ever decoded
const QString kMark = QString::fromUcs4(U"\U000F0001", 1);      // dropped again: breaks up what the parser would swallow
constexpr int kMaxFormula = 2000; // bytes
constexpr unsigned char kMarkBytes[4] = {0xF3, 0xB0, 0x80, 0x81};

bool isBlank(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool isDigit(unsigned char c) { return c >= '0' && c <= '9'; }

// Formulas between dollars, by Pandoc's rule: no blank just inside, no digit right after. Returns the end, or 0.
int endOfDollars(const cmark_chunk& input, int at) {
    const bool doubled = at + 1 < input.len && input.data[at + 1] == '$';
    const int start = at + (doubled ? 2 : 1);
    if (start >= input.len || (!doubled && isBlank(input.data[start]))) return 0;
    for (int i = start; i < std::min<int>(input.len, at + kMaxFormula); ++i) {
        const unsigned char c = input.data[i];
        if (c == '\\') {
            ++i;
            continue;
        }
        if (c == '`') return 0; // code binds tighter
        if (c != '$') continue;
        if (doubled) {
            if (i + 1 < input.len && input.data[i + 1] == '$' && i > start) return i + 2;
            continue;
        }
        if (isBlank(input.data[i - 1])) return 0;
        if (i + 1 < input.len && isDigit(input.data[i + 1])) return 0;
        return i + 1;
    }
    return 0;
}

bool isMarkAt(const cmark_chunk& input, int at) {
    return at + 4 <= input.len && memcmp(input.data + at, kMarkBytes, 4) == 0;
}

// At a mark: "\(" with its "\)", "\[" with its "\]", each behind a mark. A bracket without its partner stands alone.
int endOfBrackets(const cmark_chunk& input, int at) {
    if (!isMarkAt(input, at) || at + 6 > input.len || input.data[at + 4] != '\\') return 0;
    const unsigned char open = input.data[at + 5];
    if (open == '(' || open == '[') {
        const unsigned char close = open == '(' ? ')' : ']';
        for (int i = at + 6; i + 6 <= std::min<int>(input.len, at + kMaxFormula); ++i)
            if (isMarkAt(input, i) && input.data[i + 4] == '\\' && input.data[i + 5] == close) return i + 6;
    }
    return at + 6;
}

cmark_node* matchFormula(cmark_syntax_extension*, cmark_parser*, cmark_node*, unsigned char character,
                         cmark_inline_parser* parser) {
    const cmark_chunk& input = *cmark_inline_parser_get_chunk(parser);
    const int at = cmark_inline_parser_get_offset(parser);
    const int end = character == '$' ? endOfDollars(input, at) : endOfBrackets(input, at);
    if (end <= at) return nullptr;
    const QByteArray taken(reinterpret_cast<const char*>(input.data + at), end - at);
    cmark_node* node = cmark_node_new(CMARK_NODE_TEXT);
    cmark_node_set_literal(node, taken.constData());
    cmark_inline_parser_set_offset(parser, end);
    return node;
}

bool opensInBrowser(const QString& address) {
    const QUrl url(address, QUrl::StrictMode);
    return url.isValid() && !url.host().isEmpty() && (url.scheme() == u"http" || url.scheme() == u"https");
}

void addText(InlineText& out, const QString& text) {
    out.html += escapedForRichText(text);
    out.plain += text;
}

const char* tagOf(cmark_node* node) {
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_STRONG: return "b";
    case CMARK_NODE_EMPH: return "i";
    default: break;
    }
    return qstrcmp(cmark_node_get_type_string(node), "strikethrough") == 0 ? "s" : nullptr;
}

void addLinkEdge(InlineText& out, cmark_node* node, bool entering) {
    const bool image = cmark_node_get_type(node) == CMARK_NODE_IMAGE;
    const QString address = unmarked(cmark_node_get_url(node));
    if (!image && opensInBrowser(address)) {
        out.html += entering ? QStringLiteral("<a href=\"%1\">").arg(escapedForRichText(address)) : QStringLiteral("</a>");
    } else if (!entering && !address.isEmpty()) {
        addText(out, QStringLiteral(" (%1)").arg(address));
    }
}

void addLeaf(InlineText& out, cmark_node* node) {
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
    case CMARK_NODE_HTML_INLINE: addText(out, unmarked(cmark_node_get_literal(node))); break;
    case CMARK_NODE_CODE: {
        const QString code = unmarked(cmark_node_get_literal(node));
        out.html += QStringLiteral("<code>%1</code>").arg(escapedForRichText(code));
        out.plain += code;
        break;
    }
    case CMARK_NODE_SOFTBREAK: // the line that was written is the line that is shown
    case CMARK_NODE_LINEBREAK:
        out.html += QStringLiteral("<br/>");
        out.plain += QLatin1Char('\n');
        break;
    default: break;
    }
}

} // namespace

QByteArray markedSource(QStringView text) {
    QString marked;
    marked.reserve(text.size() + text.size() / 16);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        const QChar next = i + 1 < text.size() ? text[i + 1] : QChar();
        if (c == u'&') {
            marked += kAmpersand;
            continue;
        }
        if (c == u'\\' && (next == u'(' || next == u')' || next == u'[' || next == u']')) {
            marked += kMark;
            marked += c;
            marked += next;
            ++i;
            continue;
        }
        if (c == u'\\' && !next.isNull()) { // an escaped character is no start of anything
            marked += c;
            if (next == u'&')
                marked += kAmpersand;
            else
                marked += next;
            ++i;
            continue;
        }
        marked += c;
        if (c == u']' && next == u':') marked += kMark; // no reference definition, which would not be shown
    }
    return marked.toUtf8();
}

QString unmarked(const char* utf8) {
    QString text = QString::fromUtf8(utf8);
    text.replace(kAmpersand, QStringLiteral("&"));
    text.remove(kMark);
    return text;
}

QString escapedForRichText(QStringView text) {
    QString html;
    html.reserve(text.size() + 16);
    for (const QChar c : text) {
        if (c == u'<')
            html += QLatin1String("&lt;");
        else if (c == u'>')
            html += QLatin1String("&gt;");
        else if (c == u'&')
            html += QLatin1String("&amp;");
        else if (c == u'"')
            html += QLatin1String("&quot;");
        else if (c == u'\n')
            html += QLatin1String("<br/>");
        else
            html += c;
    }
    return html;
}

InlineText inlineText(cmark_node* block) {
    InlineText out;
    cmark_iter* iterator = cmark_iter_new(block); // not recursive: any depth
    for (cmark_event_type event = cmark_iter_next(iterator); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iterator)) {
        cmark_node* node = cmark_iter_get_node(iterator);
        if (node == block) continue;
        const bool entering = event == CMARK_EVENT_ENTER;
        const cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE)
            addLinkEdge(out, node, entering);
        else if (const char* tag = tagOf(node))
            out.html += QStringLiteral("<%1%2>").arg(QLatin1String(entering ? "" : "/"), QLatin1String(tag));
        else if (entering)
            addLeaf(out, node);
    }
    cmark_iter_free(iterator);
    return out;
}

cmark_syntax_extension* formulaExtension() {
    static cmark_syntax_extension* const extension = [] {
        cmark_syntax_extension* made = cmark_syntax_extension_new("formula");
        cmark_llist* characters = nullptr;
        cmark_mem* memory = cmark_get_default_mem_allocator();
        characters = cmark_llist_append(memory, characters, reinterpret_cast<void*>(size_t('$')));
        characters = cmark_llist_append(memory, characters, reinterpret_cast<void*>(size_t(kMarkBytes[0])));
        cmark_syntax_extension_set_special_inline_chars(made, characters);
        cmark_syntax_extension_set_match_inline_func(made, matchFormula);
        return made;
    }();
    return extension;
}

} // namespace steelyard
