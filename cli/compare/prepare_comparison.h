// What is done once, before the runs: the folder of a comparison, the analysis of the change.
#pragma once

#include <string>

#include "cli/compare/compare_subject.h"
#include "cli/compare/results_file.h"

namespace reex {

// Makes ROOT/.reex/compare/IDENTITY and returns its path. Throws UsageError.
std::string make_compare_folder(const CompareSubject& subject, const std::string& identity);

// Analyses the change in a process of its own, whose cache is in `folder`/analysis. Throws CommandError: the
// change cannot be analysed, or has no impact.
ResultsHead analyse_change(const CompareSubject& subject, const std::string& folder);

// The folder of one of the runs that go on at a time, with a copy of the cache.
std::string make_slot(const std::string& folder, unsigned slot);

Machine this_machine();

} // namespace reex
