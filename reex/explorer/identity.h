// What runs have in common whose results may be joined: the test, and every option that decides which
// schedules there are and in what order they come.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reex/run/options.h"

namespace reex {

// The SHA-256 of a file, "" if it cannot be read.
std::string contents_digest(const std::string& path);
// The same of a list of accesses, in any order; "" for none.
std::string digest_of(const std::vector<PromotedAccess>& accesses);

// Names (of options, where it is one) with values.
std::vector<std::pair<std::string, std::string>> identity_of(const ExploreOptions& options);

} // namespace reex
