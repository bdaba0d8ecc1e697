#include "bench/measure.h"
#include "reex/explorer/explore.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace reex::bench {
namespace {

constexpr unsigned k_rounds = 5;
constexpr std::uint64_t k_max_steps = 1000000;

using Clock = std::chrono::steady_clock;

bool quick() { return std::getenv("REEX_BENCH_QUICK") != nullptr; }

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double children_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

class Spawner {
public:
  explicit Spawner(const Program& program) : m_texts{program.binary} {
    m_texts.insert(m_texts.end(), program.arguments.begin(), program.arguments.end());
    if (!program.test_name.empty()) m_texts.push_back("--gtest_filter=" + program.test_name);
    for (std::string& text : m_texts) m_arguments.push_back(text.data());
    m_arguments.push_back(nullptr);
    posix_spawn_file_actions_init(&m_actions);
    posix_spawn_file_actions_addopen(&m_actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  ~Spawner() { posix_spawn_file_actions_destroy(&m_actions); }
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;

  void run() {
    pid_t pid = 0;
    if (const int error = posix_spawn(&pid, m_arguments[0], &m_actions, nullptr, m_arguments.data(), environ);
        error != 0)
      throw std::system_error(error, std::generic_category(), m_texts[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0) throw std::runtime_error(m_texts[0] + " fails by itself");
  }

private:
  std::vector<std::string> m_texts;
  std::vector<char*> m_arguments;
  posix_spawn_file_actions_t m_actions;
};

} // namespace

ExploreOptions options_for(const Program& program) {
  ExploreOptions options;
  options.binary = program.binary;
  options.arguments = program.arguments;
  options.test_name = program.test_name;
  if (!program.test_name.empty()) options.framework = Framework::googletest;
  options.strategy = SearchStrategy::random;
  options.bound = std::nullopt;
  options.seed = 1;
  options.max_steps = k_max_steps;
  options.runtime.library = REEX_RUNTIME_LIBRARY;
  return options;
}

Sample run_to_end(const ExploreOptions& options) {
  Observer observer;
  const double before = children_cpu_seconds();
  const TestRun run = explore(options, observer);
  if (run.error) throw std::runtime_error(run.binary + ": " + run.error.text);
  if (!run.failures.empty()) throw std::runtime_error(run.binary + " fails: " + run.failures[0].message);
  return {.seconds = run.wall_seconds,
          .cpu_seconds = children_cpu_seconds() - before,
          .executions = run.schedules,
          .isolation = run.control.isolation,
          .isolation_reason = run.control.isolation_reason};
}

Sample run_explored(const ExploreOptions& options, std::uint64_t schedules) {
  ExploreOptions limited = options;
  limited.max_schedules = schedules;
  const Sample sample = run_to_end(limited);
  if (sample.executions != schedules)
    throw std::runtime_error(options.binary + ": only " + std::to_string(sample.executions) + " schedules");
  return sample;
}

Sample run_plainly(const Program& program, std::uint64_t runs) {
  Spawner spawner(program);
  const double before = children_cpu_seconds();
  const auto start = Clock::now();
  for (std::uint64_t i = 0; i < runs; ++i) spawner.run();
  return {.seconds = std::chrono::duration<double>(Clock::now() - start).count(),
          .cpu_seconds = children_cpu_seconds() - before,
          .executions = runs,
          .isolation = "",
          .isolation_reason = ""};
}

double seconds_each(const Sample& sample, const Sample& single) {
  return (sample.seconds - single.seconds) / static_cast<double>(sample.executions - single.executions);
}

double cpu_seconds_each(const Sample& sample, const Sample& single) {
  return (sample.cpu_seconds - single.cpu_seconds) /
         static_cast<double>(sample.executions - single.executions);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

std::vector<std::vector<double>> take_turns(const std::vector<Variant>& variants) {
  std::vector<std::vector<double>> values(variants.size());
  const unsigned rounds = quick() ? 1 : k_rounds;
  for (unsigned round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < variants.size(); ++i) values[i].push_back(variants[i]());
  return values;
}

double median_ratio(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < above.size(); ++i) ratios.push_back(above[i] / below[i]);
  return median(std::move(ratios));
}

std::uint64_t scaled(std::uint64_t count) {
  return quick() ? std::max<std::uint64_t>(count / 100, 2) : count;
}

} // namespace reex::bench
