// The reduction of schedules to what their failures need: by reex minimize, and in the report of a run.
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "tests/replay/recorded.h"

namespace reex::replay_test {
namespace {

using namespace reex::tool;

nlohmann::json schedule(const std::filesystem::path& file) { return nlohmann::json::parse(read_file(file)); }

// A schedule that the random strategy found is reduced to one that is not longer than the one that icb finds.
TEST(Minimize, OfARandomFailureComesDownToTheFewestSwitches) {
  const Folder folder;
  const Recorded fewest = record(folder, "noisy");
  const auto expected = schedule(fewest.file);
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    const Folder other;
    const Recorded sampled = record(other, "noisy", {"--strategy", "random", "--seed", seed});
    EXPECT_EQ(sampled.failure["key"], fewest.failure["key"]);
    ASSERT_TRUE(sampled.failure.contains("reduced")) << sampled.failure.dump(2);
    EXPECT_GT(sampled.failure["reduced"]["switches_before"], 5) << sampled.failure.dump(2);
    EXPECT_TRUE(sampled.failure["reduced"]["complete"]);
    const Ran ran = command(other, {"minimize", sampled.file.string()});
    ASSERT_EQ(ran.status, 0) << describe(ran);
    std::filesystem::path file = sampled.file;
    file += ".min";
    const auto reduced = schedule(file);
    EXPECT_EQ(reduced["decisions"].size(), expected["decisions"].size()) << describe(ran);
    EXPECT_EQ(reduced["preemptions"], expected["preemptions"]) << describe(ran);
    EXPECT_EQ(reduced["outcome"]["key"], expected["outcome"]["key"]) << describe(ran);
    const Ran again = command(other, {"replay", file.string()});
    EXPECT_EQ(again.status, 1) << describe(again);
    EXPECT_TRUE(contains(again.output, ", as recorded")) << describe(again);
  }
}

// A run does so with races, too, of which it tells no switches.
TEST(Minimize, OfARaceThatASampleHasFound) {
  for (const char* seed : {"1", "2", "3"}) {
    const Folder folder;
    const Recorded sampled =
        record(folder, "noisy_race", {"--strategy", "random", "--seed", seed, "--races", "fail"});
    ASSERT_TRUE(sampled.failure.contains("reduced")) << sampled.failure.dump(2);
    EXPECT_GT(sampled.failure["reduced"]["preemptions_before"], 2) << sampled.failure.dump(2);
    EXPECT_EQ(sampled.failure["preemptions"], 0) << sampled.failure.dump(2);
    EXPECT_EQ(schedule(sampled.file)["preemptions"], 0);
    const Ran again = command(folder, {"replay", sampled.file.string()});
    EXPECT_EQ(again.status, 1) << describe(again);
    const auto& sides = sampled.failure["where"];
    ASSERT_EQ(sides.size(), 2U) << sampled.failure.dump(2);
    const std::string race = "data race: T" + sides[0]["thread"].dump() + " writes 4 bytes, T" +
                             sides[1]["thread"].dump() + " reads 4 bytes";
    EXPECT_TRUE(contains(again.output, race)) << race << describe(again);
  }
}

// No switch of the schedule that a sample has found can be left out. A run looks further, a little.
TEST(Minimize, ARunLowersThePreemptionsOfASample) {
  const Folder folder;
  const Recorded sampled = record(folder, "two_ways", {"--strategy", "random"});
  ASSERT_TRUE(sampled.failure.contains("reduced")) << sampled.failure.dump(2);
  EXPECT_GE(sampled.failure["reduced"]["preemptions_before"], 3) << sampled.failure.dump(2);
  EXPECT_EQ(sampled.failure["preemptions"], 1) << sampled.failure.dump(2);
  EXPECT_EQ(schedule(sampled.file)["preemptions"], 1);
  EXPECT_EQ(schedule(sampled.file)["outcome"]["key"], sampled.failure["key"]);
  const Ran again = command(folder, {"replay", sampled.file.string()});
  EXPECT_EQ(again.status, 1) << describe(again);
  EXPECT_TRUE(contains(again.output, ", as recorded")) << describe(again);
}

TEST(Minimize, LeavesNothingOutOfWhatIsNeeded) {
  for (const char* kind : {"deadlock", "assertion", "signal", "race", "use_after_free"}) {
    const Folder folder;
    const Recorded recorded = record(folder, kind);
    const auto before = schedule(recorded.file);
    const Ran ran = command(folder, {"minimize", recorded.file.string()});
    ASSERT_EQ(ran.status, 0) << describe(ran);
    std::filesystem::path file = recorded.file;
    file += ".min";
    EXPECT_EQ(schedule(file)["preemptions"], before["preemptions"]) << describe(ran);
    EXPECT_EQ(schedule(file)["outcome"]["key"], before["outcome"]["key"]) << describe(ran);
  }
}

TEST(Minimize, OfAScheduleThatDoesNotFailSaysSo) {
  const Folder folder;
  const Recorded recorded = record(folder, "assertion");
  const Ran ran = command(folder, {"minimize", with_binary(recorded.file, "failures_mended").string()});
  EXPECT_EQ(ran.status, 7) << describe(ran);
  EXPECT_TRUE(contains(ran.output, "does not fail any more")) << describe(ran);
}

// A run reduces its schedule, and so the replay can say which switches the failure needs. A minimization does
// not know the change: it keeps what the file says of it.
TEST(Minimize, KeepsWhatTheFileSaysOfTheChange) {
  const Folder folder;
  const Recorded recorded = record(folder, "assertion");
  auto file = schedule(recorded.file);
  ASSERT_EQ(file.value("reduced", ""), "complete") << file.dump(2);
  EXPECT_FALSE(file.contains("changed"));
  std::string line;
  for (const auto& step : file["steps"])
    if (step["operation"] == "atomic store") line = step["location"];
  ASSERT_NE(line, "");
  file["changed"] = {line};
  std::ofstream(recorded.file) << file.dump();
  const std::regex mark("\\n +[0-9]+\\* .*atomic store");
  const Ran ran = command(folder, {"minimize", recorded.file.string()});
  ASSERT_EQ(ran.status, 0) << describe(ran);
  EXPECT_TRUE(std::regex_search(ran.output, mark)) << describe(ran);
  std::filesystem::path reduced = recorded.file;
  reduced += ".min";
  EXPECT_EQ(schedule(reduced)["changed"], file["changed"]);
  for (const std::filesystem::path& one : {recorded.file, reduced}) {
    const Ran again = command(folder, {"replay", one.string()});
    EXPECT_TRUE(contains(again.output, "== switch == T1 preempted")) << describe(again);
    EXPECT_TRUE(std::regex_search(again.output, mark)) << describe(again);
  }
  // A file of an earlier reex has neither.
  file.erase("reduced");
  file.erase("changed");
  std::ofstream(recorded.file) << file.dump();
  const Ran old = command(folder, {"replay", recorded.file.string()});
  EXPECT_EQ(old.status, 1) << describe(old);
  EXPECT_TRUE(contains(old.output, "-- switch -- T1 preempted")) << describe(old);
  EXPECT_FALSE(std::regex_search(old.output, mark)) << describe(old);
}

// The report names the switch and the operations next to it.
TEST(Minimize, TheReportNamesTheSwitchesThatItTakes) {
  const Folder folder;
  const Recorded recorded = record(folder, "noisy", {"--strategy", "random"});
  const auto& switches = recorded.failure["switches"];
  ASSERT_EQ(switches.size(), 1U) << recorded.failure.dump(2);
  EXPECT_EQ(switches[0]["reason"], "preempted");
  EXPECT_EQ(switches[0]["before"]["operation"], "atomic store");
  EXPECT_EQ(switches[0]["thread"], 2);
}

} // namespace
} // namespace reex::replay_test
