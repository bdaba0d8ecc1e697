#include "reex/replay/alignment.h"

#include <algorithm>
#include <map>

namespace reex {
namespace {

constexpr std::size_t k_most_cells = 16'000'000; // above this, operations are assumed to keep their ordinals

struct Step {
  std::string operation;
  std::string object;
  std::string location;
};
using Threads = std::map<int, std::vector<Step>>;

// How well two operations correspond; 0: not at all. The source position counts more than the object, whose
// name depends on the order in which the objects are first used.
int likeness(const Step& a, const Step& b) {
  if (a.operation != b.operation) return 0;
  return 1 + (a.object == b.object ? 1 : 0) + (a.location == b.location ? 2 : 0);
}

struct Place {
  std::uint32_t operation = 0; // ordinal of the counterpart or, without a counterpart, of the next operation
  bool found = false;
};

// The place in `to` for each operation of `from`, and for the end of `from`.
std::vector<Place> counterparts(const std::vector<Step>& from, const std::vector<Step>& to) {
  const std::size_t n = from.size();
  const std::size_t m = to.size();
  std::vector<Place> result(n + 1);
  if (n * m > k_most_cells) {
    for (std::size_t i = 0; i <= n; ++i) result[i] = {static_cast<std::uint32_t>(i), i < m};
    return result;
  }
  std::vector<int> best((n + 1) * (m + 1), 0); // the best sum for the operations from i and from j on
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return best[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;) {
      const int like = likeness(from[i], to[j]);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), like == 0 ? 0 : like + at(i + 1, j + 1)});
    }
  std::size_t j = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto matches = [&] {
      const int like = j < m ? likeness(from[i], to[j]) : 0;
      return like != 0 && at(i, j) == like + at(i + 1, j + 1);
    };
    while (j < m && !matches() && at(i, j) != at(i + 1, j)) ++j;
    result[i] = {static_cast<std::uint32_t>(j), matches()};
    if (result[i].found) ++j;
  }
  result[n].operation = static_cast<std::uint32_t>(j);
  return result;
}

std::string location_of(const TraceStep& step) {
  const Frame* frame = user_frame(step.stack);
  return frame == nullptr ? "" : frame->file + ":" + std::to_string(frame->line);
}

} // namespace

Alignment align_turns(const ScheduleFile& file, const std::vector<TraceStep>& seen) {
  Threads recorded;
  Threads now;
  for (const ScheduleFile::Step& step : file.steps)
    recorded[step.thread].push_back({step.operation, step.object, step.location});
  for (const TraceStep& step : seen)
    now[step.thread].push_back({step.operation, step.object, location_of(step)});
  std::map<int, std::vector<Place>> places;
  for (const auto& [thread, steps] : recorded) places[thread] = counterparts(steps, now[thread]);
  Alignment result;
  for (const Decision& decision : file.decisions) {
    if (decision.left < 0) continue;
    Turn turn = turn_of(decision);
    const std::vector<Place>& of_thread = places[decision.left];
    const std::uint32_t done = turn.operation;
    const bool found = (done < of_thread.size() && of_thread[done].found) ||
                       (done > 0 && done <= of_thread.size() && of_thread[done - 1].found);
    if (!found && done != 0) ++result.lost;
    if (done < of_thread.size()) turn.operation = of_thread[done].operation;
    result.turns.push_back(turn);
  }
  return result;
}

} // namespace reex
