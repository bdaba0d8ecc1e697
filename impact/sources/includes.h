// Finds the files that a unit includes, by reading #include lines. This is cheap enough for every unit of a
// project, so that only the units concerned by a change are parsed. The result may contain too many files
// (conditional includes), and seldom too few.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/sources/lexical.h"
#include "impact/sources/parse_job.h"

namespace reex::impact {

// What a unit asks the system for.
struct SystemIncludes {
  std::vector<Include> headers;      // in the order in which the unit comes to them; none twice
  std::set<std::string> user_macros; // what the user's files define or undefine
};

class IncludeScanner {
public:
  explicit IncludeScanner(const Overlays& overlays) : m_overlays(overlays) {}

  // The unit's main file, and the user's files that it includes directly or indirectly.
  std::set<std::string> files_of(const ParseJob& job);
  // The headers that the unit includes whatever the conditions are, and that are not the user's.
  SystemIncludes system_includes_of(const ParseJob& job);
  // The bytes of the file's overlay, or else of the file; null if it cannot be read. They are valid as long
  // as the scanner lives.
  const std::string* text(const std::string& path);

private:
  struct File {
    bool readable = false;
    std::string text;
    std::vector<Include> includes;
  };
  const File& file(const std::string& path);
  // The user's file that the include names; "" if it names none.
  std::string find(const Include& include, const std::string& from, const std::vector<std::string>& folders);
  const std::string& at(const std::string& folder, const std::string& name);

  const Overlays& m_overlays;
  std::map<std::string, File> m_files;
  std::map<std::string, std::map<std::string, std::string>>
      m_found; // by folder and name; "" if there is none
};

} // namespace reex::impact
