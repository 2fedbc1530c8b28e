#include "engine/format/foreign_file.h"

#include "engine/format/readable.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

namespace steelyard {

namespace {

struct Signature {
    std::string_view start;
    const char* sentence;
};

constexpr const char* kOldGgml = "This is an old GGML file from before GGUF; get the model again as a GGUF file.";
constexpr const char* kWebPage =
    "This is a web page, not a model: the download saved a page of the site. Copy the address of the file itself.";
constexpr const char* kBigEndianMagic = "This file begins with GGUF in reverse order: it was written for a big-endian "
                                        "machine or is damaged. Get a little-endian GGUF file.";

// Old GGML files begin with a number, so its letters stand in either order.
constexpr Signature kSignatures[] = {
    {"ggml", kOldGgml},
    {"lmgg", kOldGgml},
    {"GGML", kOldGgml},
    {"ggmf", kOldGgml},
    {"fmgg", kOldGgml},
    {"ggjt", kOldGgml},
    {"tjgg", kOldGgml},
    {"ggla", kOldGgml},
    {"algg", kOldGgml},
    {"FUGG", kBigEndianMagic},
    {"version https://git-lfs",
     "This is a Git LFS pointer, not the model: the real file has to be downloaded with Git LFS or from the site."},
    {"PK\x03\x04", "This is a zip archive (perhaps a PyTorch checkpoint), not a GGUF model."},
    {"\x1F\x8B", "This is a gzip archive, not a GGUF model; unpack it first."},
    {"7z\xBC\xAF", "This is a 7-Zip archive, not a GGUF model; unpack it first."},
    {"\x80\x02", "This is a PyTorch checkpoint, not a GGUF model."},
    {"%PDF", "This is a PDF document, not a model."},
};

bool startsWithIgnoringCase(std::string_view text, std::string_view start) {
    return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
           });
}

// Whisper models of whisper.cpp: the old GGML magic, then the sizes of Whisper's vocabulary and of its audio context.
bool isWhisper(std::string_view text) {
    if (text.size() < 12 || text.substr(0, 4) != "lmgg") return false;
    uint32_t vocabulary = 0, context = 0;
    std::memcpy(&vocabulary, text.data() + 4, sizeof vocabulary);
    std::memcpy(&context, text.data() + 8, sizeof context);
    return vocabulary >= 51864 && vocabulary <= 51866 && context == 1500;
}

// SafeTensors: the length of a JSON head in eight bytes, then the head.
bool isSafeTensors(std::string_view text) {
    if (text.size() < 9 || text[8] != '{') return false;
    return text[4] == 0 && text[5] == 0 && text[6] == 0 && text[7] == 0;
}

} // namespace

std::string describeForeignFile(std::span<const uint8_t> head, uint64_t fileBytes) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), std::min<size_t>(head.size(), 512));
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3); // a byte-order mark
    if (isWhisper(text)) return "This is a speech model (Whisper): it turns speech into text and writes no answers.";
    for (const auto& signature : kSignatures)
        if (text.substr(0, signature.start.size()) == signature.start) return signature.sentence;
    if (isSafeTensors(text)) return "This is a SafeTensors file, not a GGUF model; get the model's GGUF version.";

    std::string_view trimmed = text;
    while (!trimmed.empty() && std::isspace(static_cast<unsigned char>(trimmed.front())))
        trimmed.remove_prefix(1);
    if (startsWithIgnoringCase(trimmed, "<!doctype") || startsWithIgnoringCase(trimmed, "<html") ||
        startsWithIgnoringCase(trimmed, "<head") || startsWithIgnoringCase(trimmed, "<?xml"))
        return kWebPage;
    if (!trimmed.empty() && (trimmed.front() == '{' || trimmed.front() == '['))
        return "This is a JSON text (perhaps an error message of the site), not a model: it begins with " +
               quotedText(trimmed, 60) + ".";
    if (fileBytes < 24) return "This is not a GGUF file: it has only " + std::to_string(fileBytes) + " bytes.";
    return "This is not a GGUF file: it begins with " + quotedText(text.substr(0, 4)) + " instead of \"GGUF\".";
}

} // namespace steelyard
