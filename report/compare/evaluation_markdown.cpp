#include <fmt/format.h>

#include "report/compare/evaluation_report.h"
#include "report/compare/evaluation_tables.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

constexpr std::size_t k_width = 100;

std::string paragraph(const std::string& text) {
  std::string result;
  for (const std::string& line : wrap(text, k_width)) result += line + '\n';
  return result + '\n';
}

std::string cell_text(const std::string& cell, const DocumentTable::Line& line) {
  std::string text;
  for (const char c : cell) text += c == '|' ? "\\|" : std::string(1, c);
  if (line.total) return "**" + text + "**";
  return line.published ? "*" + text + "*" : text;
}

std::string table_text(const DocumentTable& table) {
  std::string text = "|";
  for (const std::string& column : table.columns) text += ' ' + column + " |";
  text += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += i == 0 || (table.ends_in_words && i + 1 == table.columns.size()) ? "---|" : "---:|";
  text += '\n';
  for (const DocumentTable::Line& line : table.lines) {
    text += '|';
    for (const std::string& cell : line.cells) text += ' ' + cell_text(cell, line) + " |";
    text += '\n';
  }
  return text + '\n';
}

std::string document(const DocumentTable& table) {
  std::string text = "## " + table.title + "\n\n";
  for (const std::string& one : table.text) text += paragraph(one);
  return text + table_text(table);
}

} // namespace

std::string evaluation_markdown(const Evaluation& evaluation) {
  std::string text = "# Evaluation\n\n";
  text += paragraph("This page is written by `reex compare --evaluation`; no figure in it is set by hand. "
                    "[compare.md](compare.md) says how the runs are made and what the figures mean.");
  if (!evaluation.command.empty()) text += "    " + evaluation.command + "\n\n";
  text += document(verdict_table(evaluation));
  text += paragraph(
      "≥ and ≤: runs ended without a failure, so only a bound is known. ~: some of the values are bounded "
      "from above and some from below. ?: neither the heuristic nor Basic found it. A subject "
      "without a value is left out of a mean.");
  for (const DocumentTable& table : evaluation_tables(evaluation)) text += document(table);
  text += "## Provenance\n\n";
  for (const std::string& line : evaluation_provenance(evaluation)) text += "- " + line + '\n';
  return text;
}

} // namespace reex
