// Runs the reex command line on a program, in its own folder, and reads the report.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace reex::tool {

// A new, empty folder. The destructor removes it.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

private:
  std::filesystem::path m_path;
};

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

struct Ran {
  std::string command;
  int status = -1;       // exit status; 128 + N for a signal
  std::string output;    // standard output and standard error
  nlohmann::json report; // `discarded` if none was written
  double seconds = 0;
};

// The text that a failed expectation shows.
std::string describe(const Ran& ran);

// A command that is running, in its own process group. The destructor kills it.
class Running {
public:
  Running(const Folder& folder, const Words& command, const Variables& environment = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  pid_t pid() const { return m_pid; }
  Ran wait(std::chrono::seconds limit = std::chrono::seconds(100)); // kills it at the limit
  std::string output() const;                                       // so far

private:
  void end(int status);
  pid_t m_pid = -1;
  bool m_ended = false;
  std::filesystem::path m_output;
  std::filesystem::path m_report;
  std::chrono::steady_clock::time_point m_start;
  Ran m_ran;
};

// The command line of an exploration with a report. `program` includes the program's own arguments.
Words explore_command(const Folder& folder, const Words& options, const Words& program);
Ran explore(const Folder& folder, const Words& options, const Words& program,
            const Variables& environment = {});
// Runs any other command of reex.
Ran command(const Folder& folder, const Words& words, const Variables& environment = {});
std::string reex_binary();

// The outcomes of a report in short form: "text", "text (deadlock)", "text (exit 3)"; line ends become
// blanks.
struct Seen {
  unsigned count = 0;
  unsigned preemptions = 0;
  bool operator==(const Seen&) const = default;
};
using Outcomes = std::map<std::string, Seen>;
Outcomes outcomes_of(const nlohmann::json& report);
std::map<std::string, unsigned> fewest_preemptions_of(const nlohmann::json& report); // by outcome
void PrintTo(const Seen& seen, std::ostream* out);

// The first seed of tests that draw programs: 1, or what REEX_SEED says.
unsigned first_seed();

// The processes whose command line contains the word.
std::vector<pid_t> processes_with(const std::string& word);

std::string read_file(const std::filesystem::path& path);
std::vector<std::filesystem::path> schedule_files(const std::filesystem::path& folder);

} // namespace reex::tool
