#include "report/text/source_lines.h"

#include <fstream>

#include "report/text/bytes_text.h"

namespace reex {
namespace {

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string trim(const std::string& line) {
  constexpr const char* k_blanks = " \t\r\f\v";
  const std::size_t first = line.find_first_not_of(k_blanks);
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(k_blanks) - first + 1);
}

} // namespace

std::string DiskSourceLines::whole(const std::string& file, unsigned line) {
  if (file.empty() || line == 0) return "";
  auto found = m_files.find(file);
  if (found == m_files.end()) found = m_files.emplace(file, read_lines(file)).first;
  return line <= found->second.size() ? found->second[line - 1] : "";
}

std::string DiskSourceLines::trimmed(const std::string& file, unsigned line) {
  return escape_for_terminal(trim(whole(file, line)));
}

std::string DiskSourceLines::indented(const std::string& file, unsigned line) {
  const std::string text = whole(file, line);
  const std::string content = trim(text);
  return escape_for_terminal(text.substr(0, text.find(content)) + content);
}

} // namespace reex
