#include "cli/run/test_turns.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace reex {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class TestTurns : public testing::Test {
protected:
  TestTurns() {
    fs::remove_all(m_folder);
    m_file = turns_file((m_folder / "failures").string(), "identity");
  }
  ~TestTurns() override { fs::remove_all(m_folder); }

  const fs::path m_folder = fs::temp_directory_path() / ("reex-turns-" + std::to_string(getpid()));
  std::string m_file;
};

TEST_F(TestTurns, WithoutAnEarlierRunTheyAreInOrder) {
  EXPECT_EQ(in_turns(m_file, {"b", "a"}), (Names{"b", "a"}));
  EXPECT_TRUE(failed_before(m_file).empty());
}

TEST_F(TestTurns, FailedThenNewThenThoseThatWait) {
  keep_turns(m_file, {{"a", LastTurn::had},
                      {"b", LastTurn::had},
                      {"c", LastTurn::failed},
                      {"d", LastTurn::waits},
                      {"e f", LastTurn::waits}});
  EXPECT_EQ(in_turns(m_file, {"a", "b", "c", "d", "e f", "new"}), (Names{"c", "new", "d", "e f", "a", "b"}));
  EXPECT_EQ(in_turns(m_file, {"b", "d", "a"}), (Names{"d", "b", "a"})); // others are gone
  EXPECT_EQ(failed_before(m_file), Names{"c"});
}

// A budget for two of five: each test has its turn in three runs.
TEST_F(TestTurns, AllHaveTheirTurns) {
  const Names all = {"a", "b", "c", "d", "e"};
  std::string order;
  for (int run = 0; run < 4; ++run) {
    std::vector<TestTurn> turns;
    for (const std::string& name : in_turns(m_file, all)) {
      turns.push_back({name, turns.size() < 2 ? LastTurn::had : LastTurn::waits});
      if (turns.size() <= 2) order += name;
    }
    keep_turns(m_file, turns);
  }
  EXPECT_EQ(order.substr(0, 6).find_first_not_of("abcde"), std::string::npos);
  for (const std::string& name : all) EXPECT_NE(order.substr(0, 6).find(name), std::string::npos) << order;
}

TEST_F(TestTurns, WhenAllHadTheirsNothingIsKept) {
  keep_turns(m_file, {{"a", LastTurn::failed}});
  ASSERT_TRUE(fs::exists(m_file));
  keep_turns(m_file, {{"a", LastTurn::had}});
  EXPECT_FALSE(fs::exists(m_file));
}

} // namespace
} // namespace reex
