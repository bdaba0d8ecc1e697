#include "cli/run/reex_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/terminal/command_error.h"

namespace reex {

std::string make_failures_folder(const std::string& parent, const std::string& part) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(
        fmt::format("{}/.reex cannot be written ({}): choose another folder with -o DIR", parent, why));
  };
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(parent, error).lexically_normal() / ".reex";
  if (error) throw refuse(error.message());
  const std::filesystem::path failures = folder / part / "failures";
  // A link would lead what reex writes to another place: it is not followed.
  for (const auto& one : {folder, folder / ".gitignore", folder / part, failures, folder / part / "runs",
                          folder / part / "outcomes"})
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(one, error)))
      throw refuse((one == folder ? "it" : one.lexically_relative(folder).string()) + " is a symbolic link");
  std::filesystem::create_directories(failures, error);
  if (error) throw refuse(error.message());
  if (access(failures.c_str(), W_OK | X_OK) != 0) throw refuse("no permission");
  if (const auto ignore = folder / ".gitignore"; !std::filesystem::exists(ignore, error)) {
    std::ofstream(ignore) << "*\n";
  }
  return failures.string();
}

} // namespace reex
