// A commit as one text for each file, with the impact that is expected of it.
//
// The first character of a line says where the line is: '-' only before the commit, '+' only behind it, a
// space in both. A line that ends with `//!` is an impacted line, and no other line is one.
#pragma once

#include <map>
#include <string>

#include "impact/impact.h"

namespace reex::test {

// Names, sorted and separated by ", ": "Counter::add, main". All that are impacted, and no others.
struct ExpectedImpact {
  std::string methods{};
  std::string classes{};
  std::string fields{}; // "<any>::f" for a dependent member
};

// Files that are only on one side have only lines of it. Returns the impact, for further questions.
Impact expect_impact(const std::map<std::string, std::string>& marked, const ExpectedImpact& expected);

} // namespace reex::test
