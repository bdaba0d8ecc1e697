#include "impact/sources/lexical.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace reex::impact {
namespace {

constexpr std::array<std::string_view, 20> k_extensions = {
    ".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".h",   ".hh",  ".hpp", ".hxx",
    ".h++", ".inl", ".ipp", ".tcc", ".tpp", ".txx", ".inc", ".def", ".ixx", ".cppm"};

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

} // namespace

bool needs_space(char before, char behind) {
  return is_name_character(before) ? is_name_character(behind) : before == behind;
}

namespace {

// One line of code. It keeps white space only in literals, and where the white space separates two names or
// two equal signs.
class Line {
public:
  void code(char c) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      m_space = true;
      return;
    }
    if (m_space && !m_text.empty() && needs_space(m_text.back(), c)) m_text.push_back(' ');
    literal(c);
  }
  void literal(char c) {
    m_text.push_back(c);
    m_space = false;
  }
  char last() const { return m_text.empty() ? '\0' : m_text.back(); }
  bool empty() const { return m_text.empty(); }
  std::string take() {
    m_space = false;
    return std::exchange(m_text, {});
  }

private:
  std::string m_text;
  bool m_space = false;
};

std::string_view directive(std::string_view line, std::string_view name) {
  const auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip();
  if (!line.starts_with(name)) return {};
  line.remove_prefix(name.size());
  skip();
  return line;
}

} // namespace

bool is_cpp_file(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot != std::string_view::npos &&
         std::find(k_extensions.begin(), k_extensions.end(), path.substr(dot)) != k_extensions.end();
}

std::vector<std::string> code_of_lines(std::string_view text) {
  std::vector<std::string> lines;
  Line line;
  enum class State { code, block_comment, line_comment, string, character } state = State::code;
  std::string raw_end; // of a raw string literal
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\n') {
      if (state == State::line_comment) state = State::code;
      if (raw_end.empty() && (state == State::string || state == State::character)) state = State::code;
      lines.push_back(line.take());
      continue;
    }
    switch (state) {
    case State::code:
      if (c == '/' && next == '*') {
        state = State::block_comment;
        line.code(' ');
        ++i;
      } else if (c == '/' && next == '/') {
        state = State::line_comment;
      } else {
        if (c == '"') {
          state = State::string;
          if (line.last() == 'R') {
            raw_end = ")" + std::string(text.substr(i + 1, text.find('(', i) - i - 1)) + "\"";
          }
        }
        // An apostrophe behind a digit is a digit separator.
        if (c == '\'' && !is_name_character(line.last())) state = State::character;
        line.code(c);
      }
      break;
    case State::block_comment:
      if (c == '*' && next == '/') {
        state = State::code;
        ++i;
      }
      break;
    case State::line_comment:
      break;
    case State::string:
      line.literal(c);
      if (!raw_end.empty()) {
        if (text.substr(i + 1 - std::min(i + 1, raw_end.size()), raw_end.size()) == raw_end) {
          raw_end.clear();
          state = State::code;
        }
      } else if (c == '\\' && next != '\n' && next != '\0') {
        line.literal(next);
        ++i;
      } else if (c == '"') {
        state = State::code;
      }
      break;
    case State::character:
      line.literal(c);
      if (c == '\\' && next != '\n' && next != '\0') {
        line.literal(next);
        ++i;
      } else if (c == '\'') {
        state = State::code;
      }
      break;
    }
  }
  if (!line.empty()) lines.push_back(line.take());
  return lines;
}

bool has_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end >= text.size() || !is_name_character(text[end]))) return true;
  }
  return false;
}

void add_words(std::string_view text, std::set<std::string>& words) {
  // Bytes of other scripts belong to names.
  const auto in_word = [](char c) { return is_name_character(c) || static_cast<unsigned char>(c) >= 0x80; };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && in_word(text[i])) ++i;
    std::string_view word = text.substr(begin, i - begin);
    // Of a number, the suffix that the user defines.
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0)
      word.remove_prefix(std::min(word.find('_'), word.size()));
    if (!word.empty()) words.emplace(word);
    if (i == begin) ++i;
  }
}

void for_each_name(std::string_view text, const std::function<void(std::string_view)>& add) {
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (is_name_character(text[i])) {
      const std::size_t begin = i;
      while (i < text.size() && is_name_character(text[i])) ++i;
      add(text.substr(begin, i - begin));
    } else {
      ++i;
    }
  }
}

namespace {

std::string name_behind(std::string_view line, std::string_view name) {
  const std::string_view rest = directive(line, name);
  std::size_t length = 0;
  while (length < rest.size() && is_name_character(rest[length])) ++length;
  return std::string(rest.substr(0, length));
}

// Follows the directives of a file, line by line.
class Conditions {
public:
  void line(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos || text[first] != '#') return;
    const bool is_first = m_directives == 0;
    const bool is_second = m_directives == 1;
    ++m_directives;
    if (is_first) m_guard = name_behind(text, "ifndef");
    if (is_second && !m_guard.empty() && name_behind(text, "define") == m_guard) m_guarded = true;
    if (!directive(text, "if").empty()) ++m_depth;
    if (directive(text, "endif").data() != nullptr && m_depth > 0 && --m_depth == 0) m_guarded = false;
  }
  bool are_met() const { return m_depth <= (m_guarded ? 1 : 0); }

private:
  std::string m_guard;
  bool m_guarded = false;
  int m_directives = 0;
  int m_depth = 0;
};

} // namespace

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  Conditions conditions;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    conditions.line(line);
    std::string_view name = directive(line, "include");
    begin = end + 1;
    if (name.starts_with("_next")) name.remove_prefix(std::min(name.find_first_of("<\""), name.size()));
    if (name.empty() || (name.front() != '"' && name.front() != '<')) continue;
    const bool quoted = name.front() == '"';
    name.remove_prefix(1);
    const std::size_t close = name.find(quoted ? '"' : '>');
    if (close != std::string_view::npos)
      found.push_back({std::string(name.substr(0, close)), quoted, !conditions.are_met()});
  }
  return found;
}

std::string defined_macro(std::string_view line) { return name_behind(line, "define"); }

std::string undefined_macro(std::string_view line) { return name_behind(line, "undef"); }

} // namespace reex::impact
