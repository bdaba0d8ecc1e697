#include "tests/corpus/run_reex.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace reex::corpus {
namespace {

namespace fs = std::filesystem;

constexpr int k_hung_after_seconds = 120; // much longer than any case at bound 2

std::string quoted(const std::string& word) { return "'" + word + "'"; }

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

RunResult execute(const fs::path& directory, const std::string& arguments) {
  const char* chosen = std::getenv("REEX_BINARY");
  const fs::path log = directory / "log.txt";
  RunResult result;
  result.command = quoted(chosen != nullptr ? chosen : REEX_DEFAULT_BINARY) + arguments;
  const std::string shell = "cd " + quoted(directory) + " && timeout -k 5 " +
                            std::to_string(k_hung_after_seconds) + " " + result.command + " >" + quoted(log) +
                            " 2>&1 </dev/null";
  const int status = std::system(shell.c_str());
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  result.log = content(log);
  return result;
}

} // namespace

RunResult run_reex(const fs::path& directory, const std::vector<std::string>& arguments) {
  const fs::path report = directory / "report.json";
  fs::remove(report);
  std::string line = " --format json:" + quoted(report);
  for (const std::string& argument : arguments) line += " " + quoted(argument);
  RunResult result = execute(directory, line);
  if (fs::exists(report)) result.report = nlohmann::json::parse(content(report), nullptr, false);
  return result;
}

RunResult run_verb(const fs::path& directory, const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += " " + quoted(argument);
  return execute(directory, line);
}

std::vector<fs::path> schedule_files(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().extension() == ".reex") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (fs::temp_directory_path() / "reex-corpus-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
  m_path = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

} // namespace reex::corpus
