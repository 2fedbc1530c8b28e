// Where the system is not Linux yet: nothing is known, and nothing is shown as 0.
#include "engine/memory/system_memory.h"

namespace steelyard {

SystemMemory systemMemory() { return {}; }

} // namespace steelyard
