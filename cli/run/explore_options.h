// What the command line has given, as the options of an exploration.
#pragma once

#include "cli/run/explore_tests.h"
#include "reex/run/options.h"

namespace reex {

// Those that all tests of the binary have in common.
ExploreOptions base_options(const ExploreTests& job);

// The order of exploration, by the change as far as it is known.
void set_order(ExploreOptions& explore, const ExploreTests& job);

} // namespace reex
