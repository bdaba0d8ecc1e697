// The identity of a run: the test, and every option that decides which schedules there are and in which order
// they are explored. `reex merge` joins the results of shards only if their identities are equal.
//
// Callers: the parent process, on any thread.
//
// Cost: the digest of a binary reads the whole file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reex/run/options.h"

namespace reex {

// The SHA-256 of a list of accesses; their order does not matter. "" for an empty list.
std::string digest_of(const std::vector<PromotedAccess>& accesses);

// Equal as long as the file is the same one and nobody has written to it. Costs no reading. "" if there is
// none.
std::string state_of_file(const std::string& path);

// Pairs of a name and a value. If the value is that of an option, the name is the option's.
std::vector<std::pair<std::string, std::string>> identity_of(const ExploreOptions& options);

} // namespace reex
