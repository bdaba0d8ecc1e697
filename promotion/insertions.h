// Text that is put into sources. Nothing here reads or writes files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "promotion/places.h"

namespace reex::promotion {

// A line of code before or behind a statement.
struct Insertion {
  Place place;
  Side side = Side::before;
  std::string code; // "REEX_EVENT(a);"
};

// The text with all insertions for `file`, those of one place and side in their order. A statement that is
// the body of an if or a loop gets braces.
std::string with_insertions(std::string_view text, const std::string& file,
                            const std::vector<Insertion>& insertions);

// The text with #include <reex/imunit.h> behind its last #include, unless it has one.
std::string with_header(const std::string& text);

} // namespace reex::promotion
