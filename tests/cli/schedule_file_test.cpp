#include "reex/schedules/schedule_file.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace reex {
namespace {

ScheduleFile sample() {
  ScheduleFile file;
  file.reex_version = "0.1.0";
  file.binary = "/project/build/te st";
  file.build_id = "deadbeef";
  file.working_directory = "/project";
  file.arguments = {"--size", "a \"b\"\n"};
  file.test_name = "Queue/0.Drain/1";
  file.framework = Framework::googletest;
  file.accesses = Accesses::racy;
  file.promoted = {{"/project/build/te st", 4660, "a.cpp:5"}};
  file.spurious = true;
  file.max_steps = 18446744073709551615ULL;
  file.failure_kind = "deadlock";
  file.failure_key = "3f2a9c01b7de";
  file.places = {"a.cpp:3", "b.cpp:7"};
  file.message = "no thread can run";
  file.stdout_sha256 = "e3b0";
  file.preemptions = 1;
  file.decisions = {{2, 3, 1, "run"}, {7, 9, 2, "wake"}};
  file.steps = {{0, "thread create", "thread#1", "a.cpp:3"},
                {1, "mutex lock", "mutex#1", "caf\xc3\xa9.cpp:4"}};
  file.changed = {"a.cpp:3", "b.cpp:7"};
  file.reduced = ScheduleFile::Reduction::complete;
  return file;
}

std::string refusal(const std::string& text) {
  try {
    parse_schedule_file(text, "x.reex");
  } catch (const ScheduleFileError& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

TEST(ScheduleFile, ComesBackAsItWas) {
  const std::string text = format_schedule_file(sample());
  const ScheduleFile back = parse_schedule_file(text, "x.reex");
  EXPECT_EQ(format_schedule_file(back), text);
  EXPECT_EQ(back.reduced, ScheduleFile::Reduction::complete);
  EXPECT_EQ(back.changed, sample().changed);
  EXPECT_EQ(back.arguments, sample().arguments);
  EXPECT_EQ(back.max_steps, sample().max_steps);
  EXPECT_EQ(back.accesses, Accesses::racy);
  EXPECT_EQ(back.promoted, sample().promoted);
  EXPECT_EQ(back.places, sample().places);
  EXPECT_FALSE(back.exit.has_value());
  EXPECT_EQ(back.decisions[1].kind, "wake");
  EXPECT_EQ(back.decisions[1].step, 9U);
  EXPECT_EQ(back.steps[1].location, "caf\xc3\xa9.cpp:4");
}

TEST(ScheduleFile, KeepsTheExitStatusOfAPass) {
  ScheduleFile file = sample();
  file.failure_kind.clear();
  file.exit = 0;
  file.decisions.clear();
  file.steps.clear();
  const ScheduleFile back = parse_schedule_file(format_schedule_file(file), "x.reex");
  EXPECT_EQ(back.exit, 0);
  EXPECT_TRUE(back.decisions.empty());
}

TEST(ScheduleFile, HasADecisionOnEachLine) {
  const std::string text = format_schedule_file(sample());
  EXPECT_NE(text.find("\n    {\"point\":2,\"step\":3,\"thread\":1,\"kind\":\"run\"},\n"), std::string::npos)
      << text;
}

TEST(ScheduleFile, SurvivesADecisionDeletedByHand) {
  const std::string text = format_schedule_file(sample());
  const std::string first = "    {\"point\":2,\"step\":3,\"thread\":1,\"kind\":\"run\"},\n";
  const std::string last = "    {\"point\":7,\"step\":9,\"thread\":2,\"kind\":\"wake\"}\n";
  EXPECT_EQ(parse_schedule_file(replaced(text, first, ""), "x.reex").decisions.front().kind, "wake");
  const auto shorter = parse_schedule_file(replaced(text, last, ""), "x.reex");
  ASSERT_EQ(shorter.decisions.size(), 1U);
  EXPECT_EQ(shorter.decisions.front().kind, "run");
  EXPECT_EQ(shorter.arguments, sample().arguments);
}

TEST(ScheduleFile, TellsItsBinaryFromTheBeginningAlone) {
  const std::string path = ::testing::TempDir() + "beginning.reex";
  const std::string text = format_schedule_file(sample());
  const std::size_t decisions = text.find("\"decisions\"");
  for (const auto& [length, expected] : {std::pair<std::size_t, std::string>{text.size(), sample().binary},
                                         {decisions, sample().binary},
                                         {20, ""},
                                         {0, ""}}) {
    std::ofstream(path) << text.substr(0, length);
    EXPECT_EQ(binary_of_schedule_file(path), expected) << length;
  }
  std::ofstream(path) << R"({"test": {"binary": 7}})";
  EXPECT_EQ(binary_of_schedule_file(path), "");
  std::remove(path.c_str());
  EXPECT_EQ(binary_of_schedule_file(path), "");
}

TEST(ScheduleFile, RefusesAnotherVersionAndNamesBoth) {
  const std::string why =
      refusal(replaced(format_schedule_file(sample()), "\"version\": 2", "\"version\": 7"));
  EXPECT_NE(why.find("version 7"), std::string::npos) << why;
  EXPECT_NE(why.find("versions 1 and 2"), std::string::npos) << why;
  EXPECT_NE(why.find("0.1.0"), std::string::npos) << why;
  EXPECT_EQ(why.find('\n'), std::string::npos);
}

TEST(ScheduleFile, ReadsVersionOneWhichHadNoPromotedAccesses) {
  ScheduleFile file = sample();
  file.accesses = Accesses::sync;
  file.promoted.clear();
  const std::string two = format_schedule_file(file);
  const std::string one =
      replaced(replaced(two, "\"version\": 2", "\"version\": 1"), "  \"promoted\": [],\n", "");
  EXPECT_EQ(format_schedule_file(parse_schedule_file(one, "x.reex")), two);
  EXPECT_NE(refusal(replaced(two, "  \"promoted\": [],\n", "")).find("\"promoted\" is missing"),
            std::string::npos);
}

TEST(ScheduleFile, RefusesWhatIsNoScheduleFile) {
  EXPECT_NE(refusal("").find("not a schedule file"), std::string::npos);
  EXPECT_NE(refusal("int main() {}").find("not a schedule file"), std::string::npos);
  EXPECT_NE(refusal("{\"format\":1}").find("not a schedule file"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("not a schedule file"), std::string::npos);
  EXPECT_NE(refusal("{\"format\":\"reex-schedule\"").find("damaged"), std::string::npos);
}

TEST(ScheduleFile, SaysWhatIsDamaged) {
  const std::string text = format_schedule_file(sample());
  EXPECT_NE(refusal(replaced(text, "\"thread\":1,\"kind\"", "\"thread\":-1,\"kind\"")).find("\"thread\""),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"point\":2", "\"point\":2.5")).find("\"point\""), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"point\":2", "\"point\":4294967296")).find("too large"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"build_id\"", "\"bild_id\"")).find("\"build_id\" is missing"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"gtest\":true", "\"gtest\":1")).find("\"gtest\" has the wrong type"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"accesses\":\"racy\"", "\"accesses\":\"some\"")).find("some"),
            std::string::npos);
}

// Whatever is cut off or changed in a file, the result is a value or an error of one line.
TEST(ScheduleFile, NeverFallsOverDamage) {
  const std::string text = format_schedule_file(sample());
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const std::string& damaged : {text.substr(0, i), text.substr(0, i) + '7' + text.substr(i + 1)}) {
      const std::string why = refusal(damaged);
      EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    }
  }
}

TEST(ScheduleFile, IsWrittenAndReadBack) {
  const auto folder = std::filesystem::temp_directory_path() / ("reex-schedule-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "x.reex").string();
  write_schedule_file(path, sample());
  EXPECT_EQ(format_schedule_file(read_schedule_file(path)), format_schedule_file(sample()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
  EXPECT_THROW(write_schedule_file(path, sample()), ScheduleFileError);
  EXPECT_THROW(read_schedule_file(path), ScheduleFileError);
  EXPECT_THROW(read_schedule_file("/"), ScheduleFileError);
}

} // namespace
} // namespace reex
