#include "impact/sources/paths.h"

#include <filesystem>

namespace reex::impact {

std::string normalized(const std::string& path, const std::string& folder) {
  std::filesystem::path result(path);
  if (result.is_relative()) result = std::filesystem::path(folder) / result;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(result, error);
  return (error ? result.lexically_normal() : real).string();
}

} // namespace reex::impact
