#include "reex/process/preload_path.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

namespace reex {

PreloadPath::PreloadPath(const std::string& library) : m_path(library) {
  if (library.find_first_of(" :") == std::string::npos) return;
  char folder[] = "/tmp/reex-preload-XXXXXX";
  if (mkdtemp(folder) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make a temporary folder");
  m_folder = folder;
  m_path = m_folder + "/libreex_rt.so";
  if (symlink(library.c_str(), m_path.c_str()) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot link to " + library);
}

PreloadPath::~PreloadPath() {
  if (m_folder.empty()) return;
  unlink(m_path.c_str());
  rmdir(m_folder.c_str());
}

} // namespace reex
