// Writes the options of an exploration into the configuration of a control block.
#pragma once

#include "reex/run/options.h"
#include "reex/shared/config.h"

namespace reex {

void configure(RunConfig& config, const ExploreOptions& options);
VisibleAccesses visible_accesses(Accesses accesses);
// Call it after configure().
void configure_member(RunConfig& config, const PortfolioMember& member);

} // namespace reex
