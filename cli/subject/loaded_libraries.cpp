#include "cli/subject/loaded_libraries.h"

#include <chrono>
#include <sstream>
#include <string_view>

#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

constexpr std::string_view k_search_path = "LD_LIBRARY_PATH=";

std::vector<std::string> environment_with(const std::string& folder) {
  std::vector<std::string> environment = environment_of_test();
  if (folder.empty()) return environment;
  for (std::string& one : environment)
    if (one.starts_with(k_search_path)) {
      one.insert(k_search_path.size(), folder + ":");
      return environment;
    }
  environment.push_back(std::string(k_search_path) + folder);
  return environment;
}

} // namespace

// "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f...)", "\tlibx.so => not found", "\t/a/b.so
// (0x...)"
LoadedLibraries parse_loaded_libraries(const std::string& text) {
  LoadedLibraries found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    constexpr std::string_view k_arrow = " => ";
    const std::size_t arrow = line.find(k_arrow);
    std::string file = arrow == std::string::npos ? line : line.substr(arrow + k_arrow.size());
    if (file.starts_with("not found")) {
      found.absent.push_back(line.substr(0, arrow));
      continue;
    }
    const std::size_t address = file.rfind(" (0x");
    if (address != std::string::npos && file.starts_with('/')) found.paths.push_back(file.substr(0, address));
  }
  return found;
}

LoadedLibraries loaded_libraries(const BinaryInfo& binary, const std::string& libtsan) {
  constexpr std::chrono::seconds k_limit{10};
  const CapturedProcess loader =
      run_captured({binary.loader, "--list", binary.path}, environment_with(libtsan), k_limit);
  LoadedLibraries found = parse_loaded_libraries(loader.stdout_text);
  if (shows_failure(loader) && found.absent.empty())
    found.error = loader.stderr_text.substr(0, loader.stderr_text.find('\n'));
  return found;
}

} // namespace reex
