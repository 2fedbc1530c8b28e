// The one place where the driver's result codes become words.
#pragma once

#include <volk.h>

#include <string>

namespace steelyard {

// What a failed call's code means, as the end of a sentence without its full stop.
std::string vulkanErrorText(VkResult result);

} // namespace steelyard
