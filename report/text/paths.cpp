#include "report/text/paths.h"

namespace reex {

std::string path_within(const std::string& path, const std::string& folder) {
  if (folder.empty()) return path;
  const std::string prefix = folder.back() == '/' ? folder : folder + '/';
  return path.starts_with(prefix) && path.size() > prefix.size() ? path.substr(prefix.size()) : path;
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

} // namespace reex
