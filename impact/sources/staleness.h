// Checks whether the test binary, and the user's libraries that it starts with, were built from the sources
// that are analysed.
//
// Callers: collect_impact(), in the parent process.
//
// Invariants: the result `true` is a proof, and `false` is not: without checksums, only the times of the
// files are compared.
//
// Cost: looks at the time of each source of the binary, and reads those that have a checksum.
//
// Errors: none. What is doubtful becomes a note.
//
// Source: the MD5 checksums of line tables (DWARF 5, section 6.2.4.1).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reex/symbols/binary_info.h"

namespace reex::impact {

// Compares the user's sources of the binary and its libraries with the checksums in its DWARF. True if one of
// `files`, those of the change, differs; for the other sources there is a note. If the compiler wrote no
// checksum (g++ 12 writes none), a file that is newer than what was built from it only gives a note.
bool check_staleness(const BinaryInfo& binary, const std::set<std::string>& files,
                     std::vector<std::string>& notes);

} // namespace reex::impact
