// Text in columns: widths are counted in characters (UTF-8 sequences), not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reex {

std::size_t display_width(std::string_view text);

// At most `width` characters; a longer text ends in "...".
std::string fit(std::string_view text, std::size_t width);

// Lines of at most `width` characters, broken at blanks; a longer word stays whole. Line feeds are kept.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// "held by thread 2" as "held by T2", as the columns name threads.
std::string short_thread_names(std::string_view text);

// "1,234,567".
std::string grouped(unsigned long long number);

// "1 preemption", "2 preemptions".
std::string counted(unsigned long long number, std::string_view noun);
// "2 accesses", where the plural is not formed by an "s".
std::string counted(unsigned long long number, std::string_view one, std::string_view many);

} // namespace reex
