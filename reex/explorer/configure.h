// What the control block is told to do, from the options of an exploration.
#pragma once

#include "reex/run/options.h"
#include "reex/shared/control.h"

namespace reex {

void configure(RunConfig& config, const ExploreOptions& options);
VisibleAccesses visible_accesses(Accesses accesses);
void configure_member(RunConfig& config, const PortfolioMember& member); // after configure()

} // namespace reex
