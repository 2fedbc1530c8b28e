#include "engine/cli/files.h"

#include "engine/cache/cache_layout.h"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace steelyard::cli {

std::filesystem::path pathOf(const std::string& text) {
    return std::filesystem::path(std::u8string(reinterpret_cast<const char8_t*>(text.data()), text.size()));
}

Result<std::string> readFile(const std::string& name) {
    if (name == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::error_code error;
    if (std::filesystem::is_directory(pathOf(name), error)) return Error{"'" + name + "' is a folder, not a file."};
    std::ifstream file(pathOf(name), std::ios::binary);
    if (!file) return Error{"The file '" + name + "' cannot be opened."};
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    if (file.bad()) return Error{"The file '" + name + "' cannot be read."};
    return bytes;
}

Result<void> writeFile(const std::string& name, const std::string& bytes) {
    std::ofstream file(pathOf(name), std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return Error{"The file '" + name + "' cannot be written."};
    return {};
}

Result<Json> readJson(const std::string& name) {
    auto text = readFile(name);
    if (!text) return text.error();
    Json json = Json::parse(*text, nullptr, false);
    if (json.is_discarded()) return Error{"The file '" + name + "' is no valid JSON."};
    return json;
}

std::vector<int32_t> idsOf(const std::string& text) {
    std::vector<int32_t> ids;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        int32_t id = 0;
        const auto [next, error] = std::from_chars(at, end, id);
        if (error != std::errc() || id < 0 || (next < end && *next != ','))
            throw UsageError{"'" + text + "' is no list of token ids like 1,2,3."};
        ids.push_back(id);
        at = next < end ? next + 1 : end;
    }
    return ids;
}

std::pair<TensorType, TensorType> cacheTypesOf(const std::string& text) {
    const auto typeOf = [&](const std::string& name) {
        const auto type = cacheTypeFromName(name);
        if (!type) throw UsageError{type.sentence()};
        return *type;
    };
    const size_t comma = text.find(',');
    const TensorType k = typeOf(text.substr(0, comma));
    return {k, comma == std::string::npos ? k : typeOf(text.substr(comma + 1))};
}

std::string bytesForPeople(uint64_t bytes) {
    constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    char text[48];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
    return text;
}

} // namespace steelyard::cli
