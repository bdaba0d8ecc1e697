#include "imunit/source/source.h"

#include <algorithm>

#include "imunit/source/parser.h"

namespace reex::inference {

Source::Source(std::string path, std::string text) : m_path(std::move(path)), m_text(std::move(text)) {
  m_lines.push_back(0);
  for (std::size_t i = 0; i < m_text.size(); ++i)
    if (m_text[i] == '\n') m_lines.push_back(i + 1);
  Parser(*this).parse();
}

std::size_t Source::offset(unsigned line, unsigned column) const {
  if (line == 0 || line > m_lines.size()) return m_text.size();
  std::size_t at = m_lines[line - 1];
  if (column == 0) return std::min(m_text.find_first_not_of(" \t", at), m_text.size());
  // As the line tables count, a tabulator is one column.
  return std::min(at + column - 1, m_text.size());
}

unsigned Source::line(std::size_t offset) const {
  const auto behind = std::upper_bound(m_lines.begin(), m_lines.end(), offset);
  return static_cast<unsigned>(behind - m_lines.begin());
}

unsigned Source::column(std::size_t offset) const {
  return static_cast<unsigned>(offset - m_lines[line(offset) - 1] + 1);
}

int Source::function_at(std::size_t offset) const {
  int best = -1;
  for (std::size_t i = 0; i < m_functions.size(); ++i) {
    const Function& function = m_functions[i];
    if (offset < function.open || offset > function.close) continue;
    if (best < 0 || function.open >= m_functions[static_cast<std::size_t>(best)].open)
      best = static_cast<int>(i);
  }
  return best;
}

StatementId Source::statement_at(std::size_t offset) const {
  const int function = function_at(offset);
  if (function < 0) return k_no_statement;
  StatementId best = k_no_statement;
  bool any_behind = false;
  for (std::size_t i = 0; i < m_statements.size(); ++i) {
    const Statement& statement = m_statements[i];
    if (statement.function != function) continue;
    any_behind = any_behind || statement.begin > offset;
    if (offset >= statement.begin && offset < statement.end)
      best = static_cast<StatementId>(i); // outer first
  }
  if (best == k_no_statement && !any_behind) return end_of_function(function);
  return best;
}

int Source::function_of(StatementId id) const {
  if (is_end(id)) return function_of_end(id);
  return id < 0 ? -1 : m_statements[static_cast<std::size_t>(id)].function;
}

std::vector<StatementId> Source::siblings(StatementId id) const {
  std::vector<StatementId> result;
  if (id == k_no_statement) return result;
  const int function = function_of(id);
  const int block = is_end(id) ? -1 : m_statements[static_cast<std::size_t>(id)].block;
  for (std::size_t i = 0; i < m_statements.size(); ++i) {
    const Statement& statement = m_statements[i];
    if (statement.function == function && (is_end(id) ? statement.parent == -1 : statement.block == block))
      result.push_back(static_cast<StatementId>(i));
  }
  return result;
}

std::vector<StatementId> Source::path(StatementId id) const {
  std::vector<StatementId> result;
  for (; id >= 0; id = m_statements[static_cast<std::size_t>(id)].parent) result.insert(result.begin(), id);
  if (result.empty() && id != k_no_statement) result.push_back(id);
  return result;
}

bool Source::contains(int outer_function, int function) const {
  while (function >= 0 && function != outer_function)
    function = m_functions[static_cast<std::size_t>(function)].parent;
  return function >= 0;
}

std::string_view Source::text_of(StatementId id) const {
  if (id < 0) return "";
  const Statement& statement = m_statements[static_cast<std::size_t>(id)];
  return std::string_view(m_text).substr(statement.begin, statement.end - statement.begin);
}

unsigned Source::line_of(StatementId id) const {
  if (is_end(id)) return line(m_functions[static_cast<std::size_t>(function_of_end(id))].close);
  return id < 0 ? 0 : line(m_statements[static_cast<std::size_t>(id)].begin);
}

} // namespace reex::inference
