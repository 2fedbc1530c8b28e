#include "engine/format/claimed_file.h"

#include "engine/format/readable.h"

#include <system_error>

namespace steelyard {

Error ClaimedFile::cannotWrite(const std::string& why) const {
    return {"The file " + pathText(m_path) + " cannot be written: " + why + "."};
}

Result<void> ClaimedFile::moveTo(const std::filesystem::path& place) {
    close();
    std::error_code problem;
    std::filesystem::rename(m_path, place, problem);
    if (problem) return Error{"The file " + pathText(place) + " cannot be written: " + problem.message() + "."};
    return {};
}

} // namespace steelyard
