// What a run costs beside what it is for: one schedule beside the test's own run, and the analysis of a
// change beside `clang -fsyntax-only` of the same unit, with and without the caches.
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/measure.h"

namespace {

using namespace reex::bench;
namespace fs = std::filesystem;

// Of the processor.
double seconds_of(const std::string& program, const std::vector<std::string>& arguments) {
  return run_plainly({.binary = program, .arguments = arguments, .test_name = ""}, 1).cpu_seconds;
}

// A repository with one commit, and a change of it that is not committed.
class Project {
public:
  Project(const std::string& before, const std::string& now) {
    std::string pattern = (fs::temp_directory_path() / "reex-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    m_root = fs::canonical(pattern).string();
    write("queue.cpp", before);
    write("compile_commands.json",
          "[{\"directory\": \"" + m_root +
              "\", \"file\": \"queue.cpp\", \"command\": " + "\"c++ -std=c++20 -c queue.cpp\"}]\n");
    run("git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -q -m first");
    write("queue.cpp", now);
  }
  ~Project() {
    std::error_code error;
    fs::remove_all(m_root, error);
  }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  double syntax() const {
    return seconds_of("/usr/bin/clang++", {"-fsyntax-only", "-std=c++20", m_root + "/queue.cpp"});
  }
  double cold() const {
    fs::remove_all(m_root + "/.reex");
    return impact();
  }
  // As after another commit: no facts are kept, but the precompiled headers are.
  double next() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(m_root + "/.reex/cache"))
      if (entry.is_regular_file()) fs::remove(entry);
    return impact();
  }
  double impact() const {
    return seconds_of(REEX_BENCH_REEX, {"impact", "--base", "HEAD", "--repo", m_root});
  }

private:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(m_root + "/" + name) << text;
  }
  void run(const std::string& command) const {
    if (std::system(("cd " + m_root + " && " + command).c_str()) != 0) throw std::runtime_error(command);
  }

  std::string m_root;
};

// Small, with seven headers of the standard library.
std::string small_source(const std::string& put) {
  return "#include <condition_variable>\n#include <deque>\n#include <functional>\n#include <mutex>\n"
         "#include <string>\n#include <thread>\n#include <vector>\n"
         "class Queue {\npublic:\n  void put(const std::string& item) {\n"
         "    std::lock_guard lock(m_mutex);\n    " +
         put +
         ";\n  }\nprivate:\n  std::mutex m_mutex;\n  std::deque<std::string> m_items;\n};\n"
         "int main() {\n  Queue queue;\n  std::vector<std::thread> threads;\n"
         "  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { queue.put(\"a\"); });\n"
         "  for (auto& thread : threads) thread.join();\n}\n";
}

// Large, without a header: functions that lock by a function of their own, and follow from each other.
std::string large_source(const std::string& changed) {
  constexpr int k_functions = 2000;
  std::string text =
      "struct Store { void lock(); void unlock(); int value; int other; };\n"
      "extern \"C\" int pthread_mutex_lock(void*);\nextern \"C\" int pthread_mutex_unlock(void*);\n"
      "void Store::lock() { pthread_mutex_lock(this); }\n"
      "void Store::unlock() { pthread_mutex_unlock(this); }\nint f0(Store&) { return " +
      changed + "; }\n";
  for (int i = 1; i <= k_functions; ++i) {
    const std::string number = std::to_string(i);
    text += "int f" + number + "(Store& store) {\n  store.lock();\n  int sum = store.value;\n  if (sum > " +
            number + ")\n    store.value = f" + std::to_string(i / 2) +
            "(store);\n  else\n    store.other +=\n        sum;\n" + "  store.unlock();\n  return sum;\n}\n";
  }
  return text;
}

void one_schedule(benchmark::State& state) try {
  const fs::path folder = fs::temp_directory_path() / ("reex-bench-" + std::to_string(getpid()));
  for ([[maybe_unused]] const auto once : state) {
    const auto each =
        take_turns({[] { return seconds_of(REEX_BENCH_MUTEX_GTEST, {}); },
                    [&] {
                      return seconds_of(REEX_BENCH_REEX, {"--schedules", "1", "--strategy", "random", "-q",
                                                          "-o", folder.string(), REEX_BENCH_MUTEX_GTEST});
                    },
                    [] { return seconds_of(REEX_BENCH_REEX, {"--version"}); }});
    state.counters["own_ms"] = 1e3 * median(each[0]);
    state.counters["schedule_over_own"] = median_ratio(each[1], each[0]);
    state.counters["version_over_own"] = median_ratio(each[2], each[0]);
  }
  std::error_code error;
  fs::remove_all(folder, error);
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

void analysis(benchmark::State& state, const std::string& before, const std::string& now) try {
  const Project project(before, now);
  for ([[maybe_unused]] const auto once : state) {
    const auto each = take_turns({[&] { return project.syntax(); }, [&] { return project.cold(); },
                                  [&] { return project.next(); }, [&] { return project.impact(); }});
    state.counters["syntax_only_ms"] = 1e3 * median(each[0]);
    state.counters["cold_over_syntax_only"] = median_ratio(each[1], each[0]);
    state.counters["next_over_syntax_only"] = median_ratio(each[2], each[0]);
    state.counters["warm_over_syntax_only"] = median_ratio(each[3], each[0]);
  }
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

BENCHMARK(one_schedule)->Name("change/one_schedule")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analysis, small, small_source("m_items.push_back(item)"),
                  small_source("m_items.push_front(item)"))
    ->Name("change/analysis/small")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analysis, large, large_source("1"), large_source("2"))
    ->Name("change/analysis/large")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

} // namespace
