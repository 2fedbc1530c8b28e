// What votes between two levels prove.
//
// Invariant: ties say nothing of which is better and are left out. Knows nothing of who voted.
#pragma once

namespace steelyard {

// Where the true share of wins lies with 95 of 100 chances (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
// Inference", JASA 22, 1927). Without votes it is all from 0 to 1.
struct ShareRange {
    double least = 0, most = 1;
};
ShareRange wilsonRange(int wins, int votes);

// How often a fair coin would part so many votes at least as unevenly: the two-sided exact binomial test. 1 without votes.
double chanceOfLuck(int wins, int losses);

} // namespace steelyard
