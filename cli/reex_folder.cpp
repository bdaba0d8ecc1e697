#include "cli/reex_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/command_error.h"

namespace reex {

std::string make_failures_folder(const std::string& parent) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(
        fmt::format("{}/.reex cannot be written ({}): choose another folder with -o DIR", parent, why));
  };
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(parent, error).lexically_normal() / ".reex";
  if (error) throw refuse(error.message());
  std::filesystem::create_directories(folder / "failures", error);
  if (error) throw refuse(error.message());
  if (access((folder / "failures").c_str(), W_OK | X_OK) != 0) throw refuse("no permission");
  if (const auto ignore = folder / ".gitignore"; !std::filesystem::exists(ignore, error)) {
    std::ofstream(ignore) << "*\n";
  }
  return (folder / "failures").string();
}

} // namespace reex
