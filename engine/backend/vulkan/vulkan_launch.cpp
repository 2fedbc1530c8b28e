#include "engine/backend/vulkan/vulkan_launch.h"

#include "engine/backend/vulkan/vulkan_launch_builder.h"
#include "shaders/shader_table.h"

#include <cctype>
#include <cstring>

namespace steelyard {

namespace {

bool hasShader(const std::string& name) {
    const auto shaders = shaders::all();
    return std::any_of(shaders.begin(), shaders.end(), [&](const auto& shader) { return shader.name == name; });
}

} // namespace

std::optional<std::string> typedShader(const char* stem, std::optional<TensorType> type) {
    if (!type) return std::nullopt;
    std::string name = std::string(stem) + "." + std::string(info(*type).name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!hasShader(name)) return std::nullopt;
    return name;
}

VulkanLaunch describeLaunch(uint32_t op, const void* bytes, size_t size, const VulkanLimits& limits) {
    VulkanLaunchBuilder builder{limits};
    bool found = false;
    ops::AllOps::forEach([&]<class Op>() {
        if (ops::opId<Op> != op || size != sizeof(Op)) return;
        Op copy;
        std::memcpy(&copy, bytes, sizeof copy);
        if (items(copy) > 0) describe(builder, copy);
        found = true;
    });
    if (!found) builder.launch.problem = "there is no op with number " + std::to_string(op);
    return std::move(builder.launch);
}

std::optional<std::string> shaderName(uint32_t op, std::optional<TensorType> type) {
    const auto names = ops::AllOps::names();
    if (op >= names.size()) return std::nullopt;
    const bool typed =
        op == ops::opId<ops::GetRows> || op == ops::opId<ops::MatMul> || op == ops::opId<ops::ExpertMatMul>;
    if (typed) return typedShader(names[op], type);
    if (!hasShader(names[op])) return std::nullopt;
    return names[op];
}

} // namespace steelyard
