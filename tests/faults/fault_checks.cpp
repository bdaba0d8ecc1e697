#include "tests/faults/fault_checks.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>

namespace reex::tool {

using namespace std::chrono_literals;

unsigned stride_of_calls(unsigned calls) {
  constexpr unsigned k_sample = 70;
  const char* chosen = std::getenv("REEX_FAULTS");
  const bool all = chosen != nullptr && std::string(chosen) == "all";
  return all ? 1 : std::max(1u, calls / k_sample);
}

std::string fault_of(int verdict, const TracedRun& ran, const std::string& claims,
                     const std::string& claims_undisturbed, const std::string& headline) {
  static const std::set<int> k_documented{0, 1, 2, 3, 4, 5, 6, 7, 70};
  if (!ran.ended) return "it does not end";
  if (!k_documented.contains(ran.status)) return "the status is not documented";
  if (ran.status == 1 - verdict) return "the verdict is wrong";
  const bool says_why = ran.output.find("\nreex: ") != std::string::npos ||
                        ran.output.starts_with("reex: ") || ran.output.starts_with(headline);
  if (ran.status != verdict && !ran.failed.starts_with("write") && !says_why) return "it says nothing";
  if (ran.status == 0 && claims != claims_undisturbed) return "it passes, and claims " + claims;
  return "";
}

bool is_left_alone(const Folder& folder) {
  const auto until = std::chrono::steady_clock::now() + 3s;
  while (!tool::processes_with(folder.path().string()).empty()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

} // namespace reex::tool
