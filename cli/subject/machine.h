// What reex needs of the machine, and what it has: the checks of `reex doctor`.
#pragma once

#include <string>
#include <vector>

namespace reex {

struct MachineCheck {
  std::string name;
  bool fine = false;
  bool needed = false; // without it reex does not work; else it is only slower or less exact
  std::string found;   // one line
  std::string remedy;  // what to do where it is not fine
};

std::vector<MachineCheck> check_machine();

} // namespace reex
