// The corpus (tests/corpus) in both kinds of isolation: the same schedules have the same outcomes.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

namespace fs = std::filesystem;
using namespace reex::tool;

std::vector<fs::path> programs_of(const std::string& topic) {
  std::vector<fs::path> programs;
  for (const char* verdict : {"passes", "fails"}) {
    const fs::path folder = fs::path(REEX_CORPUS_SOURCES) / verdict / topic;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".cpp")
        programs.push_back(fs::path(REEX_CORPUS_BINARIES) / verdict / topic / entry.path().stem());
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

std::vector<std::string> topics() {
  std::set<std::string> names;
  for (const char* verdict : {"passes", "fails"})
    for (const auto& entry : fs::directory_iterator(fs::path(REEX_CORPUS_SOURCES) / verdict))
      names.insert(entry.path().filename());
  return {names.begin(), names.end()};
}

// The additional options of a case, from the corpus's table.
Words options_of(const fs::path& program) {
  static const auto table = [] {
    std::map<std::string, Words> options;
    std::ifstream file(fs::path(REEX_CORPUS_SOURCES) / "expected.json");
    const auto all = nlohmann::json::parse(file);
    for (const auto& entry : all.at("cases"))
      options[entry.at("case").get<std::string>()] = entry.value("options", Words());
    return options;
  }();
  return table.at(program.lexically_relative(REEX_CORPUS_BINARIES).string());
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, RestoreAndForkAgree) {
  for (const fs::path& program : programs_of(GetParam())) {
    const Folder folder;
    Words options = options_of(program);
    options.insert(options.end(),
                   {"--outcomes", "--keep-going", "0", "--bound", "2", "--schedules", "500", "--reduction",
                    "hb", "--schedule-log", folder / "log", "--isolation", "restore"});
    const Ran restore = explore(folder, options, {program.string()});
    const std::string restored_log = read_file(folder / "log");
    options.back() = "fork";
    const Ran fork = explore(folder, options, {program.string()});
    ASSERT_TRUE(restore.report.is_object()) << describe(restore);
    ASSERT_TRUE(fork.report.is_object()) << describe(fork);
    EXPECT_EQ(restore.report["schedules"], fork.report["schedules"]) << describe(restore) << describe(fork);
    EXPECT_TRUE(!restored_log.empty() && restored_log == read_file(folder / "log")) << describe(restore);
    EXPECT_EQ(outcomes_of(restore.report), outcomes_of(fork.report)) << describe(restore) << describe(fork);
  }
}

INSTANTIATE_TEST_SUITE_P(Topics, Corpus, testing::ValuesIn(topics()),
                         [](const auto& topic) { return topic.param; });

} // namespace
} // namespace reex::runtime_test
