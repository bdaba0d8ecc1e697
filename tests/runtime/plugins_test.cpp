// Libraries that are loaded under control: what is known of the test's own code is known of theirs.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const Words k_ways[] = {
    {}, {"-j", "2"}, {"--reduction", "none"}, {"--strategy", "random", "--schedules", "20"}};
const char* const k_scenarios[] = {"main_loads", "thread_loads", "one_order_loads"};

Ran explore_plugin(const Folder& folder, const Words& way, const char* scenario, const std::string& plugin) {
  return explore(folder, way, {REEX_PROGRAMS "/plugins", scenario, REEX_PROGRAMS "/lib" + plugin + ".so"});
}

std::string effect_of(const Ran& ran, const std::string& kind, const std::string& words) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == kind && gap["detail"].get<std::string>().find(words) != std::string::npos)
      return gap["effect"];
  return "";
}

TEST(Plugins, FailuresNameTheirLines) {
  for (const char* scenario : k_scenarios)
    for (const Words& way : k_ways) {
      const Folder folder;
      const Ran ran = explore_plugin(folder, way, scenario, "plugin");
      ASSERT_EQ(ran.status, 1) << describe(ran);
      const auto& failure = ran.report["failures"][0];
      EXPECT_EQ(failure["kind"], "assertion") << describe(ran);
      EXPECT_NE(ran.output.find("assert(number == expected);"), std::string::npos) << describe(ran);
      EXPECT_NE(ran.output.find("in plugin_step"), std::string::npos) << describe(ran);
      EXPECT_EQ(command(folder, {"replay", failure["replay"]}).status, 1) << describe(ran);
      EXPECT_TRUE(ran.report["gaps"].empty()) << describe(ran);
    }
}

TEST(Plugins, EachThreadHasVariablesOfItsOwn) {
  for (const char* plugin : {"plugin", "plugin_plain", "plugin_dynamic"})
    for (const Words& way : k_ways) {
      const Folder folder;
      Words options = way;
      options.push_back("--outcomes");
      const Ran ran = explore_plugin(folder, options, "threads_count", plugin);
      EXPECT_EQ(ran.status, 0) << describe(ran);
      const auto outcomes = outcomes_of(ran.report);
      ASSERT_EQ(outcomes.size(), 1u) << describe(ran);
      EXPECT_EQ(outcomes.begin()->first, "45 45 45 45 45 45") << describe(ran);
    }
}

TEST(Plugins, VariablesOfThreadsThatAreGoneDoNotRace) {
  for (const Words& way : k_ways) {
    const Folder folder;
    const Ran ran = explore_plugin(folder, way, "storage_is_used_again", "plugin_dynamic");
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_TRUE(ran.report["findings"].empty()) << describe(ran);
  }
}

TEST(Plugins, LoadingOrdersNothingBehindIt) {
  for (const Words& way : k_ways)
    for (const char* plugin : {"plugin", "there_is_none"}) {
      const Folder folder;
      const Ran ran = explore_plugin(folder, way, "races_behind_the_call", plugin);
      ASSERT_EQ(ran.status, 1) << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["kind"], "race") << describe(ran);
    }
}

TEST(Plugins, TheirHandlersOfForksGoWithThem) {
  for (const Words& way : k_ways) {
    const Folder folder;
    const Ran ran = explore_plugin(folder, way, "unloads_before_a_fork", "plugin");
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_GT(ran.report["schedules"], 0u) << describe(ran);
  }
}

TEST(Plugins, NothingIsClaimedOfAtomicsInTheirAssembly) {
  for (const char* scenario : k_scenarios)
    for (const Words& way : k_ways) {
      const Folder folder;
      const Ran ran = explore_plugin(folder, way, scenario, "plugin_assembly");
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["verdict"], "no-failure-found") << describe(ran);
      EXPECT_TRUE(ran.report["bound_completed"].is_null() && !ran.report["exhausted"].is_boolean())
          << describe(ran);
      EXPECT_EQ(effect_of(ran, "unseen-atomics", "plugin.cpp:16"), "claims") << describe(ran);
    }
}

TEST(Plugins, CodeWithoutHooksIsTold) {
  for (const char* scenario : k_scenarios) {
    const Folder folder;
    const Ran ran = explore_plugin(folder, {}, scenario, "plugin_plain");
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(effect_of(ran, "unseen-code", "libplugin_plain.so is not instrumented"), "told")
        << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
