// Whether the test binary was built from the sources that are analysed.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reex/symbols/binary_info.h"

namespace reex::impact {

// Compares the files with the checksums in the binary's DWARF. A difference is a proof, and true is returned;
// where the compiler wrote no checksum (g++ 12 writes none) a newer file only gives a note.
bool check_staleness(const BinaryInfo& binary, const std::set<std::string>& files,
                     std::vector<std::string>& notes);

} // namespace reex::impact
