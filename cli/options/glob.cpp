#include "cli/options/glob.h"

#include <string>

namespace reex {
namespace {

// One character class, "[a-z]" or "[!a-z]", at the start of the pattern. Its length; 0 if it is not closed.
std::size_t match_class(std::string_view pattern, char c, bool& matches) {
  const std::size_t end = pattern.find(']', 2);
  if (end == std::string_view::npos) return 0;
  const bool negated = pattern[1] == '!' || pattern[1] == '^';
  matches = false;
  for (std::size_t i = negated ? 2 : 1; i < end; ++i) {
    const bool range = i + 2 < end && pattern[i + 1] == '-';
    matches = matches || (range ? pattern[i] <= c && c <= pattern[i + 2] : pattern[i] == c);
    if (range) i += 2;
  }
  matches = matches != negated;
  return end + 1;
}

// Takes the last star back by one character whenever the rest does not match. Of two kinds of stars only the
// stronger one has to be remembered together with the last: a star that stops at a slash falls back to `**`.
bool matches(std::string_view pattern, std::string_view text, bool slashes_are_text) {
  struct Star {
    std::size_t pattern = std::string_view::npos; // behind the star
    std::size_t text = 0;
  };
  Star single;
  Star twice;
  std::size_t p = 0;
  std::size_t t = 0;
  while (true) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool any = slashes_are_text || pattern.substr(p, 2) == "**";
      while (p < pattern.size() && pattern[p] == '*') ++p;
      // "**/" stands for no folder, too.
      if (any && !slashes_are_text && p < pattern.size() && pattern[p] == '/' &&
          (t == 0 || text[t - 1] == '/') && matches(pattern.substr(p + 1), text.substr(t), false))
        return true;
      (any ? twice : single) = {p, t};
      if (any) single = {};
      continue;
    }
    if (t < text.size() && p < pattern.size()) {
      bool one = pattern[p] == text[t];
      std::size_t length = 1;
      if (pattern[p] == '?') one = text[t] != '/' || slashes_are_text;
      if (pattern[p] == '[')
        if (const std::size_t whole = match_class(pattern.substr(p), text[t], one); whole != 0)
          length = whole;
      if (one) {
        p += length;
        ++t;
        continue;
      }
    } else if (t == text.size() && p == pattern.size()) {
      return true;
    }
    if (single.pattern != std::string_view::npos && single.text < text.size() && text[single.text] != '/') {
      p = single.pattern;
      t = ++single.text;
    } else if (twice.pattern != std::string_view::npos && twice.text < text.size()) {
      single = {};
      p = twice.pattern;
      t = ++twice.text;
    } else {
      return false;
    }
  }
}

// Without the parameters: "ns::pop" of "ns::pop(int) const". Parentheses within a name stay, as in
// "(anonymous namespace)::pop()" and "operator()(int)".
std::string_view without_parameters(std::string_view function) {
  std::size_t end = function.rfind(')');
  if (end == std::string_view::npos || function.find("::", end) != std::string_view::npos) return function;
  int depth = 0;
  for (std::size_t i = end + 1; i-- > 0;) {
    if (function[i] == ')') ++depth;
    if (function[i] == '(' && --depth == 0) return function.substr(0, i);
  }
  return function;
}

} // namespace

bool glob_matches_path(std::string_view pattern, std::string_view path) {
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  if (pattern.ends_with('/')) return matches(std::string(pattern) + "**", path, false);
  if (pattern.find('/') == std::string_view::npos)
    if (const std::size_t slash = path.rfind('/'); slash != std::string_view::npos)
      path.remove_prefix(slash + 1);
  return matches(pattern, path, false);
}

bool glob_matches_function(std::string_view pattern, std::string_view function) {
  const std::string_view name = without_parameters(function);
  for (std::string_view whole : {function, name}) {
    if (matches(pattern, whole, true)) return true;
    for (std::size_t at = name.find("::"); at != std::string_view::npos; at = name.find("::", at + 2))
      if (matches(pattern, whole.substr(at + 2), true)) return true;
  }
  return false;
}

} // namespace reex
