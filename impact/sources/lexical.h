// Functions on C++ text that need no parse.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace reex::impact {

// Whether the file's extension is one of C or C++.
bool is_cpp_file(std::string_view path);

// The lines of a text without comments and unnecessary white space. Line 1 is the first element. A line
// without code is empty.
std::vector<std::string> code_of_lines(std::string_view text);

// Whether white space between these characters separates two names, or two signs that would be one.
bool needs_space(char before, char behind);

// Whether the text contains the word, and not only as a part of a longer name.
bool has_word(std::string_view text, std::string_view word);

// Adds the words of a text: names, keywords, and what stands in literals.
void add_words(std::string_view text, std::set<std::string>& words);

struct Include {
  std::string name;
  bool quoted = false;
  bool conditional = false; // within an #if that is not the include guard
};
// The files that #include and #include_next lines name, except by macros.
std::vector<Include> includes_of(std::string_view text);

// Calls `add` with each name in the text, comments left out.
void for_each_name(std::string_view text, const std::function<void(std::string_view)>& add);

// The macro that a line of code_of_lines() defines; "" if none.
std::string defined_macro(std::string_view line);
std::string undefined_macro(std::string_view line); // by an #undef

} // namespace reex::impact
