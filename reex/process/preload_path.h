// A path of a library that is valid in LD_PRELOAD. The loader splits this variable at spaces and colons. If
// the library's path contains one, the class makes a link to the library in a temporary folder.
#pragma once

#include <string>

namespace reex {

class PreloadPath {
public:
  explicit PreloadPath(const std::string& library); // throws std::system_error
  ~PreloadPath();                                   // removes the link and the folder
  PreloadPath(const PreloadPath&) = delete;
  PreloadPath& operator=(const PreloadPath&) = delete;

  const std::string& path() const { return m_path; }

private:
  std::string m_path;
  std::string m_folder; // "" if none was needed
};

} // namespace reex
