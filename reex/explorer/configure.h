// What the control block is told to do, from the options of an exploration.
#pragma once

#include "reex/explorer/explore.h"
#include "reex/shared/control.h"

namespace reex {

void configure(RunConfig& config, const ExploreOptions& options);
void configure_member(RunConfig& config, const PortfolioMember& member); // after configure()

} // namespace reex
