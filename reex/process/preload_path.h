// A path that LD_PRELOAD can name: the loader splits the variable at spaces and colons, so a library below
// such a folder is reached through a link in a temporary one.
#pragma once

#include <string>

namespace reex {

class PreloadPath {
public:
  explicit PreloadPath(const std::string& library); // throws std::system_error
  ~PreloadPath();                                   // removes what it made
  PreloadPath(const PreloadPath&) = delete;
  PreloadPath& operator=(const PreloadPath&) = delete;

  const std::string& path() const { return m_path; }

private:
  std::string m_path;
  std::string m_folder; // "" if none was needed
};

} // namespace reex
