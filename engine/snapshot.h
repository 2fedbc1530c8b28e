// What the gauges read: an immutable picture of memory and work, replaced as a whole.
#pragma once

#include "engine/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace steelyard {

// Bytes by category. KV used = pages of open chats, shared ones once; KV cached = pages kept only for reuse;
// KV reserved = the pool taken from the device minus both.
struct MemoryUse {
    uint64_t weightsBytes = 0;
    std::optional<uint64_t> weightsResidentBytes; // of weights mapped from a file, how much is in memory
    uint64_t kvUsedBytes = 0, kvCachedBytes = 0, kvReservedBytes = 0;
    uint64_t computeBytes = 0;
    uint64_t draftBytes = 0; // all that the model that guesses ahead takes

    uint64_t totalBytes() const { return weightsBytes + kvUsedBytes + kvCachedBytes + kvReservedBytes + computeBytes + draftBytes; }
};

struct DeviceSnapshot {
    std::string id, name;
    bool isSystemMemory = false;
    std::optional<uint64_t> totalBytes, freeBytes; // as the driver or system tells; unknown otherwise
    std::optional<uint64_t> otherBytes;            // other programs: total - free - ours
    MemoryUse use;
};

struct Snapshot {
    std::vector<DeviceSnapshot> devices; // in use; the system's memory when no model is loaded
    std::optional<ModelId> model;        // loaded
    std::optional<ModelFacts> facts;
    uint32_t runningRequests = 0, waitingRequests = 0;
    double decodeTokensPerSecond = 0;    // of the running reply, 0 when idle
    uint32_t contextUsedTokens = 0;      // of the reply that runs or ran last
};

} // namespace steelyard
