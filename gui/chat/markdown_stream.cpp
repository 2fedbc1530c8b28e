#include "gui/chat/markdown_stream.h"

namespace steelyard {

void MarkdownStream::clear() { *this = {}; }

void MarkdownStream::append(QStringView text) {
    m_tail += text;
    qsizetype finalLength = 0, finalBlocks = 0;
    const QVector<MarkdownBlock> fresh = parseMarkdown(m_tail, &finalLength, &finalBlocks);
    qsizetype same = 0;
    while (m_finalBlocks + same < m_blocks.size() && same < fresh.size() && m_blocks[m_finalBlocks + same] == fresh[same])
        ++same;
    m_firstChanged = m_finalBlocks + same;
    m_blocks.resize(m_firstChanged);
    m_blocks.append(fresh.mid(same));
    m_finalBlocks += finalBlocks;
    m_tail.remove(0, finalLength);
}

} // namespace steelyard
