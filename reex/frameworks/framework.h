// The test frameworks that reex knows, and where their output names the first check that failed. The runtime
// uses it too: nothing here allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reex {

// catch2_v2 lists its cases in another way than catch2, and is the same otherwise.
enum class Framework : std::uint8_t { none, googletest, catch2, catch2_v2, doctest, boost_test };

// What the first line of a failed check contains, behind its place.
constexpr std::string_view failed_check_mark(Framework framework) {
  switch (framework) {
  case Framework::googletest:
    return ": Failure\n";
  case Framework::catch2:
  case Framework::catch2_v2:
    return ": FAILED:\n";
  case Framework::doctest:
    return "ERROR: "; // "FATAL ERROR: ", too
  case Framework::boost_test:
    return "error: in \""; // "fatal error: in", too; behind the colour, if there is one
  case Framework::none:
    break;
  }
  return "";
}

// Where the line of the first failed check begins and its mark stands; npos if there is none.
struct FailedCheck {
  std::size_t line = std::string_view::npos;
  std::size_t mark = std::string_view::npos;
};

constexpr FailedCheck first_failed_check(Framework framework, std::string_view output) {
  const std::string_view text = failed_check_mark(framework);
  const std::size_t mark = text.empty() ? std::string_view::npos : output.find(text);
  if (mark == std::string_view::npos) return {};
  const std::size_t newline = output.substr(0, mark).rfind('\n');
  return {newline == std::string_view::npos ? 0 : newline + 1, mark};
}

} // namespace reex
