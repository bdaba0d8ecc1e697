#include "imunit/source/parser.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace reex::inference {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view k_leaving[] = {"return", "break", "continue", "goto", "throw", "co_return"};
constexpr std::string_view k_loops[] = {"for", "while", "do"};
constexpr std::string_view k_no_calls[] = {
    "if",         "for",      "while",    "switch",        "return",  "sizeof",   "catch",
    "alignof",    "decltype", "noexcept", "throw",         "new",     "delete",   "static_cast",
    "const_cast", "typeid",   "alignas",  "static_assert", "mutable", "co_await", "co_return"};

constexpr std::string_view k_sections[] = {"SECTION", "DYNAMIC_SECTION", "SUBCASE",  "GIVEN",   "WHEN",
                                           "THEN",    "AND_GIVEN",       "AND_WHEN", "AND_THEN"};

bool among(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_macro(std::string_view word) {
  return word.size() > 1 && std::none_of(word.begin(), word.end(), [](char c) {
           return std::islower(static_cast<unsigned char>(c)) != 0;
         });
}

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("[[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

} // namespace

void Parser::parse() {
  while (!done()) {
    scope(-1);
    if (done()) return;
    const unsigned line = m_source.line(m_tokens[m_at].begin); // of a '}' too many
    if (m_source.m_problem.empty())
      m_source.m_problem = "its braces do not match at line " + std::to_string(line);
    ++m_at;
  }
}

std::size_t Parser::group_end(std::size_t at) const {
  int depth = 0;
  for (; at < m_tokens.size(); ++at) {
    if (opens(m_tokens[at])) depth += m_tokens[at].is("[[") ? 2 : 1;
    if (closes(m_tokens[at]) && --depth == 0) return at + 1;
  }
  return m_tokens.size();
}

void Parser::scope(int parent_function) {
  std::size_t begin = m_at; // of the declaration
  while (!done() && !is("}")) {
    const Token& token = m_tokens[m_at];
    if (token.is(";")) {
      begin = ++m_at;
      continue;
    }
    if (token.is("(") || token.is("[") || token.is("[[")) {
      m_at = group_end(m_at);
      continue;
    }
    if (!token.is("{")) {
      ++m_at;
      continue;
    }
    bool parameters = false;
    bool initializers = false; // of a constructor
    bool contents = false;
    bool enumeration = false;
    for (std::size_t i = begin; i < m_at; ++i) {
      const Token& part = m_tokens[i];
      if (part.is("(")) {
        i = group_end(i) - 1;
        parameters = true;
      }
      initializers = initializers || (parameters && part.is(":"));
      contents = contents || part.is("namespace") || part.is("class") || part.is("struct") ||
                 part.is("union") || part.is("extern");
      enumeration = enumeration || part.is("enum");
    }
    const Token* last = before(m_at);
    const bool member = initializers && last != nullptr && last->is_word() && !last->is("try");
    if (enumeration || member || (last != nullptr && last->is("="))) {
      m_at = group_end(m_at);
    } else if (parameters) {
      std::string name;
      for (std::size_t i = begin; i + 1 < m_at && name.empty(); ++i)
        if (m_tokens[i].is_word() && m_tokens[i + 1].is("(")) name = m_tokens[i].text;
      const int made = function(m_at, parent_function, -1, false);
      m_source.m_functions[static_cast<std::size_t>(made)].name = name;
      begin = m_at;
    } else if (contents) {
      ++m_at;
      scope(parent_function);
      if (!done()) ++m_at;
      begin = m_at;
    } else {
      m_at = group_end(m_at);
    }
  }
}

int Parser::function(std::size_t open, int parent, int inside, bool lambda) {
  const int number = static_cast<int>(m_source.m_functions.size());
  m_source.m_functions.push_back({.open = m_tokens[open].begin,
                                  .close = 0,
                                  .parent = parent,
                                  .inside = inside,
                                  .lambda = lambda,
                                  .name = ""});
  m_at = open + 1;
  block({number, -1, m_blocks++, false});
  m_source.m_functions[static_cast<std::size_t>(number)].close = m_tokens[m_at - 1].begin;
  return number;
}

void Parser::block(const Where& where) {
  while (!done() && !is("}")) statement(where, true);
  if (done()) {
    m_source.m_problem = "its braces do not match";
  } else {
    ++m_at;
  }
}

int Parser::add(const Where& where, Statement::Kind kind, bool braced) {
  Statement statement;
  statement.kind = kind;
  statement.begin = m_tokens[m_at].begin;
  statement.function = where.function;
  statement.parent = where.parent;
  statement.block = where.block;
  statement.braced = braced;
  statement.in_loop = where.in_loop;
  statement.in_section = where.in_section;
  m_source.m_statements.push_back(std::move(statement));
  return static_cast<int>(m_source.m_statements.size()) - 1;
}

void Parser::close(int statement) {
  m_source.m_statements[static_cast<std::size_t>(statement)].end = m_tokens[m_at - 1].end;
}

void Parser::statement(const Where& where, bool braced) {
  while (is("case") || is("default") ||
         (m_at + 1 < m_tokens.size() && m_tokens[m_at].is_word() && m_tokens[m_at + 1].is(":") &&
          !is("public"))) {
    while (!done() && !is(":")) ++m_at;
    ++m_at;
  }
  if (done() || is("}")) return;
  if (is(";")) {
    ++m_at;
    return;
  }
  if (is("{") || is("if") || is("switch") || is("try") || among(m_tokens[m_at].text, k_loops)) {
    control(where, braced);
  } else {
    plain(where, braced);
  }
}

void Parser::header(int statement) {
  if (is("constexpr")) ++m_at;
  if (!is("(")) return;
  const std::size_t begin = m_at;
  m_at = group_end(m_at);
  take_calls(statement, begin, m_at, {});
}

void Parser::body(int number, bool loop, bool section) {
  const Statement of = m_source.m_statements[static_cast<std::size_t>(number)];
  const Where where{of.function, number, m_blocks++, of.in_loop || loop, of.in_section || section};
  if (is("{")) {
    ++m_at;
    block(where);
  } else if (!done()) {
    statement(where, false);
  }
}

void Parser::control(const Where& where, bool braced) {
  const std::string_view word = m_tokens[m_at].text;
  const bool loop = among(word, k_loops);
  const int number = add(where, loop ? Statement::Kind::loop : Statement::Kind::control, braced);
  if (word != "{") ++m_at;
  if (word != "do") header(number);
  body(number, loop);
  if (word == "do" && is("while")) {
    ++m_at;
    header(number);
    if (is(";")) ++m_at;
  }
  while (word == "if" && is("else")) {
    ++m_at;
    body(number, false);
  }
  while (word == "try" && is("catch")) {
    ++m_at;
    header(number);
    body(number, false);
  }
  close(number);
}

std::size_t Parser::lambda_body(std::size_t at) const {
  const Token* last = before(at);
  if (last != nullptr && (last->is(")") || last->is("]") || last->kind == Token::Kind::literal ||
                          (last->is_word() && !last->is("return"))))
    return 0; // a subscript
  at = group_end(at);
  bool parameters = false;
  while (at < m_tokens.size() && !m_tokens[at].is("{")) {
    const Token& token = m_tokens[at];
    if (token.is(";") || token.is(",") || closes(token)) return 0;
    if (token.is("(")) {
      if (parameters && !m_tokens[at - 1].is("noexcept")) return 0;
      parameters = true;
      at = group_end(at);
    } else {
      ++at;
    }
  }
  return at < m_tokens.size() ? at : 0;
}

void Parser::plain(const Where& where, bool braced) {
  const std::size_t first = m_at;
  const bool leaves = among(m_tokens[m_at].text, k_leaving);
  const int number = add(where, leaves ? Statement::Kind::leave : Statement::Kind::plain, braced);
  // "std::thread t(", "auto t =", "Queue q;", "x = ": what is declared or assigned.
  std::string variable;
  bool assigns = false;
  bool declares = false;
  std::vector<std::pair<std::size_t, std::size_t>> holes; // the bodies of lambdas
  std::vector<int> lambdas;
  int depth = 0;
  while (!done()) {
    const Token& token = m_tokens[m_at];
    if (token.is(";") && depth == 0) {
      ++m_at;
      break;
    }
    if (closes(token) && depth == 0) break; // the ';' is missing: a macro
    const Token* last = m_at > first ? before(m_at) : nullptr;
    const bool names = depth == 0 && variable.empty() && last != nullptr && last->is_word() &&
                       (token.is("=") || token.is("(") || token.is("{") || token.is(";"));
    if (names) {
      const Token* type = m_at >= first + 2 ? before(m_at - 1) : nullptr;
      declares = type != nullptr && (type->is_word() || type->is(">") || type->is("&") || type->is("*"));
      assigns = token.is("=");
      if (declares || assigns) variable = last->text;
    }
    if (token.is("[")) {
      if (const std::size_t open = lambda_body(m_at); open != 0) {
        lambdas.push_back(function(open, where.function, number, true));
        holes.emplace_back(open, m_at);
        continue;
      }
    }
    if (token.is("{") && depth == 0 && last != nullptr && last->is(")") && !declares && !assigns) {
      // A macro that begins a control statement.
      take_calls(number, first, m_at, holes);
      const bool section = among(m_tokens[first].text, k_sections);
      m_source.m_statements[static_cast<std::size_t>(number)].kind =
          section ? Statement::Kind::control : Statement::Kind::loop;
      body(number, !section, section);
      close(number);
      return;
    }
    if (token.is("{") && depth == 0 && (m_tokens[first].is("struct") || m_tokens[first].is("class"))) {
      const std::size_t open = m_at++;
      scope(where.function);
      holes.emplace_back(open, m_at + 1);
      declares = true;
      if (!done()) ++m_at;
      continue;
    }
    if (opens(token)) depth += token.is("[[") ? 2 : 1;
    if (closes(token)) --depth;
    ++m_at;
    if (token.is(")") && depth == 0 && !done() && is("}") && is_macro(m_tokens[first].text)) break;
  }
  close(number);
  Statement& statement = m_source.m_statements[static_cast<std::size_t>(number)];
  statement.variable = variable;
  if (!leaves && !assigns && variable.empty()) { // "Queue q;", "using namespace x;"
    const std::size_t length = m_at - first;
    declares = declares || (length >= 3 && m_tokens[m_at - 2].is_word() && m_tokens[m_at - 3].is_word()) ||
               m_tokens[first].is("using");
  }
  if (declares && !leaves) statement.kind = Statement::Kind::declaration;
  for (const int lambda : lambdas) m_source.m_functions[static_cast<std::size_t>(lambda)].name = variable;
  take_calls(number, first, m_at, holes);
}

void Parser::take_calls(int number, std::size_t begin, std::size_t end,
                        const std::vector<std::pair<std::size_t, std::size_t>>& holes) {
  std::vector<std::string>& calls = m_source.m_statements[static_cast<std::size_t>(number)].calls;
  for (std::size_t i = begin; i + 1 < end; ++i) {
    for (const auto& [from, to] : holes)
      if (i >= from && i < to) i = to;
    if (i + 1 >= end) return;
    const Token& token = m_tokens[i];
    std::string& word = m_source.m_statements[static_cast<std::size_t>(number)].word;
    const bool names = token.is_word() && !m_tokens[i + 1].is("::") && !is_macro(token.text) &&
                       !among(token.text, k_no_calls) && !among(token.text, k_leaving);
    if (names && word.empty()) word = token.text;
    if (!token.is_word() || !m_tokens[i + 1].is("(") || is_macro(token.text) || among(token.text, k_no_calls))
      continue;
    const Token* last = i > begin ? before(i) : nullptr;
    // "std::thread t(...)" declares
    if (last != nullptr &&
        ((last->is_word() && !among(last->text, k_leaving) && !last->is("else") && !last->is("new")) ||
         (last->is(">") && i >= 2)))
      continue;
    calls.emplace_back(token.text);
  }
}

} // namespace reex::inference
