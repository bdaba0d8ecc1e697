#include "impact/sources/gcc_version.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace reex::impact {
namespace {

namespace fs = std::filesystem;

constexpr int k_highest_cpp = 10, k_highest_c = 6;

bool is_launcher(const std::string& name) {
  for (const std::string_view launcher : {"ccache", "sccache", "distcc", "icecc", "env"})
    if (name == launcher) return true;
  return false;
}

// The compiler's file. A name without a folder is looked for in PATH.
fs::path file_of(const std::string& word) {
  if (word.find('/') != std::string::npos) return word;
  const char* const folders = std::getenv("PATH");
  std::error_code error;
  for (std::string_view rest = folders == nullptr ? "" : folders; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    fs::path file = fs::path(folder) / word;
    if (fs::is_regular_file(file, error)) return file;
  }
  return word;
}

bool is_gcc(const std::string& name) {
  return name.find("clang") == std::string::npos &&
         (name.find("g++") != std::string::npos || name.find("gcc") != std::string::npos);
}

// 12 of "x86_64-linux-gnu-g++-12", and `otherwise` of "g++".
int version_in(const std::string& name, int otherwise) {
  const std::size_t at = name.find_last_not_of("0123456789.") + 1;
  int version = 0;
  const char* const end = name.data() + name.size();
  return std::from_chars(name.data() + at, end, version).ec == std::errc() ? version : otherwise;
}

std::string claim(int version, bool is_c) {
  const int highest = is_c ? k_highest_c : k_highest_cpp;
  return version >= highest ? std::to_string(highest) + ".5.0" : std::to_string(version) + ".1.0";
}

} // namespace

std::string claimed_gcc_version(const std::vector<std::string>& command) {
  if (command.size() > 2 && command[0] == "GNU")
    return command[2].starts_with('-') ? ""
                                       : claim(std::atoi(command[2].c_str()), !command[1].starts_with("C++"));
  for (const std::string& word : command) {
    const std::string name = fs::path(word).filename().string();
    if (is_launcher(name) || word.find('=') != std::string::npos) continue;
    const bool is_c = name.find("++") == std::string::npos;
    const fs::path file = file_of(word);
    std::error_code error;
    const std::string real = fs::canonical(file, error).filename().string(); // c++ -> g++-12
    for (const std::string& called : {real, name})
      if (is_gcc(called)) return claim(version_in(called, k_highest_cpp), is_c);
    // The same file under two names.
    const fs::path other = file.parent_path() / (is_c ? "gcc" : "g++");
    if ((name == "c++" || name == "cc") && fs::equivalent(file, other, error))
      return claim(k_highest_cpp, is_c);
    return "";
  }
  return "";
}

} // namespace reex::impact
