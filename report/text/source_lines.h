// The text of source lines, for traces. A file is read once, when its first line is needed.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace reex {

class SourceLines {
public:
  virtual ~SourceLines() = default;
  // The line without blanks at its ends; "" if there is no such line or the file cannot be read.
  virtual std::string trimmed(const std::string& file, unsigned line) = 0;
  // The same with the blanks at its start, for excerpts of several lines.
  virtual std::string indented(const std::string& file, unsigned line) { return trimmed(file, line); }
};

class DiskSourceLines : public SourceLines {
public:
  std::string trimmed(const std::string& file, unsigned line) override;
  std::string indented(const std::string& file, unsigned line) override;

private:
  std::string whole(const std::string& file, unsigned line);

  std::map<std::string, std::vector<std::string>> m_files;
};

} // namespace reex
