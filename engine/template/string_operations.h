// Python's string operations over texts with marks, shared by the methods and the filters.
#pragma once

#include "engine/template/value.h"

namespace steelyard::jinja {

class Interpreter;

// Each character replaced by what `change` gives for its code point, with the character's mark.
Text mapped(const Text& text, std::string (*change)(uint32_t codePoint));
// First character as a title, the others lower case.
Text capitalized(const Text& text);
// Without characters of a set (blanks when there is none) at the ends.
Text stripped(const Text& text, const Text* characters, bool left, bool right);
// The parts between separators; at most `limit` cuts when it is not negative. Without a separator, at runs of blanks.
std::vector<Text> splitText(const Text& text, const Text* separator, int64_t limit, bool fromRight);
// The lines, without or with their ends.
std::vector<Text> splitLines(const Text& text, bool keepEnds);
// At most `limit` places replaced when it is not negative.
Text replaced(Interpreter& interpreter, const Text& text, const Text& old, const Text& with, int64_t limit);
// In the middle, with blanks around, as str.center does it.
Text centered(Interpreter& interpreter, const Text& text, int64_t width, const Text& fill);

} // namespace steelyard::jinja
