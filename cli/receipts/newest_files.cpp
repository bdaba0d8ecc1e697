#include "cli/receipts/newest_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace reex {

namespace fs = std::filesystem;

void keep_the_newest(const std::string& folder, std::size_t most) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;
    const fs::file_time_type time = fs::last_write_time(entry.path(), gone);
    if (!gone) files.emplace_back(time, entry.path());
  }
  if (files.size() <= most) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - most);
  for (const auto& [time, path] : files) fs::remove(path, error);
}

} // namespace reex
