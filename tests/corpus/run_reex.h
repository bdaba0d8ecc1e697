// Runs the reex command line in its own folder and reads the report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace reex::corpus {

struct RunResult {
  std::string command;
  int exit = -1;         // -1: ended by a signal
  std::string log;       // standard output and standard error
  nlohmann::json report; // null if none was written
};

// `arguments` follow the option for the report. REEX_BINARY in the environment selects another executable.
RunResult run_reex(const std::filesystem::path& directory, const std::vector<std::string>& arguments);

// Runs a verb that writes no report, such as replay. The verb is the first argument.
RunResult run_verb(const std::filesystem::path& directory, const std::vector<std::string>& arguments);

// The schedule files that runs have left below `directory`.
std::vector<std::filesystem::path> schedule_files(const std::filesystem::path& directory);

// A new, empty folder. The destructor removes it.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
};

} // namespace reex::corpus
