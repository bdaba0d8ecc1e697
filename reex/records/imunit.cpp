#include "reex/records/imunit.h"

#include "reex/records/checked.h"
#include "reex/shared/limits.h"

namespace reex {
namespace {

constexpr Checked k_checked("imunit");

std::uint64_t executions(const std::atomic<std::uint64_t>& place, const char* what) {
  return k_checked.at_most(place.load(std::memory_order_relaxed), k_most_executions, what);
}

} // namespace

std::string read_imunit_text(const ImunitRecord& shared) {
  if (!k_checked.flag(shared.used, "the mark of a schedule")) return "";
  const std::vector<char> text =
      fetch_all(shared.text, k_checked.at_most(fetch(shared.length), imunit::k_max_text - 1,
                                               "the length of the schedule"));
  return {text.begin(), text.end()};
}

std::vector<PlaceCopy> read_places(const ImunitRecord& shared) {
  std::vector<PlaceCopy> places;
  const std::uint32_t count = k_checked.at_most(shared.places.load(std::memory_order_acquire),
                                                k_imunit_places, "the number of places");
  for (std::uint32_t i = 0; i < count; ++i)
    places.push_back({.function = k_checked.line(shared.place[i].function, "the function of a place"),
                      .from = k_checked.line(shared.place[i].from, "the caller of a place")});
  return places;
}

ImunitCopy read_imunit(const ImunitRecord& shared) {
  ImunitCopy copy;
  copy.used = k_checked.flag(shared.used, "the mark of a schedule");
  copy.stuck = executions(shared.stuck, "the number of stuck executions");
  if (!copy.used) return copy;
  const std::string text = read_imunit_text(shared);
  copy.schedule = imunit::parse(text.c_str(), static_cast<unsigned>(text.size()));
  if (!copy.schedule.ok()) k_checked.damaged("the schedule has an error");
  copy.several = k_checked.flag(shared.several, "the mark of several schedules");
  copy.infeasible = k_checked.flag(shared.infeasible, "the mark of an infeasible schedule");
  copy.checks = k_checked.flag(shared.checks, "the mark of the checking mode");
  copy.name = k_checked.line(shared.name, "the name of the schedule");
  copy.satisfied = executions(shared.satisfied, "the number of executions that satisfied the schedule");
  copy.reached = fetch(shared.reached);
  copy.held = fetch(shared.held);
  copy.unknown = fetch(shared.unknown);
  copy.positions = fetch_all(shared.position, k_checked.at_most(fetch(shared.positions), k_imunit_positions,
                                                                "the number of positions"));
  for (const ImunitPosition& position : copy.positions) {
    k_checked.enumerator(position.operation, k_last_operation, "the operation of a position");
    k_checked.at_most(position.thread, k_max_created - 1, "the thread of a position");
    if (position.ordering >= static_cast<int>(copy.schedule.orderings))
      k_checked.damaged("an ordering is not there");
  }
  return copy;
}

} // namespace reex
