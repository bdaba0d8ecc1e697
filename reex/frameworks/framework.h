// The test frameworks that reex knows, and where their output names the first check that failed. The runtime
// uses it too: nothing here allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reex {

// catch2_v2 lists its cases in another way than catch2, and is the same otherwise.
enum class Framework : std::uint8_t {
  none,
  googletest,
  catch2,
  catch2_v2,
  doctest,
  boost_test,
  qt_test,
  cpputest,
  cppunit
};

// What the first line of a failed check contains, mostly behind its place.
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
  case Framework::qt_test:
    return "FAIL!  : ";
  case Framework::cpputest:
    return ": error: Failure in ";
  case Framework::cppunit:
    return ") test: ";
  case Framework::none:
    break;
  }
  return "";
}

// Where the line of the first failed check begins and its mark stands; npos if there is none. Its place, or
// the part of its text that has it, is `place`.
struct FailedCheck {
  std::size_t line = std::string_view::npos;
  std::size_t mark = std::string_view::npos;
  std::string_view place;
};

// The place of a check whose mark is at the beginning of the text: "   Loc: [file.cpp(12)]" on a line of its
// own, or " line: 12 file.cpp" at the end of the line.
constexpr std::string_view place_behind_mark(Framework framework, std::string_view text) {
  const std::string_view mark = failed_check_mark(framework);
  const std::string_view label = framework == Framework::qt_test ? "\n   Loc: [" : " line: ";
  std::string_view place = text.substr(0, text.find(mark, mark.size())); // up to the next one
  const std::size_t at = place.find(label);
  if (at == std::string_view::npos) return place.substr(0, place.find('\n'));
  place.remove_prefix(at + label.size());
  return place.substr(0, place.find(framework == Framework::qt_test ? ']' : '\n'));
}

constexpr FailedCheck first_failed_check(Framework framework, std::string_view output) {
  const std::string_view text = failed_check_mark(framework);
  const std::size_t mark = text.empty() ? std::string_view::npos : output.find(text);
  if (mark == std::string_view::npos) return {};
  const std::size_t newline = output.substr(0, mark).rfind('\n');
  const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
  const bool behind = framework == Framework::qt_test || framework == Framework::cppunit;
  std::string_view place = behind ? output : output.substr(0, mark);
  place.remove_prefix(behind ? mark : line);
  return {line, mark, behind ? place_behind_mark(framework, place) : place};
}

} // namespace reex
