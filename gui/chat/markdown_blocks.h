// Markdown as a list of blocks that the message list can draw one row at a time.
//
// Invariants: everything that was written is shown. Rich text holds only the tags written here (b, i, s, code, a, br) and
// text that is escaped here, so showing it can load nothing and run nothing: raw HTML, entities and formulas stand as they
// were typed, an image is its description and address, and only http and https addresses become links. A list is parsed in
// time linear in the text; what nests deeper than a person would write is shown as typed. Knows nothing of QML, messages
// or streaming.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace steelyard {

struct MarkdownBlock {
    enum class Kind { Text, Code, Table, Rule, Plain }; // Plain: shown as typed
    Kind kind = Kind::Text;
    QString text;              // Text: rich text; Code and Plain: as typed
    QString plain;             // Text: without tags, for screen readers
    QString marker;            // of the first block of a list item: "•", "3.", "☐", "☑"
    QString language;          // Code
    int heading = 0;           // 1 to 6
    int quote = 0, indent = 0; // depth of quotes, of lists
    bool tight = false;        // stands close to the block before it, as items of a tight list do
    bool rightToLeft = false;  // by the first strong letter
    bool first = true, last = true; // of long code or plain text that is cut into several blocks
    int columns = 0;           // Table
    QStringList cells;         // Table: rich text, row by row, the header row first
    QVector<int> alignments;   // Table: Qt::AlignLeft, AlignHCenter or AlignRight for each column

    bool operator==(const MarkdownBlock&) const = default;
};

// The blocks of a text. When `finalLength` is given, it receives how many characters at the front make blocks that no
// continuation of the text can change, and `finalBlocks` their number.
QVector<MarkdownBlock> parseMarkdown(QStringView text, qsizetype* finalLength = nullptr, qsizetype* finalBlocks = nullptr);

// The text as it is, cut into blocks that are quick to draw.
QVector<MarkdownBlock> plainBlocks(QStringView text);

// Whether the first strong letter is written from right to left.
bool isRightToLeft(QStringView text);

} // namespace steelyard
