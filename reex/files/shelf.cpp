#include "reex/files/shelf.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace reex {
namespace {

// The folder and those above it on the same file system, the topmost first. The root comes last: nobody
// looks for such folders there.
std::vector<std::string> above(const std::string& folder) {
  struct stat first {
  }, status{};
  std::vector<std::string> found;
  if (stat(folder.c_str(), &first) != 0) return found;
  for (std::string at = folder;
       at != "/" && stat(at.c_str(), &status) == 0 && status.st_dev == first.st_dev;) {
    found.insert(found.begin(), at);
    const std::size_t slash = at.rfind('/');
    at = slash == 0 ? "/" : at.substr(0, slash);
  }
  if (stat("/", &status) == 0 && status.st_dev == first.st_dev) found.push_back("/");
  return found;
}

} // namespace

FileShelf::~FileShelf() {
  for (const auto& [above, folder] : m_folders) rmdir(folder.c_str());
}

std::string FileShelf::take(const FilePlace& place) {
  for (const std::string& parent : above(place.folder)) {
    std::string& folder = m_folders[parent];
    if (folder.empty()) {
      std::string name = (parent == "/" ? "" : parent) + "/.reex-files-XXXXXX";
      if (mkdtemp(name.data()) == nullptr) {
        m_folders.erase(parent);
        continue;
      }
      folder = name;
    }
    // The name stays: the kernel tells it of files that are mapped.
    const std::string own = folder + "/" + std::to_string(m_next);
    if (mkdir(own.c_str(), S_IRWXU) != 0 && errno != EEXIST) return "";
    const std::string to = own + "/" + place.name;
    if (::rename(place.path().c_str(), to.c_str()) == 0) {
      ++m_next;
      return to;
    }
    const int error = errno;
    rmdir(own.c_str());
    errno = error;
    if (error != EXDEV) return "";
  }
  return "";
}

bool FileShelf::give_back(const std::string& kept, const std::string& path) {
  if (renameat2(AT_FDCWD, kept.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) != 0 &&
      (errno != EINVAL || ::rename(kept.c_str(), path.c_str()) != 0)) // not all file systems know the flag
    return false;
  rmdir(kept.substr(0, kept.rfind('/')).c_str());
  return true;
}

} // namespace reex
