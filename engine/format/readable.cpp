#include "engine/format/readable.h"

#include "engine/core/utf8.h"

namespace steelyard {

bool isUtf8(std::string_view bytes) {
    for (size_t i = 0; i < bytes.size();) {
        const size_t length = utf8Length(bytes.substr(i));
        if (length == 0) return false;
        i += length;
    }
    return true;
}

std::string quotedText(std::string_view text, size_t limit) {
    std::string result = "\"";
    for (size_t i = 0; i < text.size();) {
        if (i >= limit) return result + "...\"";
        const size_t length = utf8Length(text.substr(i));
        const auto byte = static_cast<unsigned char>(text[i]);
        if (length == 0 || byte < 0x20 || byte == 0x7F)
            result += "\xEF\xBF\xBD";
        else
            result += text.substr(i, length);
        i += length == 0 ? 1 : length;
    }
    return result + "\"";
}

std::string pathText(const std::filesystem::path& path) {
    const auto text = path.u8string();
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

} // namespace steelyard
