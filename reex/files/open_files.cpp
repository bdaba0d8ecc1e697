#include "reex/files/open_files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <unistd.h>

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string descriptors_of(pid_t process) { return "/proc/" + std::to_string(process) + "/fd"; }

// The mode of the link tells how the descriptor was opened.
bool is_for_writing(const std::string& link) {
  struct stat status {};
  return lstat(link.c_str(), &status) == 0 && (status.st_mode & S_IWUSR) != 0;
}

template <typename Visit>
void each_descriptor(pid_t process, const Visit& visit) {
  std::error_code gone;
  for (fs::directory_iterator at(descriptors_of(process), gone), end; !gone && at != end;
       at.increment(gone)) {
    struct stat status {};
    const std::string path = at->path().string();
    if (stat(path.c_str(), &status) == 0) visit(path, status);
  }
}

} // namespace

std::vector<FileId> open_files(pid_t process) {
  std::vector<FileId> found;
  each_descriptor(process,
                  [&](const std::string&, const struct stat& status) { found.push_back(id_of(status)); });
  return found;
}

void OpenFiles::remember(pid_t process, const std::function<bool(const FileId&)>& is_meant,
                         std::uint64_t room) {
  std::set<FileId> known;
  std::uint64_t copied = 0;
  each_descriptor(process, [&](const std::string& path, const struct stat& status) {
    if (!S_ISREG(status.st_mode) || !is_for_writing(path) || !is_meant(id_of(status)) ||
        !known.insert(id_of(status)).second)
      return;
    SavedFile file{.status = status, .content = {}};
    copied += static_cast<std::uint64_t>(status.st_size);
    Descriptor own(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (copied <= room && own && read_content(path, file.content)) {
      m_files.push_back(std::move(file));
      m_descriptors.push_back(std::move(own));
    } else if (m_problem.empty()) {
      std::error_code error;
      m_problem =
          fs::read_symlink(path, error).string() +
          (copied > room ? " is open for writing, and more than 64 MB of content would have to be kept"
                         : " is open for writing, and cannot be read");
    }
  });
}

void OpenFiles::put_back() {
  for (std::size_t i = 0; i < m_files.size(); ++i)
    if (const std::string path = "/proc/self/fd/" + std::to_string(*m_descriptors[i]);
        !put_back_content(path, m_files[i]) && m_problem.empty()) {
      const int error = errno;
      std::error_code ignored;
      m_problem = fs::read_symlink(path, ignored).string() + " cannot be put back: " + std::strerror(error);
    }
}

} // namespace reex
