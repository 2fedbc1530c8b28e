// Markdown that grows: text is appended, and only what can still change is parsed again.
//
// Invariant: blocks() after any appends equal parseMarkdown() of the whole text. Blocks before firstChanged() are untouched
// by the last append. Knows nothing of QML or messages.
#pragma once

#include "gui/chat/markdown_blocks.h"

namespace steelyard {

class MarkdownStream {
public:
    void clear();
    void append(QStringView text);

    const QVector<MarkdownBlock>& blocks() const { return m_blocks; }
    qsizetype firstChanged() const { return m_firstChanged; } // index of the first block that differs from before
    qsizetype openLength() const { return m_tail.size(); }    // characters that the next append parses again

private:
    QVector<MarkdownBlock> m_blocks;
    qsizetype m_finalBlocks = 0; // of m_blocks, how many are final
    QString m_tail;              // the text after them
    qsizetype m_firstChanged = 0;
};

} // namespace steelyard
