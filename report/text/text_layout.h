// Text in columns. Widths count characters (UTF-8 sequences), not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

std::size_t display_width(std::string_view text);

// At most `width` characters; a longer text ends in "...".
std::string fit(std::string_view text, std::size_t width);

// Breaks a text at blanks into lines of at most `width` characters. It does not break a longer word. Line
// feeds also end a line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// Writes "held by thread 2" as "held by T2", with the thread names of the columns.
std::string short_thread_names(std::string_view text);

// "1,234,567".
std::string grouped(unsigned long long number);

// "1 preemption", "2 preemptions".
std::string counted(unsigned long long number, std::string_view noun);
// "2 accesses", for words whose plural is not formed with an "s".
std::string counted(unsigned long long number, std::string_view one, std::string_view many);

} // namespace reex
