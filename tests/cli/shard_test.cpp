#include "cli/options/shard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

// "2/8", or the error message, if these and no other variables of a job array are set.
std::string shard(const std::string& text, const std::map<std::string, std::string>& variables = {}) {
  for (const char* name : {"GTEST_SHARD_INDEX",
                           "GTEST_TOTAL_SHARDS",
                           "TEST_SHARD_INDEX",
                           "TEST_TOTAL_SHARDS",
                           "SLURM_ARRAY_TASK_ID",
                           "SLURM_ARRAY_TASK_MIN",
                           "SLURM_ARRAY_TASK_MAX",
                           "SLURM_ARRAY_TASK_COUNT",
                           "SLURM_ARRAY_TASK_STEP",
                           "SGE_TASK_ID",
                           "SGE_TASK_FIRST",
                           "SGE_TASK_LAST",
                           "SGE_TASK_STEPSIZE",
                           "LSB_JOBINDEX",
                           "LSB_JOBINDEX_END",
                           "AWS_BATCH_JOB_ARRAY_INDEX",
                           "AWS_BATCH_JOB_ARRAY_SIZE",
                           "PBS_ARRAY_INDEX",
                           "CI_NODE_INDEX",
                           "CI_NODE_TOTAL",
                           "CIRCLE_NODE_INDEX",
                           "CIRCLE_NODE_TOTAL",
                           "BUILDKITE_PARALLEL_JOB",
                           "BUILDKITE_PARALLEL_JOB_COUNT"})
    unsetenv(name);
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::string result;
  try {
    const Shard found = parse_shard("--shard", text);
    result = std::to_string(found.index) + '/' + std::to_string(found.count);
  } catch (const UsageError& error) {
    result = error.what();
  }
  for (const auto& [name, value] : variables) unsetenv(name.c_str());
  return result;
}

TEST(ParseShard, CountsFromOne) {
  EXPECT_EQ(shard("1/1"), "1/1");
  EXPECT_EQ(shard("8/8"), "8/8");
  for (const char* wrong : {"0/8", "9/8", "1/0", "-1/8", "1/x", "1/8/2", "1/9999999"})
    EXPECT_NE(shard(wrong).find("is no shard: give I/N"), std::string::npos) << shard(wrong);
  EXPECT_NE(shard("3").find("is no shard"), std::string::npos);
}

TEST(ParseShard, TakesTheTaskOfAJobArray) {
  EXPECT_EQ(shard("auto", {{"TEST_SHARD_INDEX", "2"}, {"TEST_TOTAL_SHARDS", "4"}}), "3/4");
  EXPECT_EQ(shard("auto", {{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "4"}}), "1/4");
  EXPECT_EQ(shard("auto", {{"SLURM_ARRAY_TASK_ID", "0"},
                           {"SLURM_ARRAY_TASK_MIN", "0"},
                           {"SLURM_ARRAY_TASK_MAX", "7"},
                           {"SLURM_ARRAY_TASK_COUNT", "8"}}),
            "1/8");
  EXPECT_EQ(shard("auto", {{"SLURM_ARRAY_TASK_ID", "9"},
                           {"SLURM_ARRAY_TASK_MIN", "5"},
                           {"SLURM_ARRAY_TASK_MAX", "11"},
                           {"SLURM_ARRAY_TASK_COUNT", "4"},
                           {"SLURM_ARRAY_TASK_STEP", "2"}}),
            "3/4");
  EXPECT_EQ(shard("auto", {{"SGE_TASK_ID", "6"},
                           {"SGE_TASK_FIRST", "2"},
                           {"SGE_TASK_LAST", "10"},
                           {"SGE_TASK_STEPSIZE", "4"}}),
            "2/3");
  EXPECT_EQ(shard("auto", {{"LSB_JOBINDEX", "3"}, {"LSB_JOBINDEX_END", "3"}}), "3/3");
  EXPECT_EQ(shard("auto", {{"AWS_BATCH_JOB_ARRAY_INDEX", "2"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "3"}}), "3/3");
  EXPECT_EQ(shard("auto", {{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "5"}}), "2/5");
  EXPECT_EQ(shard("auto", {{"CIRCLE_NODE_INDEX", "1"}, {"CIRCLE_NODE_TOTAL", "5"}}), "2/5");
  EXPECT_EQ(shard("auto", {{"BUILDKITE_PARALLEL_JOB", "4"}, {"BUILDKITE_PARALLEL_JOB_COUNT", "5"}}), "5/5");
}

TEST(ParseShard, RefusesWhatDoesNotSayWhichPartOfHowMany) {
  const auto says = [](const std::map<std::string, std::string>& variables, const char* words) {
    const std::string said = shard("auto", variables);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  says({}, "no variable of a job array");
  says({{"SGE_TASK_ID", "undefined"}}, "no variable of a job array");
  says({{"LSB_JOBINDEX", "0"}, {"LSB_JOBINDEX_END", "0"}}, "no variable of a job array");
  says({{"PBS_ARRAY_INDEX", "3"}}, "PBS_ARRAY_INDEX does not say how many");
  says({{"GTEST_SHARD_INDEX", "4"}, {"GTEST_TOTAL_SHARDS", "4"}}, "GTEST_SHARD_INDEX=4 is no task");
  says({{"SLURM_ARRAY_TASK_ID", "7"},
        {"SLURM_ARRAY_TASK_MIN", "1"},
        {"SLURM_ARRAY_TASK_MAX", "7"},
        {"SLURM_ARRAY_TASK_COUNT", "3"}},
       "without gaps");
}

} // namespace
} // namespace reex
