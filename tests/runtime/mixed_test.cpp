// Programs that are partly or not instrumented: the report names the modules that reex cannot look into.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

nlohmann::json modules_of(const Ran& ran) { return ran.report["control"]["uninstrumented"]; }

// The effect of the gap that names the code; "" if there is none.
std::string unseen(const Ran& ran, const std::string& name) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == "unseen-code" &&
        gap["detail"].get<std::string>().starts_with(name + " is not instrumented: "))
      return gap["effect"];
  return "";
}

TEST(Mixed, NamesTheLibraryAndTheRemedy) {
  for (const char* isolation : {"restore", "fork"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"-k", "0", "--isolation", isolation}, {REEX_PROGRAMS "/mixed", "counts"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    ASSERT_TRUE(ran.report.is_object()) << describe(ran);
    ASSERT_EQ(modules_of(ran).size(), 1U) << modules_of(ran);
    const std::string path = modules_of(ran)[0]["module"];
    EXPECT_EQ(std::filesystem::path(path).filename(), "libuninstrumented.so");
    // Two threads lock and unlock once in each execution.
    EXPECT_EQ(modules_of(ran)[0]["operations"], 4 * ran.report["schedules"].get<int>()) << describe(ran);
    EXPECT_EQ(unseen(ran, "libuninstrumented.so"), "told") << ran.report["gaps"];
    // It is told once, with the remedy.
    const std::size_t named = ran.output.find("libuninstrumented.so");
    EXPECT_EQ(ran.output.find("libuninstrumented.so", named + 1), std::string::npos) << describe(ran);
    EXPECT_NE(ran.output.find("reex::instrument"), std::string::npos) << describe(ran);
    EXPECT_TRUE(ran.report["notes"].empty()) << describe(ran);
  }
}

TEST(Mixed, CountsTheFirstThousandExecutions) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"--strategy", "random", "--schedules", "1200"}, {REEX_PROGRAMS "/mixed", "counts"});
  EXPECT_EQ(ran.report["control"]["counted_executions"], 1000) << describe(ran);
  EXPECT_EQ(modules_of(ran)[0]["operations"], 4000) << describe(ran);
  EXPECT_NE(ran.output.find("first 1,000 executions"), std::string::npos) << describe(ran);
}

TEST(Mixed, AnInstrumentedProgramHasNothingToName) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {REEX_PROGRAMS "/locks", "normal"});
  EXPECT_TRUE(modules_of(ran).empty()) << modules_of(ran);
  EXPECT_EQ(ran.output.find("no view into"), std::string::npos) << describe(ran);
}

TEST(Mixed, AnUninstrumentedProgramNamesItself) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {REEX_PROGRAMS "/plain", "in_turn"});
  bool named = false;
  for (const auto& module : modules_of(ran))
    named =
        named || (std::filesystem::path(module["module"]).filename() == "plain" && module["operations"] > 0);
  EXPECT_TRUE(named) << modules_of(ran);
}

std::set<std::string> texts_of(const Ran& ran) {
  std::set<std::string> texts;
  for (const auto& [text, seen] : outcomes_of(ran.report)) texts.insert(text);
  return texts;
}

TEST(Mixed, NoLivelockIsClaimedWhereCodeWithoutHooksRuns) {
  for (const char* program : {"mixed", "mixed_object"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--bound", "0"}, {std::string(REEX_PROGRAMS "/") + program, "spins_for_tickets"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
  }
}

// Whatever the library does: who waits in a circle waits for ever.
TEST(Mixed, ACircleOfLocksIsADeadlockBesideAThreadThatPolls) {
  for (const char* isolation : {"restore", "fork"})
    for (const char* steps : {"20000", "400"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation, "--max-steps", steps},
                              {REEX_PROGRAMS "/mixed", "polls_for_a_circle"});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["kind"], "deadlock") << describe(ran);
      EXPECT_NE(ran.output.find("threads wait for each other in a circle"), std::string::npos)
          << describe(ran);
      const Ran replay = command(folder, {"replay", ran.report["failures"][0]["replay"].get<std::string>()});
      EXPECT_EQ(replay.status, 1) << describe(replay);
      EXPECT_NE(replay.output.find("deadlock, as recorded"), std::string::npos) << describe(replay);
    }
}

TEST(Mixed, ACircleThatTheProcessLeavesIsNone) {
  for (const char* scenario : {"leaves_a_circle", "ends_a_circle"})
    for (const char* isolation : {"restore", "fork"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--isolation", isolation, "--bound", "1"}, {REEX_PROGRAMS "/mixed", scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
    }
}

TEST(Mixed, ThreadsThatTalkUnseenAreNotReduced) {
  for (const auto& [program, name] : {std::pair("mixed", "libuninstrumented.so"),
                                      std::pair("mixed_object", "library.cpp in mixed_object")}) {
    const Words run = {std::string(REEX_PROGRAMS "/") + program, "tickets"};
    const Folder folder;
    const Ran ran = explore(folder, {"-k", "0", "--outcomes"}, run);
    EXPECT_EQ(texts_of(ran).size(), 2U) << describe(ran);
    EXPECT_EQ(ran.report["pruned"], 0) << describe(ran);
    EXPECT_EQ(unseen(ran, name), "told") << ran.report["gaps"];
    EXPECT_EQ(ran.report["bound_completed"], 2) << describe(ran);
    const Ran trusting = explore(folder, {"-k", "0", "--outcomes", "--reduction", "hb", "--audit", "0"}, run);
    EXPECT_EQ(texts_of(trusting).size(), 1U) << describe(trusting);
    EXPECT_EQ(unseen(trusting, name), "claims") << trusting.report["gaps"];
    EXPECT_EQ(trusting.report["verdict"], "no-failure-found") << describe(trusting);
    EXPECT_TRUE(trusting.report["exhausted"].is_null()) << describe(trusting);
  }
}

TEST(Mixed, NothingIsClaimedOfAtomicsInAssembly) {
  for (const Words& options : {Words{}, Words{"--reduction", "none"}, Words{"-j", "2"},
                               Words{"--strategy", "surw"}, Words{"--isolation", "fork"}}) {
    const Folder folder;
    Words all{"--schedules", "50"};
    all.insert(all.end(), options.begin(), options.end());
    const Ran ran = explore(folder, all, {REEX_PROGRAMS "/assembly", "first"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"].is_null() && !ran.report["exhausted"].is_boolean())
        << describe(ran);
    const std::string gaps = ran.report["gaps"].dump();
    EXPECT_NE(gaps.find("assembly.cpp:14"), std::string::npos) << describe(ran);
    EXPECT_NE(gaps.find(" are not instrumented: no thread switches there"), std::string::npos)
        << describe(ran);
  }
}

#ifndef __clang__
TEST(Mixed, WhatInlineAssemblyDoesIsSeen) {
  for (const char* scenario : {"counts", "exchanges", "replaces", "locks_bits", "looks_at_bits", "publishes",
                               "waits_a_while", "changes_a_while", "hands_on"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"-k", "0"}, {REEX_PROGRAMS "/inline_assembly", scenario});
    EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
    EXPECT_EQ(ran.report["verdict"], "passed") << scenario << describe(ran);
    EXPECT_EQ(ran.report["bound_completed"], 2) << scenario << describe(ran);
    EXPECT_TRUE(ran.report["findings"].empty()) << scenario << describe(ran);
  }
}

TEST(Mixed, FaultsInInlineAssemblyAreFound) {
  for (const auto& [scenario, kind] :
       {std::pair{"loses", "assertion"}, std::pair{"finds_bits_unset", "assertion"},
        std::pair{"races", "race"}, std::pair{"frees_too_early", "race"},
        std::pair{"waits_in_vain", "livelock"}, std::pair{"uses_freed_memory", "use-after-free"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {"--races", "fail"}, {REEX_PROGRAMS "/inline_assembly", scenario});
    EXPECT_EQ(ran.status, 1) << scenario << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], kind) << scenario << describe(ran);
  }
}

TEST(Mixed, WhatExemptedFunctionsDoIsSeen) {
  for (const char* scenario :
       {"publishes", "locks", "replaces", "looks_meanwhile", "sums", "sums_a_lot_alone", "reads_constants"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"-k", "0", "--races", "fail"}, {REEX_PROGRAMS "/exempted", scenario});
    EXPECT_EQ(ran.status, 0) << scenario << describe(ran);
    EXPECT_EQ(ran.report["verdict"], "passed") << scenario << describe(ran);
    EXPECT_EQ(ran.report["bound_completed"], 2) << scenario << describe(ran);
    EXPECT_TRUE(ran.report["findings"].empty()) << scenario << describe(ran);
    if (scenario == std::string("reads_constants")) {
      EXPECT_EQ(ran.report["schedules"], 1) << describe(ran);
    }
  }
}

TEST(Mixed, FaultsInExemptedFunctionsAreFound) {
  for (const auto& [scenario, kind] :
       {std::pair{"loses", "assertion"}, std::pair{"loses_globally", "assertion"},
        std::pair{"loses_a_number", "assertion"}, std::pair{"waits_in_vain", "livelock"},
        std::pair{"sees_between", "assertion"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {"-k", "0", "--races", "fail"}, {REEX_PROGRAMS "/exempted", scenario});
    EXPECT_EQ(ran.status, 1) << scenario << describe(ran);
    EXPECT_EQ(ran.report["failures"].size(), 1U) << scenario << describe(ran);
    EXPECT_EQ(ran.report["failures"][0]["kind"], kind) << scenario << describe(ran);
  }
}

TEST(Mixed, NothingIsClaimedOfAnExemptedFunctionThatGoesOverMuch) {
  const Folder folder;
  const Ran ran = explore(folder, {"-k", "0", "--schedules", "20", "--strategy", "random"},
                          {REEX_PROGRAMS "/exempted", "sums_a_lot"});
  EXPECT_EQ(ran.status, 0) << describe(ran);
  EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
  EXPECT_NE(ran.report["gaps"].dump().find("at 1 place, no thread was switched any more"), std::string::npos)
      << describe(ran);
}

TEST(Mixed, NothingIsClaimedOfAnExemptedFunctionThatChanges) {
  const Folder folder;
  const Ran ran = explore(folder, {"-k", "0"}, {REEX_PROGRAMS "/exempted_change"});
  EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
  EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
  ASSERT_EQ(ran.report["gaps"].size(), 1U) << describe(ran);
  EXPECT_EQ(ran.report["gaps"][0]["kind"], "unseen-atomics") << describe(ran);
  EXPECT_NE(ran.report["gaps"].dump().find("exempted_change.cpp:9"), std::string::npos) << describe(ran);
}

TEST(Mixed, NothingIsClaimedOfAssemblyThatKeepsItsAccesses) {
  for (const char* scenario : {"looks", "last"}) {
    const Folder folder;
    const Ran ran = explore(folder, {"-k", "0", "--outcomes", "--audit", "0"},
                            {REEX_PROGRAMS "/kept_assembly", scenario});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
    EXPECT_TRUE(ran.report["bound_completed"].is_null()) << describe(ran);
    ASSERT_EQ(ran.report["gaps"].size(), 1U) << describe(ran);
    EXPECT_EQ(ran.report["gaps"][0]["kind"], "unseen-atomics") << describe(ran);
    const std::string detail = ran.report["gaps"][0]["detail"];
    EXPECT_TRUE(
        detail.starts_with("atomic instructions, assembly or exempted functions at kept_assembly.cpp:"))
        << detail;
    EXPECT_EQ(texts_of(ran).size(), scenario == std::string("last") ? 2U : 1U) << describe(ran);
  }
}
#endif

TEST(Mixed, ARaceThatAssemblyMayHaveOrderedIsNoFailure) {
  const Folder folder;
  const Ran ran = explore(folder, {"--races", "fail", "--hang-after", "200ms", "--schedules", "4"},
                          {REEX_PROGRAMS "/assembly", "guarded"});
  EXPECT_TRUE(ran.report["failures"].empty()) << describe(ran);
  ASSERT_FALSE(ran.report["findings"].empty()) << describe(ran);
  EXPECT_NE(ran.report["findings"][0].dump().find(
                "may have ordered the accesses: no two threads were met right before both; use std::atomic"),
            std::string::npos)
      << describe(ran);
}

TEST(Mixed, InALibraryThatIsRemovedThreadsMayTalk) {
  const Folder folder;
  const char* const name = "libuninstrumented.so";
  std::filesystem::copy(std::filesystem::path(REEX_PROGRAMS) / name, folder / name);
  const Ran ran = explore(folder, {"-k", "0", "--outcomes"}, {REEX_PROGRAMS "/mixed", "vanishes"},
                          {{"LD_LIBRARY_PATH", folder.path().string()}});
  EXPECT_TRUE(std::filesystem::exists(folder / name)) << describe(ran); // it is put back
  EXPECT_EQ(texts_of(ran).size(), 2U) << describe(ran);
  EXPECT_EQ(ran.report["pruned"], 0) << describe(ran);
  EXPECT_EQ(unseen(ran, name), "told") << ran.report["gaps"];
}

TEST(Mixed, GoogleTestAndInstrumentedProgramsAreReduced) {
  for (const Words& run : {Words{REEX_PROGRAMS "/suite"}, Words{REEX_PROGRAMS "/locks", "normal"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, run);
    // Of several tests, each has gaps of its own.
    const std::string report = ran.report.dump();
    EXPECT_NE(report.find("\"gaps\""), std::string::npos) << describe(ran);
    EXPECT_EQ(report.find("unseen-code"), std::string::npos) << describe(ran);
  }
}

// Where code is not seen, no poll with a lock is told from work. The others have their turns all the same,
// long before time passes for them.
TEST(Mixed, WhoPollsGivesWay) {
  for (const std::string scenario : {"yields_to_those_who_come", "looks_for_those_who_come"})
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{"--schedules", "3"},
                                               {"--schedules", "3", "--isolation", "fork"},
                                               {"--strategy", "pos", "--schedules", "3"}}) {
      const Folder folder;
      const Ran ran = explore(folder, options, {REEX_PROGRAMS "/mixed", scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["schedules"], 3) << describe(ran);
    }
}

// What ends a spin may be written where it is not seen.
TEST(Mixed, WhoSpinsUnseenGetsAnotherTurn) {
  for (const char* program : {"mixed", "mixed_object"})
    for (const char* scenario : {"waits_beside_naps", "waits_beside_work", "waits_beside_a_long_wait"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, {"--schedules", "300"}, {std::string(REEX_PROGRAMS "/") + program, scenario});
      EXPECT_EQ(ran.status, 0) << describe(ran);
    }
}

} // namespace
} // namespace reex::runtime_test
