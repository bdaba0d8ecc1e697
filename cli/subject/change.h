// From the change options to what the explorer and the reports need of the change under test.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "impact/impact.h"
#include "reex/symbols/binary_info.h"
#include "report/change_excerpt.h"

namespace reex {

struct Change {
  Impact impact;
  ChangeView view;
};

// nullopt without a change option. Throws UsageError for options that contradict each other, CommandError 6
// where repository or revision cannot be resolved. `binary` may be null (impact without a test).
std::optional<Change> change_under_test(const ChangeOptions& options, const BinaryInfo* binary);

// "HEAD~1 to the files on disk".
std::string change_title(const ChangeOptions& options);

// The repository's root: the one given, or the one of the current folder or of the binary's folder. Where
// these are two, it is the one that has sources of the binary. nullopt if there is none.
std::optional<std::string> discover_repository(const ChangeOptions& options, const BinaryInfo* binary);

} // namespace reex
