// The lines of a text, around an offset.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reex {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::size_t line_begin(std::string_view text, std::size_t offset);
// Where its line end is; the text's size in the last line.
std::size_t line_end(std::string_view text, std::size_t offset);
// What the line of the offset begins with.
std::string indentation(std::string_view text, std::size_t offset);
// Whether only blanks stand before the offset in its line.
bool is_first_on_line(std::string_view text, std::size_t offset);

} // namespace reex
