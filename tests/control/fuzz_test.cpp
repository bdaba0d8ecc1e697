// reex outlives any test: whatever a test writes into the memory that they share, reex ends with a documented
// status, in time, with little memory, and harms nobody else. REEX_FUZZ_SEEDS: how many seeds.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::control_test {
namespace {

namespace fs = std::filesystem;
using namespace reex::tool;
using Clock = std::chrono::steady_clock;

constexpr unsigned k_default_seeds = 240;
constexpr std::chrono::seconds k_deadline{20};
constexpr long k_most_kilobytes = 1024L * 1024;

// A process that nobody may signal.
class Sentinel {
public:
  Sentinel() : m_pid(fork()) {
    if (m_pid != 0) return;
    for (;;) pause();
  }
  ~Sentinel() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Sentinel(const Sentinel&) = delete;
  Sentinel& operator=(const Sentinel&) = delete;
  pid_t pid() const { return m_pid; }
  bool is_alive() const { return waitpid(m_pid, nullptr, WNOHANG) == 0; }

private:
  pid_t m_pid;
};

struct Measured {
  int status = -1; // 128 + N for a signal
  bool in_time = false;
  long kilobytes = 0;
  double seconds = 0;
  std::string output;
};

// The most that the process has had so far. What wait4 tells would contain the processes of the test.
long most_kilobytes_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

Measured run(const Words& words, const fs::path& folder, const fs::path& output) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto start = Clock::now();
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
    setenv("TMPDIR", (folder / "tmp").c_str(), 1);
    if (chdir((folder / "work").c_str()) != 0) _exit(126);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  Measured measured;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (Clock::now() - start > k_deadline) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      break;
    }
    measured.kilobytes = std::max(measured.kilobytes, most_kilobytes_of(pid));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  measured.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  measured.in_time = Clock::now() - start <= k_deadline;
  measured.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  measured.output = read_file(output);
  return measured;
}

Words command_for(std::uint64_t seed, const fs::path& folder, const Sentinel& sentinel,
                  const std::string& mark) {
  Words words{reex_binary(),
              "--format",
              "text,json:" + (folder / "report.json").string(),
              "-o",
              (folder / "out").string(),
              "--budget",
              "1s",
              "--hang-after",
              "200ms",
              "--bound",
              "1",
              "-k",
              seed % 2 == 0 ? "0" : "1"};
  if (seed % 3 != 1) words.emplace_back("--outcomes");
  if (seed % 7 == 3) words.insert(words.end(), {"--isolation", "fork"});
  if (seed % 5 == 0) words.insert(words.end(), {"--jobs", "2"});
  words.insert(words.end(),
               {REEX_SCRIBBLER, "--", std::to_string(seed), std::to_string(sentinel.pid()), mark});
  return words;
}

// The processes of the test were killed before reex ended; the kernel may still be at it.
bool ends_soon(const std::string& mark) {
  for (unsigned tries = 0; tries < 100; ++tries) {
    if (processes_with(mark).empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

unsigned seeds() {
  const char* wanted = std::getenv("REEX_FUZZ_SEEDS");
  return wanted == nullptr ? k_default_seeds : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

std::uint64_t first_seed() {
  const char* wanted = std::getenv("REEX_FUZZ_FIRST");
  return wanted == nullptr ? 0 : std::strtoull(wanted, nullptr, 10);
}

TEST(Control, OutlivesADamagedBlock) {
  const std::set<int> documented = {0, 1, 3, 4, 5, 70};
  const Sentinel sentinel;
  unsigned damaged = 0;
  long most_kilobytes = 0;
  double most_seconds = 0;
  const auto start = Clock::now();
  const unsigned count = seeds();
  for (std::uint64_t seed = first_seed(); seed < first_seed() + count; ++seed) {
    const Folder folder;
    for (const char* name : {"out", "work", "tmp"}) fs::create_directory(folder / name);
    const std::string mark = "scribbler-" + std::to_string(getpid()) + "-" + std::to_string(seed);
    const Words words = command_for(seed, folder.path(), sentinel, mark);
    const Measured measured = run(words, folder.path(), folder / "output.txt");
    std::string command;
    for (const std::string& word : words) command += word + ' ';
    SCOPED_TRACE("seed " + std::to_string(seed) + ", status " + std::to_string(measured.status) + "\n$ " +
                 command + "\n" + measured.output);
    most_kilobytes = std::max(most_kilobytes, measured.kilobytes);
    most_seconds = std::max(most_seconds, measured.seconds);
    EXPECT_TRUE(measured.in_time);
    EXPECT_TRUE(documented.contains(measured.status));
    EXPECT_LT(measured.kilobytes, k_most_kilobytes);
    if (measured.status == 70) { // reex has said so itself: no exception went through it
      EXPECT_NE(measured.output.find("ERROR control_scribbler"), std::string::npos);
    }
    ASSERT_TRUE(sentinel.is_alive());
    if (measured.output.find("the test has overwritten reex's memory") != std::string::npos) {
      ++damaged;
      EXPECT_TRUE(measured.status == 70 || measured.status == 4);
    }
    const bool reported = fs::exists(folder / "report.json");
    const std::string report = reported ? read_file(folder / "report.json") : "{}";
    EXPECT_TRUE(nlohmann::json::accept(report));
    EXPECT_TRUE(fs::is_empty(folder / "work"));
    EXPECT_TRUE(fs::is_empty(folder / "tmp"));
    for (const auto& entry : fs::directory_iterator(folder.path()))
      EXPECT_TRUE((std::set<std::string>{"out", "work", "tmp", "report.json", "output.txt"})
                      .contains(entry.path().filename().string()))
          << entry.path();
    EXPECT_TRUE(ends_soon(mark));
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::printf("%u seeds in %.1f s, the slowest %.1f s; %u were found damaged; at most %ld MB\n", count,
              seconds, most_seconds, damaged, most_kilobytes / 1024);
  EXPECT_GE(damaged, count / 4);
}

} // namespace
} // namespace reex::control_test
