#include "tests/replay/recorded.h"

#include <fstream>
#include <regex>

#include <gtest/gtest.h>

namespace reex::replay_test {

using namespace reex::tool;

Recorded record(const Folder& folder, const std::string& kind, const Words& options) {
  const Ran ran = explore(folder, options, {REEX_REPLAY_PROGRAMS "/failures", kind});
  EXPECT_TRUE(ran.status == 1 || ran.status == 4) << describe(ran);
  if (!ran.report.is_object() || ran.report["failures"].empty()) return {};
  const nlohmann::json failure = ran.report["failures"][0];
  return {folder.path() / failure.value("replay", "missing"), failure};
}

std::filesystem::path with_binary(const std::filesystem::path& file, const std::string& program) {
  std::filesystem::path other = file;
  other += "." + program;
  std::ofstream(other) << std::regex_replace(read_file(file), std::regex("/programs/failures\""),
                                             "/programs/" + program + "\"");
  return other;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace reex::replay_test
