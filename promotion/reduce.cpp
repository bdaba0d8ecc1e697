#include "promotion/reduce.h"

#include <algorithm>
#include <map>

#include "reex/imunit/grammar.h"

namespace reex::promotion {
namespace {

class Reducer {
public:
  Reducer(const Plan& plan, const Judge& judge) : m_plan(plan), m_judge(judge) {}

  Reduction reduce() {
    begin();
    if (m_best.quality != Quality::none) {
      leave_out();
      move_outwards();
      leave_out();
    }
    m_best.asked = static_cast<unsigned>(m_known.size());
    return m_best;
  }

private:
  Quality judge(const Selection& selection) {
    const std::string text = schedule_text(m_plan, selection);
    if (text.empty()) return Quality::none; // it is no schedule
    if (!imunit::parse(text.c_str(), static_cast<unsigned>(text.size())).ok())
      return Quality::none; // a cycle
    const auto [at, is_new] = m_known.try_emplace(text, Quality::none);
    if (is_new) at->second = m_judge(text);
    return at->second;
  }

  // Takes the selection if it is at least as good as the best one.
  bool take(const Selection& selection) {
    const Quality quality = judge(selection);
    if (quality == Quality::none || quality < m_best.quality) return false;
    m_best.selection = selection;
    m_best.quality = quality;
    return true;
  }

  // The innermost places first. If an execution needs another one, the places are tried one by one; and then
  // with fewer orderings.
  void begin() {
    Selection all(m_plan.constraints.size(), Choice{});
    if (take(all) && m_best.quality == Quality::robust) return;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (m_plan.constraints[i].joins) all[i].reset();
    if (take(all) && m_best.quality == Quality::robust) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t b = 0; b < m_plan.constraints[i].before.size(); ++b) {
        if (m_best.quality == Quality::robust) return;
        Selection other = m_best.selection.empty() ? all : m_best.selection;
        if (other[i]) other[i]->before = b;
        take(other);
      }
    }
    for (std::size_t i = 0; i < all.size() && m_best.quality != Quality::robust; ++i) {
      Selection without = all;
      without[i].reset();
      if (without != all) take(without);
    }
    for (std::size_t i = 0; i < all.size() && m_best.quality != Quality::robust; ++i) {
      Selection alone(all.size());
      alone[i] = Choice{};
      take(alone);
    }
  }

  void leave_out() {
    for (std::size_t chunk = m_best.selection.size(); chunk > 0; chunk /= 2)
      for (std::size_t end = m_best.selection.size(); end >= chunk; end -= chunk) {
        Selection without = m_best.selection;
        for (std::size_t i = end - chunk; i < end; ++i) without[i].reset();
        if (without != m_best.selection) take(without);
      }
  }

  void move_outwards() {
    for (std::size_t i = 0; i < m_best.selection.size(); ++i) {
      if (!m_best.selection[i]) continue;
      const Constraint& constraint = m_plan.constraints[i];
      outermost(constraint.before, [&](Selection& to, std::size_t at) { to[i]->before = at; });
      outermost(constraint.after, [&](Selection& to, std::size_t at) { to[i]->after = at; });
    }
  }

  // Takes the place with the fewest frames around it that is good enough.
  template <typename Set>
  void outermost(const std::vector<Moment>& moments, const Set& set) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < moments.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return moments[a].depth < moments[b].depth; });
    for (const std::size_t at : order) {
      Selection moved = m_best.selection;
      set(moved, at);
      if (moved == m_best.selection || take(moved)) return;
    }
  }

  const Plan& m_plan;
  const Judge& m_judge;
  std::map<std::string, Quality> m_known;
  Reduction m_best;
};

} // namespace

Reduction reduce(const Plan& plan, const Judge& judge) { return Reducer(plan, judge).reduce(); }

} // namespace reex::promotion
