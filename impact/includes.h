// Which files a unit includes, found by reading #include lines: cheap enough to ask for every unit of a
// project, so that only the units that a change concerns are parsed. May name too many (conditional
// includes), seldom too few.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/lexical.h"
#include "impact/parse.h"

namespace reex::impact {

class IncludeScanner {
public:
  explicit IncludeScanner(const Overlays& overlays) : m_overlays(overlays) {}

  // The unit's main file and the user's files below it.
  std::set<std::string> files_of(const ParseJob& job);
  // The bytes of a file, an overlay first; null if it cannot be read. Valid as long as the scanner.
  const std::string* text(const std::string& path);

private:
  struct File {
    bool readable = false;
    std::string text;
    std::vector<Include> includes;
  };
  const File& file(const std::string& path);

  const Overlays& m_overlays;
  std::map<std::string, File> m_files;
};

} // namespace reex::impact
