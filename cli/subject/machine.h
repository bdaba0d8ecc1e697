// The checks of `reex doctor`: what reex needs of the machine, and what the machine has.
#pragma once

#include <string>
#include <vector>

namespace reex {

struct MachineCheck {
  std::string name;
  bool fine = false;
  bool needed = false; // true: reex does not work without it; false: it is only slower or less exact
  std::string found;   // one line
  std::string remedy;  // what to do if it is not fine
};

std::vector<MachineCheck> check_machine();

} // namespace reex
