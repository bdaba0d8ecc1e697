// Runs the reex command line in a folder of its own and reads what it reports.
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

// `arguments` stand between the report's option and the end of the line. REEX_BINARY in the environment
// chooses another executable.
RunResult run_reex(const std::filesystem::path& directory, const std::vector<std::string>& arguments);

// Without a report: replay and the like. The verb is the first argument.
RunResult run_verb(const std::filesystem::path& directory, const std::vector<std::string>& arguments);

// The schedule files that runs left below `directory`.
std::vector<std::filesystem::path> schedule_files(const std::filesystem::path& directory);

// A new, empty folder; removed with the object.
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
