// A recorded failure of tests/replay/failures.cpp, to be replayed, minimized and debugged.
#pragma once

#include "tests/runtime/tool.h"

namespace reex::replay_test {

struct Recorded {
  std::filesystem::path file; // "" if it did not fail
  nlohmann::json failure;     // of the report
};

// Explores the failure `kind` until it is found.
Recorded record(const tool::Folder& folder, const std::string& kind, const tool::Words& options = {});

// The same schedule file for another build: "failures_mended".
std::filesystem::path with_binary(const std::filesystem::path& file, const std::string& program);

bool contains(const std::string& text, const std::string& part);

} // namespace reex::replay_test
