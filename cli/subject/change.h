// Makes, from the options about the change, what the explorer and the reports need.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/subject/change_beside.h"
#include "impact/impact.h"
#include "reex/symbols/binary_info.h"
#include "report/change_excerpt.h"

namespace reex {

struct Change {
  Impact impact;
  ChangeView view;
  // Not null: the analysis goes on, and `impact` has only what is known without it.
  std::unique_ptr<ChangeBeside> beside;
};

// beside: if units have to be parsed, another process does it, and the result comes at once.
enum class Analysis : std::uint8_t { now, beside };

// nullopt without an option about the change. Throws UsageError for options that contradict each other.
// `binary` may be null (`reex impact` without a test). If the repository or a revision cannot be resolved, it
// throws CommandError with status 6. The cache of the analysis is in .reex of `output_folder`; "" for the
// root of the repository.
std::optional<Change> change_under_test(const ChangeOptions& options, const BinaryInfo* binary,
                                        const std::string& output_folder = "",
                                        Analysis analysis = Analysis::now);
// Takes over the result of the analysis beside, which is done.
void take_analysis(Change& change);

// The files of the change, old and new names, relative to the root of the repository. Throws as above.
std::vector<std::string> changed_files(const ChangeOptions& options, const std::string& root);

// "HEAD~1 to the files on disk".
std::string change_title(const ChangeOptions& options);

// The root of the repository that was given, or else of that of the current folder or of the binary's folder.
// If these are different, it is the one that contains sources of the binary. nullopt if there is none.
std::optional<std::string> discover_repository(const ChangeOptions& options, const BinaryInfo* binary);
// The same. Throws CommandError if there is none, or if it cannot be opened, with the reason.
std::string require_repository(const ChangeOptions& options, const BinaryInfo* binary);

} // namespace reex
