// Where two answers part: word by word, by the longest common subsequence of their words, with bounded work.
//
// The pieces of an answer, one after the other, are that answer byte for byte; words that both have in the same order are `same`.
// Blanks belong to the word before them and do not make a word another one. Knows nothing of models and of how it is shown.
//
// Source of the algorithm: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace steelyard {

struct AnswerPiece {
    std::string text;
    bool same = true;
};

struct AnswerDifferences {
    std::vector<AnswerPiece> reference, other;
    size_t sameWords = 0;           // before the first difference; all of them where there is none
    size_t commonWords = 0;         // that both have in the same order
    size_t referenceWords = 0, otherWords = 0;
    size_t places = 0;              // runs of words that differ
    bool equal() const { return places == 0; }
};

// Where more than `mostEdits` words would have to go or come, all from there on to the common end is taken as different, so that work and
// memory stay below about `mostEdits` squared.
AnswerDifferences answerDifferences(const std::string& reference, const std::string& other, size_t mostEdits = 2000);

} // namespace steelyard
