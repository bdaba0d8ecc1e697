#include "impact/choose_heuristics.h"

#include <algorithm>
#include <string_view>

#include "impact/sources/lexical.h"

namespace reex {
namespace {

// So many points are in so many places that those with one on the stack are nearly everywhere.
constexpr std::size_t k_many_points = 60;

// What condition variables, and atomics, call to wait and to wake.
constexpr std::string_view k_waits[] = {"wait",
                                        "wait_for",
                                        "wait_until",
                                        "notify_one",
                                        "notify_all",
                                        "pthread_cond_wait",
                                        "pthread_cond_timedwait",
                                        "pthread_cond_signal",
                                        "pthread_cond_broadcast",
                                        "cnd_wait",
                                        "cnd_signal",
                                        "cnd_broadcast"};

bool has_wait(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return std::any_of(std::begin(k_waits), std::end(k_waits),
                       [&](std::string_view word) { return impact::has_word(line, word); });
  });
}

bool changes_wait(const FileChange& change) {
  return std::any_of(change.hunks.begin(), change.hunks.end(),
                     [](const Hunk& hunk) { return has_wait(hunk.removed) || has_wait(hunk.added); });
}

bool is_of_lock(const CodePoint& point) {
  return std::any_of(point.why.begin(), point.why.end(),
                     [](const Cause& cause) { return cause.reason == "lock region"; });
}

} // namespace

HeuristicChoice choose_heuristics(const Impact& impact) {
  const auto& points = impact.points;
  HeuristicChoice choice;
  const auto add = [&choice](std::string_view name, std::string_view why) {
    if (!choice.names.empty()) choice.names += '+';
    choice.names += name;
    if (why.empty()) return;
    if (!choice.why.empty()) choice.why += ", ";
    choice.why += why;
  };
  if (points.size() > k_many_points)
    add("LA", "many code points");
  else
    add("LOA", "");
  const bool fields =
      std::any_of(points.begin(), points.end(), [](const CodePoint& point) { return !point.field.empty(); });
  if (!fields) {
    choice.why += choice.why.empty() ? "no field is impacted" : ", no field is impacted";
    return choice;
  }
  if (std::any_of(points.begin(), points.end(), is_of_lock)) add("FA", "a lock changed");
  if (std::any_of(impact.changes.begin(), impact.changes.end(), changes_wait))
    add("FS", "a wait or a notification changed");
  return choice;
}

} // namespace reex
