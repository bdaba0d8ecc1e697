#include "cli/options/sanitizer_suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "cli/options/similar.h"
#include "cli/terminal/command_error.h"

namespace reex {
namespace {

// What a line may begin with. Of a kind that reex has, the kinds of failures that it covers.
struct Word {
  std::string_view word;
  std::vector<std::string> kinds;
  bool innermost_only = false;
  std::string_view why_not = {};
};

const std::array<Word, 7>& words() {
  static const std::array<Word, 7> all = {{
      {"race", {"race"}},
      {"race_top", {"race"}, true},
      {"thread", {"never-joined"}},
      {"mutex", {"destroyed-while-held", "unlocked-by-stranger"}},
      {"signal", {}, false, "reex does not look for what a signal handler may not call"},
      {"deadlock",
       {},
       false,
       "reex reports deadlocks that happen, and no orders of locks that could deadlock"},
      {"called_from_lib", {}, false, "reex reports no calls of a library by itself"},
  }};
  return all;
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view k_blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(k_blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(k_blanks) - begin + 1);
}

} // namespace

SanitizerSuppressions parse_sanitizer_suppressions(const std::string& text, const std::string& name) {
  SanitizerSuppressions read;
  std::istringstream in(text);
  std::string whole;
  for (unsigned number = 1; std::getline(in, whole); ++number) {
    const std::string_view line = trimmed(whole);
    if (line.empty() || line.front() == '#') continue;
    const std::string where = fmt::format("{}:{}", name, number);
    const std::size_t colon = line.find(':');
    const std::string_view first = line.substr(0, colon);
    const auto* word =
        std::find_if(words().begin(), words().end(), [&](const Word& one) { return one.word == first; });
    if (colon == std::string_view::npos || word == words().end()) {
      std::vector<std::string> known;
      for (const Word& one : words()) known.emplace_back(one.word);
      throw UsageError(fmt::format("{}: '{}' is no suppression of ThreadSanitizer: {}", where, line,
                                   did_you_mean(std::string(first), known, "write race:FUNCTION")));
    }
    if (!word->why_not.empty()) {
      read.notes.push_back(fmt::format("{}: {} does not count: {}", where, line, word->why_not));
      continue;
    }
    Suppression one;
    one.pattern = {word->kinds, std::string(line.substr(colon + 1)), word->innermost_only};
    if (one.pattern.text.empty())
      throw UsageError(
          fmt::format("{}: '{}' does not say what it is about: write {}:FUNCTION", where, line, first));
    one.reason = line;
    one.where = where;
    read.all.push_back(std::move(one));
  }
  return read;
}

SanitizerSuppressions read_sanitizer_suppressions(const std::string& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!in || !std::filesystem::is_regular_file(path, error))
    throw UsageError(
        fmt::format("--suppressions: {} cannot be read: make it a file that you may read", path));
  const std::filesystem::path near = std::filesystem::proximate(path, error);
  return parse_sanitizer_suppressions(std::string(std::istreambuf_iterator<char>(in), {}),
                                      error || near.empty() ? path : near.string());
}

bool sanitizer_pattern_matches(const std::string& pattern, const std::string& text) {
  std::string_view rest = pattern;
  const bool at_begin = rest.starts_with('^');
  if (at_begin) rest.remove_prefix(1);
  const bool at_end = rest.ends_with('$');
  if (at_end) rest.remove_suffix(1);
  if (text.empty()) return false;
  // The parts between the stars, each as far to the left as it goes; the last one where the text ends.
  std::size_t from = 0;
  bool first = true;
  while (true) {
    const std::size_t star = rest.find('*');
    const std::string_view part = rest.substr(0, star);
    const bool last = star == std::string_view::npos;
    const bool fixed = first && at_begin;
    if (last && at_end) {
      if (text.size() < from + part.size() || !std::string_view(text).ends_with(part)) return false;
      return !fixed || text.size() == part.size();
    }
    const std::size_t found = text.find(part, from);
    if (found == std::string::npos || (fixed && found != 0)) return false;
    if (last) return true;
    from = found + part.size();
    rest.remove_prefix(star + 1);
    first = false;
  }
}

} // namespace reex
