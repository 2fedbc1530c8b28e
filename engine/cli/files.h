// Files as the commands take them: "-" is stdin; failures are sentences. Also small parsers for option values.
#pragma once

#include "engine/cli/command.h"
#include "engine/core/tensor_type.h"

#include <filesystem>

namespace steelyard::cli {

// A path from UTF-8, as the command line gives it.
std::filesystem::path pathOf(const std::string& text);

// All bytes of a file or of stdin.
Result<std::string> readFile(const std::string& name);
Result<void> writeFile(const std::string& name, const std::string& bytes);
Result<Json> readJson(const std::string& name);

// "1,2,3" as ids; throws UsageError.
std::vector<int32_t> idsOf(const std::string& text);

// "f16" or "f16,f32": the types of K and V; throws UsageError for types that a cache cannot have.
std::pair<TensorType, TensorType> cacheTypesOf(const std::string& text);

// "1.5 GiB", "12.3 MiB" for people.
std::string bytesForPeople(uint64_t bytes);

} // namespace steelyard::cli
