#include "engine/cli/speculation_options.h"

namespace steelyard::cli {

void addGuessOptions(CLI::App& app, GuessOptions& options) {
    app.add_option("--draft", options.draft, "A smaller model of the same vocabulary that guesses ahead");
    app.add_flag("--predictor", options.predictor, "Guess by the layer that predicts further tokens, where the file has one");
    app.add_flag("--lookup", options.speculation.lookup, "Guess what followed the same tokens before, in prompt and reply");
    app.add_option("--draft-tokens", options.speculation.mostTokens, "Most tokens guessed at once")->check(CLI::Range(1u, 32u));
    app.add_flag_callback("--draft-always", [&options] { options.speculation.adapts = false; }, "Guess whether it pays or not");
}

Json speculationJson(const SpeculationStatistics& statistics) {
    Json json = {{"steps", statistics.steps},
                 {"guessed", statistics.guessed},
                 {"accepted", statistics.accepted},
                 {"lookup_guessed", statistics.lookupGuessed},
                 {"lookup_accepted", statistics.lookupAccepted},
                 {"draft_ms", statistics.draftMs}};
    if (!statistics.whyNot.empty()) json["why_not"] = statistics.whyNot;
    return json;
}

} // namespace steelyard::cli
