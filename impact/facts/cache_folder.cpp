#include "impact/facts/cache_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include <sys/stat.h>

namespace reex::impact {

namespace fs = std::filesystem;

bool is_link(const std::string& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

std::string stamp_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return "none";
  return std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + ' ' +
         std::to_string(status.st_mtim.tv_nsec);
}

bool make_cache_folder(const std::string& name) {
  const fs::path folder(name);
  const fs::path above = folder.parent_path();
  const fs::path ignore = above / ".gitignore";
  if (is_link(above.string()) || is_link(name) || is_link(ignore.string())) return false;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return false;
  if (!fs::exists(ignore, error)) std::ofstream(ignore) << "*\n";
  return true;
}

void remove_oldest(const std::string& folder, std::uint64_t limit) {
  struct Entry {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;
    if (!entry.is_regular_file(gone)) continue;
    const auto used = entry.last_write_time(gone);
    const auto size = gone ? 0 : entry.file_size(gone);
    if (gone) continue;
    entries.push_back({used, size, entry.path()});
    total += size;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= limit) break;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

} // namespace reex::impact
