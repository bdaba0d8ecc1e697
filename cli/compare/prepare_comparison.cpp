#include "cli/compare/prepare_comparison.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/native/native_process.h"
#include "cli/run/reex_folder.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

int wait_for(NativeProcess& process) {
  constexpr std::chrono::milliseconds k_slice{5};
  std::optional<int> status;
  while (!(status = process.ended())) {
    if (interruption_requested())
      throw CommandError(ExitStatus::interrupted, "interrupted before the first run");
    std::this_thread::sleep_for(k_slice);
  }
  return *status;
}

std::string error_line(const std::string& tail) {
  const std::size_t at = tail.rfind("reex: ");
  return at == std::string::npos ? tail : tail.substr(at + 6);
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(": ") + 2));
  return "";
}

} // namespace

std::string make_compare_folder(const CompareSubject& subject, const std::string& identity) {
  constexpr std::size_t k_digits = 12;
  const fs::path failures = make_failures_folder(subject.root, "compare");
  const fs::path folder = failures.parent_path() / identity.substr(0, k_digits);
  std::error_code error;
  fs::remove(failures, error); // runs have folders of their own
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("{} cannot be made ({}): choose another folder with -o DIR", folder.string(),
                                 error.message()));
  return folder.string();
}

ResultsHead analyse_change(const CompareSubject& subject, const std::string& folder) {
  const std::string report = folder + "/impact.json";
  std::error_code ignored;
  fs::remove_all(folder + "/analysis", ignored);
  fs::create_directories(folder + "/analysis", ignored);
  NativeProcess process(words_of_analysis(subject, folder + "/analysis", report), {usable_cpus()});
  const int status = wait_for(process);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw CommandError(WIFEXITED(status) ? static_cast<ExitStatus>(WEXITSTATUS(status))
                                         : ExitStatus::internal,
                       error_line(process.tail()));
  std::ifstream file(report, std::ios::binary);
  const auto json = nlohmann::json::parse(file);
  ResultsHead head;
  head.started = now_in_utc();
  head.impacted_points = json.at("points").size();
  head.auto_heuristic = json.at("auto_heuristic");
  head.analysis = {process.processor_seconds(), json.at("units").at("parsed"), json.at("units").at("cached")};
  if (head.impacted_points == 0)
    throw CommandError(
        ExitStatus::inconclusive,
        "the change has no impact on the test, so all heuristics are Basic: there is nothing to compare");
  return head;
}

std::string make_slot(const std::string& folder, unsigned slot) {
  const fs::path path = fs::path(folder) / fmt::format("slot-{}", slot);
  std::error_code error;
  fs::create_directories(path / ".reex", error);
  const fs::path cache = fs::path(folder) / "analysis" / ".reex" / "cache";
  if (!error && fs::exists(cache) && !fs::exists(path / ".reex" / "cache"))
    fs::copy(cache, path / ".reex" / "cache", fs::copy_options::recursive, error);
  if (error)
    throw UsageError(fmt::format("{} cannot be made ({}): choose another folder with -o DIR", path.string(),
                                 error.message()));
  return path.string();
}

Machine this_machine() {
  utsname names = {};
  uname(&names);
  return {fmt::format("{} {} {}", names.sysname, names.release, names.machine), processor_name(),
          static_cast<unsigned>(usable_cpus().size())};
}

} // namespace reex
