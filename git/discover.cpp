#include "git/discover.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string lower_text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

bool looks_like_repository(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "HEAD", error) && fs::is_directory(folder / "objects", error) &&
         fs::is_directory(folder / "refs", error);
}

// Whether the configuration of the repository itself moves its working tree, or asks for more than version 0.
bool is_unusual(const std::string& config) {
  if (has(config, "worktree") || has(config, "extensions") || has(config, "include")) return true;
  for (std::size_t begin = 0; begin < config.size();) {
    const std::size_t end = std::min(config.find('\n', begin), config.size());
    const std::string line = config.substr(begin, end - begin);
    begin = end + 1;
    if (has(line, "bare") && !has(line, "false")) return true;
    if (has(line, "repositoryformatversion") && !has(line, "= 0")) return true;
  }
  return false;
}

std::vector<fs::path> files_of_user_and_system() {
  std::vector<fs::path> files{"/etc/gitconfig"};
  const char* const home = std::getenv("HOME");
  const char* const configuration = std::getenv("XDG_CONFIG_HOME");
  if (home != nullptr) files.push_back(fs::path(home) / ".gitconfig");
  if (configuration != nullptr && *configuration != '\0')
    files.push_back(fs::path(configuration) / "git" / "config");
  if (home != nullptr) files.push_back(fs::path(home) / ".config" / "git" / "config");
  return files;
}

bool names_reex(const std::string& config) { return has(config, "reex") || has(config, "include"); }

} // namespace

Discovery discover(const std::string& path) {
  const Discovery unsure;
  std::error_code error;
  fs::path folder = fs::canonical(path, error);
  if (error) return unsure;
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  Discovery found;
  struct stat start = {};
  if (stat(folder.c_str(), &start) != 0) return unsure;
  for (;; folder = folder.parent_path()) {
    struct stat here = {};
    struct stat repository = {};
    if (stat(folder.c_str(), &here) != 0 || here.st_dev != start.st_dev) return unsure;
    const fs::path inside = folder / ".git";
    if (lstat(inside.c_str(), &repository) == 0) {
      if (!S_ISDIR(repository.st_mode) || repository.st_uid != geteuid() || here.st_uid != geteuid())
        return unsure;
      if (!looks_like_repository(inside) || fs::exists(inside / "commondir", error)) return unsure;
      const std::string config = lower_text_of(inside / "config");
      if (is_unusual(config)) return unsure;
      found.root = folder.string();
      break;
    }
    if (looks_like_repository(folder)) return unsure;
    if (!folder.has_relative_path()) break;
  }
  found.certain = true;
  return found;
}

bool may_configure_reex(const Discovery& certain) {
  std::vector<fs::path> files = files_of_user_and_system();
  if (!certain.root.empty()) files.push_back(fs::path(certain.root) / ".git" / "config");
  return std::any_of(files.begin(), files.end(),
                     [](const fs::path& file) { return names_reex(lower_text_of(file)); });
}

} // namespace reex
