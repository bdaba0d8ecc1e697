// Schedules that are followed in memory before they are executed, or instead.
#include "reex/search/search.h"

namespace reex {

bool Search::can_follow() const {
  return explores() && m_run.tail != 0 && m_config.reduction != Reduction::none && !wants_events() &&
         !is_refuted() && !is_distrusted();
}

void Search::commit_followed() { end_execution(false, false); }

// What was found on the way stays found. Within the plan there was nothing to find.
void Search::execute_followed() {
  if (m_run.decision_count < m_run.plan_count) {
    m_run.path = {};
  } else {
    m_run.plan_count = m_run.decision_count;
    m_run.followed = m_run.point;
    m_run.check_hash = false;
  }
  m_run.decision_count = m_run.point = m_run.preemptions = 0;
  m_run.threads = 1;
}

void Search::distrust_foresight() {
  __atomic_store_n(&m_state.distrusted, true, __ATOMIC_SEQ_CST);
  if (m_state.followed != 0 || is_followed())
    __atomic_store_n(&m_state.apart.starts_over, true, __ATOMIC_SEQ_CST);
}

bool Search::is_distrusted() const { return __atomic_load_n(&m_state.distrusted, __ATOMIC_SEQ_CST); }

} // namespace reex
