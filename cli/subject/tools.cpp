#include "cli/subject/tools.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string>

#include "impact/facts/parse.h"
#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

// The path and the first line of what `program --version` prints; "" if it is not in PATH.
std::string describe(const std::string& name) {
  constexpr std::chrono::seconds k_limit{10};
  const std::string path = find_program(name);
  if (path.empty()) return "";
  const std::string text = run_captured({path, "--version"}, clean_environment(), k_limit).stdout_text;
  const std::string version = text.substr(0, text.find('\n'));
  return version.empty() ? path : fmt::format("{} ({})", path, version);
}

Check check_compilers() {
  std::string found;
  for (const char* name : {"g++", "clang++"})
    if (const std::string one = describe(name); !one.empty()) found += (found.empty() ? "" : ", ") + one;
  if (found.empty())
    return {"compiler", Health::note, "neither g++ nor clang++ is in PATH",
            "install g++ or clang to build instrumented tests"};
  return {"compiler", Health::good, found, ""};
}

Check check_libclang() {
  const std::string folder = impact::clang_resource_folder();
  const std::string version = impact::clang_version();
  if (folder.empty())
    return {"libclang", Health::note,
            version + ", without its own headers (stddef.h): changed files may not be understood",
            fmt::format("install clang {}", version.substr(0, version.find('.')))};
  return {"libclang", Health::good, fmt::format("{}, headers in {}", version, folder), ""};
}

Check check_gdb() {
  const std::string found = find_program("gdb"); // a gdb without room to start leaves a core file
  if (found.empty()) return {"gdb", Health::note, "not in PATH", "install gdb for reex replay --gdb"};
  return {"gdb", Health::good, found, ""};
}

} // namespace

Checks check_tools() { return {check_compilers(), check_libclang(), check_gdb()}; }

} // namespace reex
