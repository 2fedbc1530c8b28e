// Opens model files, whole or split. A split model is several GGUF files ("...-00001-of-00003.gguf" and so on) that say
// in their keys which part they are; opening any of them opens all. What does not belong together is refused with a
// sentence that names the part. Used by GgufFile alone. Source: the keys split.no, split.count and split.tensors.count,
// which the field's splitting tools write.
#pragma once

#include "engine/format/gguf_file.h"

namespace steelyard {

class GgufParts {
public:
    static Result<GgufFile> open(const std::filesystem::path& path, bool requireData);

private:
    GgufParts(std::filesystem::path path, bool requireData) : m_path(std::move(path)), m_requireData(requireData) {}

    // Each gives an error that names the part.
    Result<GgufFile> openOne(const std::filesystem::path& path) const;
    Result<GgufFile> openAll(GgufFile named);
    Result<void> checkName(uint64_t number) const;
    Result<void> checkPart(const GgufFile& part, uint64_t number, const GgufFile& first) const;
    Result<GgufFile> joined(std::vector<GgufFile> parts) const;
    std::filesystem::path pathOfPart(uint64_t number) const;
    std::string partText(uint64_t number) const;

    std::filesystem::path m_path;
    bool m_requireData;
    uint64_t m_count = 1;
};

} // namespace steelyard
