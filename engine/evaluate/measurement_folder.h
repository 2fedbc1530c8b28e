// The files of measurements in a folder: what they are called, what they take, and which leave when they take too much.
//
// Only files of these two endings are looked at and removed. Knows nothing of what is in them.
#pragma once

#include "engine/cache/cache_key.h"

#include <filesystem>

namespace steelyard {

std::filesystem::path distributionsPath(const std::filesystem::path& folder, const CacheKey& key);
std::filesystem::path resultsPath(const std::filesystem::path& folder, const CacheKey& key);

// Removes those that were used longest ago until all together take at most `mostBytes`; `kept` stays.
void boundMeasurements(const std::filesystem::path& folder, uint64_t mostBytes, const std::filesystem::path& kept);
// Marks a file as used now.
void markUsed(const std::filesystem::path& path);

// The folder, or one of its own for this object's life where none is given.
class MeasurementFolder {
public:
    explicit MeasurementFolder(const std::filesystem::path& given);
    ~MeasurementFolder();
    MeasurementFolder(const MeasurementFolder&) = delete;
    MeasurementFolder& operator=(const MeasurementFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
    bool m_isOwn = false;
};

} // namespace steelyard
