// The file of --profile: what samplers have learned of a test, and what it fits (docs/json.md).
//
// Callers: the parent process, on any thread.
//
// Invariants: the file is there as a whole or not at all, and is never written again. Of several runs that
// write it at the same time, the first one has written it.
//
// Errors: ProfileError (explore.h), one line without the name of the file.
#pragma once

#include <optional>
#include <string>

#include "reex/run/options.h"

namespace reex {

// Null: there is no such file. Throws ProfileError if it is damaged, or was learned of another test or with
// other options than `options`.
std::shared_ptr<LearnedProfile> read_profile_file(const std::string& path, const ExploreOptions& options);

// False: another run has written the file meanwhile.
bool write_profile_file(const std::string& path, const LearnedProfile& profile,
                        const ExploreOptions& options);

} // namespace reex
