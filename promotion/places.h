// Where in a source an event can stand so that it comes before or after an operation.
//
// Callers: plan(), and tests. Nothing here reads files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "impact/facts/statements.h"

namespace reex::promotion {

enum class Side : std::uint8_t { before, after };

struct Place {
  std::string file;
  std::size_t begin = 0; // the statement
  std::size_t end = 0;
  bool in_block = true;
  bool closing = false; // the statement is a closing brace: only what comes before it can be told
  bool leaves = false;  // nothing comes behind it

  bool allows(Side side) const { return side == Side::before || !(closing || leaves); }
  auto operator<=>(const Place&) const = default;
};

// The offset of a line and column, from 1 on.
std::size_t offset_of(std::string_view text, unsigned line, unsigned column);
unsigned line_at(std::string_view text, std::size_t offset);

// The statement of the position; nullopt if it is in none.
std::optional<Place> place_of(const std::string& file, std::string_view text,
                              const impact::SourceShape& shape, unsigned line, unsigned column);

// A short name for what the statement does: of what it calls, else of what it names first.
std::string name_of_statement(std::string_view statement);
// The first name in it that is the program's own; "" if there is none.
std::string first_name(std::string_view statement);

} // namespace reex::promotion
