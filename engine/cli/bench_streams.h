// Real replies at once, as people would ask for them: what `bench` measures with --prompt-file.
#pragma once

#include "engine/cli/session.h"

namespace steelyard::cli {

struct StreamsOptions {
    std::string promptFile;
    uint32_t parallel = 1, tokens = 64;
    uint32_t joinTokens = 0; // of a prompt that joins while the others stream; 0 = none does
    SpeculationOptions speculation;
};

// Runs `parallel` greedy replies to the text at once, each with a number of its own before it, so that nothing is shared. With
// joinTokens, a prompt of so many tokens joins after a third of them. The median and 95th percentile of the times between
// tokens are of all replies but the joining one, apart for the time before and after it joined.
Result<Json> benchStreams(Session& session, const StreamsOptions& options);

// Opens chats of 256 to 2,048 tokens until the first is no longer there whole, and says how many were; beside it, how many there
// would be if each reserved `reservedTokens`.
Result<Json> benchChats(Session& session, uint32_t reservedTokens);

} // namespace steelyard::cli
