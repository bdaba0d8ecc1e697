// A recorded failure of tests/replay/failures.cpp, which tests replay, minimize and debug.
#pragma once

#include "tests/runtime/tool.h"

namespace reex::replay_test {

struct Recorded {
  std::filesystem::path file; // "" if there was no failure
  nlohmann::json failure;     // from the report
};

// Explores the program's case `kind` until it fails.
Recorded record(const tool::Folder& folder, const std::string& kind, const tool::Words& options = {});

// The same schedule file for another build, such as "failures_mended".
std::filesystem::path with_binary(const std::filesystem::path& file, const std::string& program);

bool contains(const std::string& text, const std::string& part);

} // namespace reex::replay_test
