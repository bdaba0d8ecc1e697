// Whether the test binaries, with the libraries of the user, are those of the files on disk, and the command
// that builds them.
//
// Invariants: where the compiler wrote checksums (DWARF 5, clang), a difference is a proof. Otherwise a
// source that was written after the binary makes it doubtful.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reex/symbols/binary_info.h"

namespace reex {

struct BuildState {
  std::vector<std::string>
      other; // sources, relative to the root, that differ from what was compiled: a proof
  std::vector<std::string> newer; // sources that were written after the binary or the library

  bool up_to_date() const { return other.empty() && newer.empty(); }
};

// Of the sources below `root` that the binary and its libraries were compiled from.
BuildState build_state(const BinaryInfo& binary, const std::string& root);

// The sources below `root`, relative to it; empty without debug information.
std::vector<std::string> sources_of(const BinaryInfo& binary, const std::string& root);

// The command that builds the binary again, by the build system whose folder it lies in; "" if none is known.
std::string rebuild_command(const std::string& binary);

// Runs `command` with sh in a folder; what it prints goes to standard error. Returns its exit status, 128 and
// the signal, or -1 if it cannot be run. Once `interrupted` is true, the command and all
// that it has started get SIGTERM.
int run_build(const std::string& command, const std::string& folder,
              const std::function<bool()>& interrupted);

// "a.cpp", "a.cpp and 2 more".
std::string listed(const std::vector<std::string>& names);

} // namespace reex
