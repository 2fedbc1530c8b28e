// What the table of stages.cpp points to: one function per stage, grouped by what they do. Each gets as many numbers as its row
// says, all finite.
#pragma once

#include "engine/sampling/stages.h"

namespace steelyard::stages {

using Values = const std::vector<double>&;

// repetition_stages.cpp
void penalties(Values values, Candidates& candidates, const StageContext& context);
void dry(Values values, Candidates& candidates, const StageContext& context);

// truncation_stages.cpp
void topNSigma(Values values, Candidates& candidates, const StageContext& context);
void topK(Values values, Candidates& candidates, const StageContext& context);
void typical(Values values, Candidates& candidates, const StageContext& context);
void topP(Values values, Candidates& candidates, const StageContext& context);
void minP(Values values, Candidates& candidates, const StageContext& context);
void xtc(Values values, Candidates& candidates, const StageContext& context);
void mirostat(Values values, Candidates& candidates, const StageContext& context);

// temperature_stages.cpp
void temperature(Values values, Candidates& candidates, const StageContext& context);
void dynamicTemperature(Values values, Candidates& candidates, const StageContext& context);

} // namespace steelyard::stages
