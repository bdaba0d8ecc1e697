#include "promotion/places.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace reex::promotion {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words that say nothing about a statement.
bool is_plain(std::string_view word) {
  constexpr std::array<std::string_view, 44> k_words = {
      "if",         "while",       "for",          "switch",      "return", "do",       "else",     "const",
      "constexpr",  "auto",        "int",          "bool",        "char",   "unsigned", "long",     "short",
      "void",       "double",      "float",        "static",      "std",    "this",     "new",      "delete",
      "throw",      "assert",      "thread_local", "true",        "false",  "nullptr",  "size_t",   "jthread",
      "lock_guard", "unique_lock", "scoped_lock",  "shared_lock", "struct", "class",    "typename", "mutex",
      "case",       "sizeof",      "thread",       "uint32_t"};
  const bool is_macro = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
  return word.size() < 2 || (is_macro && word.find('_') != std::string_view::npos) ||
         std::isdigit(static_cast<unsigned char>(word.front())) != 0 ||
         std::find(k_words.begin(), k_words.end(), word) != k_words.end();
}

// Whether a function around the position may be evaluated by the compiler, where there are no events.
bool is_constant(std::string_view text, const impact::SourceShape& shape, std::size_t at) {
  return std::any_of(
      shape.functions.begin(), shape.functions.end(), [&](const impact::FunctionText& function) {
        const std::string_view head = text.substr(function.begin, function.body - function.begin);
        return function.begin <= at && at < function.end && !function.name.empty() &&
               (head.find("constexpr") != std::string_view::npos ||
                head.find("consteval") != std::string_view::npos);
      });
}

} // namespace

std::size_t offset_of(std::string_view text, unsigned line, unsigned column) {
  std::size_t at = 0;
  for (unsigned i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  return std::min(text.size(), at + (column == 0 ? 0 : column - 1));
}

unsigned line_at(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<unsigned>(std::count(
             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n'));
}

std::optional<Place> place_of(const std::string& file, std::string_view text,
                              const impact::SourceShape& shape, unsigned line, unsigned column) {
  std::size_t at = offset_of(text, line, column);
  if (column == 0)
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  const impact::Statement* found = nullptr;
  for (const impact::Statement& statement : shape.statements) {
    if (at < statement.begin || at >= statement.end) continue;
    if (found == nullptr || statement.end - statement.begin <= found->end - found->begin) found = &statement;
  }
  if (found == nullptr || is_constant(text, shape, at)) return std::nullopt;
  if (!found->is_block)
    return Place{.file = file,
                 .begin = found->begin,
                 .end = found->end,
                 .in_block = found->in_block,
                 .leaves = found->leaves};
  // Between the statements of a block only its closing brace does something: destructors.
  if (at + 1 != found->end) return std::nullopt;
  return Place{.file = file, .begin = at, .end = found->end, .closing = true};
}

namespace {

// The first name, or the first that is called.
std::string find_name(std::string_view statement, bool called) {
  for (std::size_t i = 0; i < statement.size();) {
    if (!is_word(statement[i])) {
      if (statement[i] == '"')
        for (++i; i < statement.size() && statement[i] != '"'; ++i)
          if (statement[i] == '\\') ++i;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < statement.size() && is_word(statement[end])) ++end;
    const std::string_view word = statement.substr(i, end - i);
    if (!is_plain(word) && (!called || (end < statement.size() && statement[end] == '(')))
      return std::string(word);
    i = end;
  }
  return "";
}

} // namespace

std::string first_name(std::string_view statement) { return find_name(statement, false); }

std::string name_of_statement(std::string_view statement) {
  if (std::string name = find_name(statement, true); !name.empty()) return name;
  const std::string name = first_name(statement);
  return name.empty() ? "step" : name;
}

} // namespace reex::promotion
