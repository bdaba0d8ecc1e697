// The text of source lines, for traces. Files are read once, when the first line of each is asked for.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace reex {

class SourceLines {
public:
  virtual ~SourceLines() = default;
  // Without the blanks around it; "" if there is no such line or the file cannot be read.
  virtual std::string trimmed(const std::string& file, unsigned line) = 0;
};

class DiskSourceLines : public SourceLines {
public:
  std::string trimmed(const std::string& file, unsigned line) override;

private:
  std::map<std::string, std::vector<std::string>> m_files;
};

} // namespace reex
