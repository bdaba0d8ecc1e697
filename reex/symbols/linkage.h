// What an executable or a library has to do with others, from its dynamic symbol table.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace reex {

struct Linkage {
  std::string name;                // by which others need it
  std::vector<std::string> needed; // names of libraries
  std::vector<std::string> wanted; // functions and variables of others
  std::set<std::string> offered;   // functions and variables to others
  bool instrumented = false;       // wants the hooks of -fsanitize=thread
};

// Nothing if the file cannot be read, or has no tables that say this. Then nothing is known about its code.
std::optional<Linkage> read_linkage(const std::string& path);

} // namespace reex
