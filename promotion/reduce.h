// Makes a schedule as small and as far outside as its quality allows: it leaves out orderings, and moves
// events outwards, from the code under test to the test.
//
// Callers: the command. Each question to `quality` is an exploration of the test; equal schedules are asked
// once.
//
// Source: the wish of Jagannath 2012, chapter 6: "concise in terms of the number of orderings required to
// reliably reproduce". Orderings are left out as in Zeller and Hildebrandt's ddmin, one by one at its end.
#pragma once

#include <functional>

#include "promotion/events.h"

namespace reex::promotion {

enum class Quality : std::uint8_t {
  none,   // the first execution under the schedule does not fail so
  first,  // it does
  forced, // each execution that obeys the schedule does; there are others, which are stuck
  robust, // each execution that obeys the schedule does
};

struct Reduction {
  Selection selection;
  Quality quality = Quality::none;
  unsigned asked = 0;
};

using Judge = std::function<Quality(const std::string& schedule)>;

// none: no selection of the plan's orderings reproduces the failure.
Reduction reduce(const Plan& plan, const Judge& judge);

} // namespace reex::promotion
