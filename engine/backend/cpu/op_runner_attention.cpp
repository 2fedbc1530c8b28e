// How attention is cut into parts: by cache head and by runs of rows of one sequence, and, when that gives too few parts
// for the workers, by segments of positions too.
#include "engine/backend/cpu/op_runner.h"

#include <algorithm>

namespace steelyard::cpu {

namespace {

constexpr uint32_t kQueriesPerPart = 48; // share one conversion of keys and values

} // namespace

std::vector<AttentionPart> OpRunner::attentionParts(const ops::Attention& op) const {
    const auto* sequences = ops::at<const int32_t>(op.sequences);
    const auto* positions = ops::at<const int32_t>(op.positions);
    const uint32_t rowsPerPart = std::max(1u, kQueriesPerPart / (op.heads / op.kvHeads));
    std::vector<AttentionPart> parts;
    for (uint32_t first = 0; first < op.rows;) {
        uint32_t last = first, lowest = ~0u, highest = 0;
        for (; last < op.rows && last - first < rowsPerPart && sequences[last] == sequences[first]; ++last) {
            const uint32_t end = static_cast<uint32_t>(positions[last]) + 1;
            lowest = std::min(lowest, ops::firstVisible(op, end - 1));
            highest = std::max(highest, end);
        }
        for (uint32_t head = 0; head < op.kvHeads; ++head)
            parts.push_back({&op, head, first, last, lowest / ops::kSegmentTokens,
                             (highest + ops::kSegmentTokens - 1) / ops::kSegmentTokens, nullptr, nullptr});
        first = last;
    }
    return parts;
}

void OpRunner::attendSplit(const ops::Attention& op, std::vector<AttentionPart>& parts) {
    const uint32_t stateWidth = attentionStateWidth(m_table->lanes, op.headDimV);
    const uint32_t group = op.heads / op.kvHeads;
    std::vector<AttentionPart> segments;
    std::vector<uint64_t> offsets;
    uint64_t floats = 0;
    for (const auto& part : parts) {
        offsets.push_back(floats);
        floats += uint64_t(part.lastSegment - part.firstSegment) * (part.lastRow - part.firstRow) * group * stateWidth;
    }
    float* partials = m_shared.need<float>(floats);
    for (size_t i = 0; i < parts.size(); ++i) {
        const auto& part = parts[i];
        for (uint32_t s = part.firstSegment; s < part.lastSegment; ++s) {
            segments.push_back(part);
            segments.back().firstSegment = s;
            segments.back().lastSegment = s + 1;
            segments.back().partials =
                partials + offsets[i] + uint64_t(s - part.firstSegment) * (part.lastRow - part.firstRow) * group * stateWidth;
        }
    }
    const auto scratchOf = [&](const AttentionPart& part, uint32_t worker) {
        return m_workerScratch[worker].need<float>(m_table->attentionScratch(op, part.lastRow - part.firstRow));
    };
    const uint64_t cost = uint64_t(ops::kSegmentTokens) * (op.headDimK + op.headDimV) * 4;
    share(segments.size(), cost, [&](uint64_t first, uint64_t last, uint32_t worker) {
        for (uint64_t i = first; i < last; ++i) {
            segments[i].scratch = scratchOf(segments[i], worker);
            m_table->attention(segments[i]);
        }
    });
    for (size_t i = 0; i < parts.size(); ++i) {
        parts[i].scratch = scratchOf(parts[i], 0);
        m_table->attentionMerge(parts[i], partials + offsets[i], parts[i].lastSegment - parts[i].firstSegment);
    }
}

void OpRunner::execute(const ops::Attention& op) {
    auto parts = attentionParts(op);
    const bool several = std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.lastSegment - p.firstSegment > 1; });
    if (several && workers() > 1 && parts.size() < uint64_t(workers()) * 4) return attendSplit(op, parts);
    uint64_t positions = 0;
    for (const auto& part : parts) positions += uint64_t(part.lastSegment - part.firstSegment) * ops::kSegmentTokens;
    const uint64_t cost = parts.empty() ? 0 : positions / parts.size() * (op.headDimK + op.headDimV) * 4;
    share(parts.size(), cost, [&](uint64_t first, uint64_t last, uint32_t worker) {
        for (uint64_t i = first; i < last; ++i) {
            AttentionPart part = parts[i];
            part.scratch = m_workerScratch[worker].need<float>(m_table->attentionScratch(op, part.lastRow - part.firstRow));
            m_table->attention(part);
        }
    });
}

} // namespace steelyard::cpu
