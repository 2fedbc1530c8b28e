#include "engine/evaluate/measurement_folder.h"

#include "engine/evaluate/measurement.h"

#include <algorithm>
#include <random>

namespace steelyard {

namespace {

constexpr const char* kDistributions = ".distributions";
constexpr const char* kResults = ".results";

std::string hexOf(const CacheKey& key) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const uint8_t byte : key.bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
    return text;
}

struct KeptFile {
    std::filesystem::path path;
    uint64_t bytes = 0;
    std::filesystem::file_time_type used;
};

std::vector<KeptFile> filesOf(const std::filesystem::path& folder) {
    std::vector<KeptFile> files;
    std::error_code problem;
    for (std::filesystem::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        const auto ending = it->path().extension();
        if (ending != kDistributions && ending != kResults) continue;
        std::error_code own;
        KeptFile file{it->path(), it->file_size(own), it->last_write_time(own)};
        if (!own) files.push_back(std::move(file));
    }
    return files;
}

} // namespace

std::filesystem::path distributionsPath(const std::filesystem::path& folder, const CacheKey& key) { return folder / (hexOf(key) + kDistributions); }
std::filesystem::path resultsPath(const std::filesystem::path& folder, const CacheKey& key) { return folder / (hexOf(key) + kResults); }

void markUsed(const std::filesystem::path& path) {
    std::error_code problem;
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), problem);
}

void boundMeasurements(const std::filesystem::path& folder, uint64_t mostBytes, const std::filesystem::path& kept) {
    auto files = filesOf(folder);
    std::sort(files.begin(), files.end(), [](const KeptFile& a, const KeptFile& b) { return a.used < b.used; });
    uint64_t all = 0;
    for (const auto& file : files) all += file.bytes;
    for (const auto& file : files) {
        if (all <= mostBytes) return;
        std::error_code problem;
        if (file.path == kept || !std::filesystem::remove(file.path, problem)) continue;
        all -= file.bytes;
    }
}

uint64_t keptMeasurementsBytes(const std::filesystem::path& folder) {
    uint64_t all = 0;
    for (const auto& file : filesOf(folder)) all += file.bytes;
    return all;
}

void removeKeptMeasurements(const std::filesystem::path& folder) { boundMeasurements(folder, 0, {}); }

MeasurementFolder::MeasurementFolder(const std::filesystem::path& given) : m_path(given) {
    if (!given.empty()) return;
    std::error_code problem;
    m_isOwn = true;
    m_path = std::filesystem::temp_directory_path(problem) / ("steelyard-measurement-" + std::to_string(std::random_device()()) + std::to_string(std::random_device()()));
}

MeasurementFolder::~MeasurementFolder() {
    std::error_code problem;
    if (m_isOwn) std::filesystem::remove_all(m_path, problem);
}

} // namespace steelyard
