// Page images in system memory, at most so many bytes; those that were put there longest ago go first. No devices.
#pragma once

#include "engine/cache/page_image.h"

#include <algorithm>
#include <deque>

namespace steelyard {

class KeptImages {
public:
    using Image = std::shared_ptr<const PageImage>;

    explicit KeptImages(uint64_t mostBytes) : m_mostBytes(mostBytes) {}

    bool fits(uint64_t bytes) const { return bytes <= m_mostBytes; }
    uint64_t bytes() const { return m_bytes; }

    // In place of what the chat had; an image that does not fit is not taken.
    void put(uint64_t chat, Image image) {
        remove(chat);
        if (!fits(image->bytes.size())) return;
        m_bytes += image->bytes.size();
        m_images.push_back({chat, std::move(image)});
        while (m_bytes > m_mostBytes) remove(m_images.front().chat);
    }
    void remove(uint64_t chat) {
        const auto kept = place(chat);
        if (kept == m_images.end()) return;
        m_bytes -= kept->image->bytes.size();
        m_images.erase(kept);
    }
    Image find(uint64_t chat) const {
        const auto kept = std::find_if(m_images.begin(), m_images.end(), [&](const Kept& other) { return other.chat == chat; });
        return kept == m_images.end() ? nullptr : kept->image;
    }

private:
    struct Kept {
        uint64_t chat;
        Image image;
    };
    std::deque<Kept>::iterator place(uint64_t chat) {
        return std::find_if(m_images.begin(), m_images.end(), [&](const Kept& other) { return other.chat == chat; });
    }

    uint64_t m_mostBytes, m_bytes = 0;
    std::deque<Kept> m_images;
};

} // namespace steelyard
