// What stands inside one block of Markdown, as rich text that is safe to show, and the marks by which the parser leaves
// alone what must be shown as typed. A part of markdown_blocks; see there for the promises.
#pragma once

#include <QByteArray>
#include <QString>

struct cmark_node;
struct cmark_syntax_extension;

namespace steelyard {

struct InlineText {
    QString html, plain;
};

// UTF-8 for the parser, with marks that keep entities, formula brackets and reference definitions as typed.
QByteArray markedSource(QStringView text);
// What the parser returns, without the marks.
QString unmarked(const char* utf8);

// The inline content of a node (paragraph, heading, table cell).
InlineText inlineText(cmark_node* block);

// Formulas ($x$, $$x$$, \(x\), \[x\]) are taken whole and stand as typed.
cmark_syntax_extension* formulaExtension();

QString escapedForRichText(QStringView text);

} // namespace steelyard
