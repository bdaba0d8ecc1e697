#include "reex/explorer/identity.h"

#include <algorithm>
#include <sys/stat.h>

#include "reex/run/sha256.h"
#include "reex/run/version.h"

namespace reex {
namespace {

// Each array has the order of its enumeration.
constexpr const char* k_accesses[] = {"sync", "racy", "all"};
constexpr const char* k_races[] = {"off", "report", "changed", "fail"};
constexpr const char* k_reductions[] = {"none", "auto", "hb"};
constexpr const char* k_interesting[] = {"shared", "impacted"};

template <std::size_t N, typename T>
const char* name_of(const char* const (&names)[N], T value) {
  return names[static_cast<std::size_t>(value)];
}

template <typename T>
std::string number_or_none(const std::optional<T>& number) {
  return number ? std::to_string(*number) : "none";
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

} // namespace

std::string digest_of(const std::vector<PromotedAccess>& accesses) {
  std::vector<std::string> lines;
  for (const PromotedAccess& access : accesses)
    lines.push_back(access.module + ' ' + std::to_string(access.offset) + '\n');
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text.empty() ? "" : sha256_hex(text);
}

std::string state_of_file(const std::string& path) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) return "";
  std::string text;
  for (const long long number :
       {static_cast<long long>(file.st_dev), static_cast<long long>(file.st_ino),
        static_cast<long long>(file.st_size), static_cast<long long>(file.st_mtim.tv_sec),
        static_cast<long long>(file.st_mtim.tv_nsec), static_cast<long long>(file.st_ctim.tv_sec),
        static_cast<long long>(file.st_ctim.tv_nsec)})
    text += (text.empty() ? "" : ":") + std::to_string(number);
  return text;
}

std::vector<std::pair<std::string, std::string>> identity_of(const ExploreOptions& options) {
  const StrategyRow& strategy = row_of(options.strategy);
  std::vector<std::pair<std::string, std::string>> identity = {
      {"version of reex", version()},
      {"build of the test", digest_of_file(options.binary)},
      {"change", options.change_name.empty() ? "none" : sha256_hex(options.change_name)},
      {"--strategy", std::string(strategy.name)},
      {"--bound", number_or_none(options.bound) + (options.deepens ? " or more" : "")},
      {"--heuristic", options.heuristic.empty() ? "Basic" : options.heuristic},
      {"--iterations", options.iterations == 0 ? "all" : std::to_string(options.iterations)},
      {"--seed", std::to_string(options.seed)},
      {"--schedules", number_or_none(options.max_schedules)},
      {"--slice", std::to_string(options.slice)},
      {"--patience", options.patience ? std::to_string(*options.patience) : "auto"},
      {"--max-steps", std::to_string(options.max_steps) + (options.first_max_steps != 0 ? " or more" : "")},
      {"--memory-limit", number_or_none(options.memory_limit)},
      {"--keep-going", std::to_string(options.keep_going)},
      {"--accesses", name_of(k_accesses, options.accesses)},
      {"--races", name_of(k_races, options.races)},
      {"--reduction", name_of(k_reductions, options.reduction)},
      {"--timeouts", yes_or_no(options.timeouts)},
      {"--sleeps", options.sleeps_any ? "any" : "timed"},
      {"--spurious", yes_or_no(options.spurious)},
      {"--reuse", yes_or_no(options.reuse)},
      {"--outcomes", yes_or_no(options.collect_outcomes)},
      {"--promote-from", digest_of(options.promoted)},
      {"--profile", options.profile ? options.profile->digest : "none"},
  };
  if (strategy.takes_depth) identity.emplace_back("--depth", std::to_string(options.depth));
  if (strategy.takes_interesting)
    identity.emplace_back("--interesting", name_of(k_interesting, options.interesting));
  return identity;
}

} // namespace reex
