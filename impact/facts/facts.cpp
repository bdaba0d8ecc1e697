#include "impact/facts/facts.h"

#include <algorithm>

namespace reex::impact {

bool Region::contains(unsigned line) const {
  return first <= line && line <= last && std::none_of(gaps.begin(), gaps.end(), [&](const Gap& gap) {
           return gap.first <= line && line <= gap.last;
         });
}

std::vector<unsigned> Region::lines() const {
  std::vector<unsigned> found;
  for (unsigned line = first; line <= last; ++line)
    if (contains(line)) found.push_back(line);
  return found;
}

void merge(Program& into, Program&& from) {
  for (auto& [path, facts] : from) {
    FileFacts& target = into[path];
    target.functions.merge(facts.functions);
    target.classes.merge(facts.classes);
    target.accesses.merge(facts.accesses);
    target.calls.merge(facts.calls);
    target.regions.merge(facts.regions);
    target.half_regions.merge(facts.half_regions);
    target.lives.merge(facts.lives);
    target.statements.merge(facts.statements);
    target.declarations.merge(facts.declarations);
    target.shapes.merge(facts.shapes);
    target.uses.merge(facts.uses);
    target.nodes.merge(facts.nodes);
    target.decisions.merge(facts.decisions);
    target.values.merge(facts.values);
    target.orders.merge(facts.orders);
    target.results.merge(facts.results);
    target.writes.merge(facts.writes);
    target.given.merge(facts.given);
    target.waits.merge(facts.waits);
    target.indirect.merge(facts.indirect);
    target.starts.merge(facts.starts);
    target.guarded.merge(facts.guarded);
    target.jumps.merge(facts.jumps);
    target.throws.merge(facts.throws);
    target.attempts.merge(facts.attempts);
    for (auto& [extent, fields] : facts.positions) target.positions[extent].merge(fields);
  }
}

} // namespace reex::impact
