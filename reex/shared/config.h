// Record "config": what the test process is told to do. The parent writes it before the test starts and keeps
// a copy of its own. Nobody writes it afterwards.
#pragma once

#include <cstdint>

#include "reex/frameworks/framework.h"
#include "reex/search/search.h"

namespace reex {

enum class IsolationMode : std::uint8_t { automatic, restore, fork };
enum class Task : std::uint8_t { explore, replay };
// The plain accesses that are visible operations: none, those that took part in a data race, all.
enum class VisibleAccesses : std::uint8_t { sync, racy, all };

struct RunConfig {
  Task task = Task::explore;
  IsolationMode isolation = IsolationMode::automatic;
  VisibleAccesses accesses = VisibleAccesses::sync;
  bool races = false;    // look for data races
  bool promotes = false; // plain accesses that race become visible operations
  bool timeouts = false;
  bool sleeps_any = false; // a sleep may return at once
  bool spurious = false;
  bool reuse = false;           // whether a thread gets what it has freed again is a choice
  bool code_is_entered = false; // from the start, libraries without hooks are as if somebody were in them
  bool collect_outcomes = false;
  Framework framework = Framework::none; // of the test, whose failed checks are told apart
  SearchConfig search;
  std::uint64_t max_schedules = 0; // 0: no limit
  std::uint64_t max_steps = 0;
  std::uint32_t slice = 0;           // visible operations of a time slice
  std::uint32_t patience = 0;        // slices in which time stands still although somebody waits for it
  bool learns_patience = false;      // by the first execution: runtime/worker/patience.h
  std::uint64_t first_max_steps = 0; // not 0: `max_steps` is not the user's; runtime/worker/step_limit.h
  std::uint64_t gives_way_after = 0; // visible operations of the first execution; 0: never
  std::uint64_t memory_limit = 0;    // bytes of the heap that an execution may add; 0: no limit
  std::uint32_t keep_going = 1;      // distinct failures; 0: no limit
};

} // namespace reex
