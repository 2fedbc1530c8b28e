#include "engine/format/gguf_parts.h"

#include "engine/format/readable.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>

namespace steelyard {

namespace {

constexpr uint64_t kMostParts = 65535; // the keys have 16 bits

std::string number(uint64_t value) {
    return std::to_string(value);
}

bool isDigits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<uint64_t> numberOf(std::string_view digits) {
    uint64_t value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!isDigits(digits) || result.ec != std::errc()) return std::nullopt;
    return value;
}

// The pieces of "STEM-00002-of-00003.gguf". Any number of digits is read.
struct SplitName {
    std::string stem, digits, ofCount; // "STEM-", "00002", "-of-00003.gguf"
    uint64_t number = 0, count = 0;
};

std::optional<SplitName> splitNameOf(const std::string& fileName) {
    const size_t dot = fileName.rfind('.'), of = fileName.rfind("-of-");
    if (dot == std::string::npos || of == std::string::npos || of > dot) return std::nullopt;
    const size_t dash = of == 0 ? std::string::npos : fileName.rfind('-', of - 1);
    if (dash == std::string::npos) return std::nullopt;
    SplitName name{fileName.substr(0, dash + 1), fileName.substr(dash + 1, of - dash - 1), fileName.substr(of)};
    const auto part = numberOf(name.digits), count = numberOf(fileName.substr(of + 4, dot - of - 4));
    if (!part || !count) return std::nullopt;
    name.number = *part;
    name.count = *count;
    return name;
}

// A piece of a file that was cut without regard to its format: "x.gguf.part1of2", "x.gguf.part-aa", "x.gguf.001".
bool isRawPieceName(const std::string& fileName) {
    const size_t gguf = fileName.rfind(".gguf");
    if (gguf == std::string::npos || gguf + 6 >= fileName.size()) return false;
    const std::string_view rest = std::string_view(fileName).substr(gguf + 5);
    return rest.substr(0, 5) == ".part" || rest.substr(0, 6) == ".split" || rest.substr(0, 2) == "-s" ||
           isDigits(rest.substr(1));
}

std::string withDigits(uint64_t value, size_t width) {
    std::string text = number(value);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

// The keys that speak of the part and not of the model.
bool isOfPart(const std::string& key) {
    return key.compare(0, 6, "split.") == 0 || key == "general.alignment";
}

} // namespace

Result<GgufFile> GgufParts::open(const std::filesystem::path& path, bool requireData) {
    GgufParts parts(path, requireData);
    auto file = parts.openOne(path);
    if (!file) {
        if (!isRawPieceName(pathText(path.filename()))) return file;
        return Error{file.sentence() + " Its name says that it is a raw piece of a larger file: join all pieces in " +
                     "their order into one file first."};
    }
    const auto count = file->unsignedValue("split.count");
    if (!count) return count.error();
    if (!*count) return file;
    if (**count == 0 || **count > kMostParts)
        return Error{"The number of parts (\"split.count\") is " + number(**count) + "; 1 to " + number(kMostParts) +
                     " are possible."};
    parts.m_count = **count;
    if (**count == 1) return file;
    for (const auto& notice : file->notices())
        if (notice.find("joined") != std::string::npos)
            return Error{"The parts of this model were joined into one file, and that is not how they are used: " +
                         std::string("keep the parts as separate files.")};
    return parts.openAll(std::move(*file));
}

Result<GgufFile> GgufParts::openOne(const std::filesystem::path& path) const {
    auto mapped = MappedFile::open(path);
    if (!mapped) return mapped.error();
    auto mapping = std::make_shared<const MappedFile>(std::move(mapped).value());
    const auto bytes = mapping->bytes();
    auto file = GgufFile::parse(bytes, bytes.size(), m_requireData);
    if (!file) return Error{quotedText(pathText(path.filename()), 200) + " cannot be read. " + file.error().sentence};
    file->m_parts.push_back(std::move(mapping));
    return file;
}

std::filesystem::path GgufParts::pathOfPart(uint64_t partNumber) const {
    const auto name = splitNameOf(pathText(m_path.filename()));
    const std::string fileName = name->stem + withDigits(partNumber + 1, name->digits.size()) + name->ofCount;
    return m_path.parent_path() / std::filesystem::path(std::u8string(fileName.begin(), fileName.end()));
}

std::string GgufParts::partText(uint64_t partNumber) const {
    return "Part " + number(partNumber + 1) + " of " + number(m_count) + ", " +
           quotedText(pathText(pathOfPart(partNumber).filename()), 200) + ",";
}

// The name must say what the keys say, or the other parts cannot be found.
Result<void> GgufParts::checkName(uint64_t partNumber) const {
    const std::string fileName = pathText(m_path.filename());
    const std::string which = quotedText(fileName, 200) + " is part " + number(partNumber + 1) + " of a model in " +
                              number(m_count) + " parts (\"split.no\", \"split.count\"), ";
    const auto name = splitNameOf(fileName);
    if (name && name->count == m_count && name->number == partNumber + 1) return {};
    const std::string wanted = "-" + withDigits(partNumber + 1, 5) + "-of-" + withDigits(m_count, 5) + ".gguf";
    if (!name)
        return Error{which + "but its name does not say so: let it end in " + quotedText(wanted) + ", with the others beside it."};
    return Error{which + "but its name says part " + number(name->number) + " of " + number(name->count) +
                 ": it was mixed up or renamed."};
}

Result<void> GgufParts::checkPart(const GgufFile& part, uint64_t partNumber, const GgufFile& first) const {
    const auto no = part.unsignedValue("split.no"), count = part.unsignedValue("split.count");
    const std::string which = partText(partNumber);
    if (!no || !count) return Error{which + " is wrong: " + (no ? count : no).sentence()};
    if (!*no || !*count)
        return Error{which + " does not say which part it is (\"split.no\" or \"split.count\" is missing)."};
    if (**count != m_count)
        return Error{which + " belongs to a model in " + number(**count) + " parts (\"split.count\"), not " +
                     number(m_count) + ": parts of two models were mixed up."};
    if (**no != partNumber)
        return Error{which + " says that it is part " + number(**no + 1) +
                     " (\"split.no\"): it was mixed up or renamed."};
    for (const auto& key : part.keys()) {
        if (isOfPart(key.name)) continue;
        const GgufKey* same = first.find(key.name);
        if (same && same->value == key.value) continue;
        return Error{which + " belongs to another model: its key " + quotedText(key.name) +
                     " is not that of the first part."};
    }
    return {};
}

Result<GgufFile> GgufParts::openAll(GgufFile named) {
    const auto own = named.unsignedValue("split.no");
    if (!own) return own.error();
    if (!*own || **own >= m_count)
        return Error{"The number of this part (\"split.no\") is " + (*own ? number(**own) : std::string("missing")) +
                     ", but \"split.count\" is " + number(m_count) + ": parts count from 0."};
    if (auto done = checkName(**own); !done) return done.error();
    std::vector<GgufFile> parts;
    for (uint64_t i = 0; i < m_count; ++i) {
        if (i == **own) {
            parts.push_back(std::move(named));
        } else {
            std::error_code ignored;
            if (!std::filesystem::exists(pathOfPart(i), ignored))
                return Error{partText(i) + " is missing. Get it too and put it beside the others."};
            auto part = openOne(pathOfPart(i));
            if (!part) return Error{partText(i) + " cannot be used. " + part.sentence()};
            parts.push_back(std::move(*part));
        }
        if (auto done = checkPart(parts.back(), i, parts.front()); !done) return done.error();
    }
    return joined(std::move(parts));
}

Result<GgufFile> GgufParts::joined(std::vector<GgufFile> parts) const {
    std::optional<uint64_t> declared;
    GgufFile whole = std::move(parts.front());
    for (uint64_t i = 0; i < m_count; ++i) {
        GgufFile& part = i == 0 ? whole : parts[i];
        const auto count = part.unsignedValue("split.tensors.count");
        if (!count) return Error{partText(i) + " is wrong: " + count.sentence()};
        if (*count) declared = *count;
        if (i == 0) continue;
        for (auto& tensor : part.m_tensors) {
            tensor.part = static_cast<uint32_t>(i);
            whole.m_tensors.push_back(std::move(tensor));
        }
        whole.m_fileBytes += part.m_fileBytes;
        whole.m_parts.push_back(std::move(part.m_parts.front()));
        std::move(part.m_notices.begin(), part.m_notices.end(), std::back_inserter(whole.m_notices));
    }
    whole.m_tensorIndex.clear();
    for (size_t i = 0; i < whole.m_tensors.size(); ++i) {
        const GgufTensor& tensor = whole.m_tensors[i];
        const auto [place, isNew] = whole.m_tensorIndex.emplace(tensor.name, i);
        if (!isNew)
            return Error{"The tensor " + quotedText(tensor.name) + " stands in part " +
                         number(whole.m_tensors[place->second].part + 1) + " and in part " + number(tensor.part + 1) +
                         " of the model: parts were mixed up."};
    }
    if (declared && *declared != whole.m_tensors.size())
        return Error{"The parts hold " + number(whole.m_tensors.size()) + " tensors together, but the model has " +
                     number(*declared) + " (\"split.tensors.count\"): parts of two models were mixed up."};
    return whole;
}

} // namespace steelyard
