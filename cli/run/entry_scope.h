// The working folder and the environment of a [[test]] entry, for as long as the object lives. The explorer
// hands on those of the process.
//
// Thread safety: no other thread may read the environment or relative paths meanwhile.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/project_file.h"

namespace reex {

class EntryScope {
public:
  // Throws UsageError if the folder cannot be entered.
  explicit EntryScope(const TestEntry& test);
  ~EntryScope();
  EntryScope(const EntryScope&) = delete;
  EntryScope& operator=(const EntryScope&) = delete;

private:
  int m_folder; // a descriptor: the folder may have been moved or removed meanwhile
  std::vector<std::pair<std::string, std::optional<std::string>>> m_before;
};

} // namespace reex
