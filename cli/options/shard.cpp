#include "cli/options/shard.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include "cli/options/values.h"

namespace reex {
namespace {

constexpr std::uint64_t k_most_shards = 1u << 20;

// The variables with which an environment tells a task its number.
struct JobArray {
  const char* task;
  const char* first; // the number of the first task; "": it is `from`
  std::uint64_t from;
  const char* last;  // the number of the last task; "": there is `count` instead
  const char* count; // the number of tasks; "": it follows from the last task
  const char* step;  // the distance of the numbers; "": it is 1
};

constexpr std::array k_arrays = {
    JobArray{"GTEST_SHARD_INDEX", "", 0, "", "GTEST_TOTAL_SHARDS", ""},
    JobArray{"TEST_SHARD_INDEX", "", 0, "", "TEST_TOTAL_SHARDS", ""}, // Bazel
    JobArray{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", 0, "SLURM_ARRAY_TASK_MAX",
             "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_STEP"},
    JobArray{"SGE_TASK_ID", "SGE_TASK_FIRST", 1, "SGE_TASK_LAST", "", "SGE_TASK_STEPSIZE"},
    JobArray{"LSB_JOBINDEX", "", 1, "LSB_JOBINDEX_END", "", "LSB_JOBINDEX_STEP"},
    JobArray{"AWS_BATCH_JOB_ARRAY_INDEX", "", 0, "", "AWS_BATCH_JOB_ARRAY_SIZE", ""},
    JobArray{"CI_NODE_INDEX", "", 1, "", "CI_NODE_TOTAL", ""},
    JobArray{"CIRCLE_NODE_INDEX", "", 0, "", "CIRCLE_NODE_TOTAL", ""},
    JobArray{"BUILDKITE_PARALLEL_JOB", "", 0, "", "BUILDKITE_PARALLEL_JOB_COUNT", ""},
};

constexpr std::size_t k_test_runners = 2; // the first ones: they share out tests, and not schedules

// nullopt for an empty variable, or one that is not a number, such as Grid Engine's "undefined".
std::optional<std::uint64_t> variable(const char* name) {
  const char* value = *name == '\0' ? nullptr : std::getenv(name);
  if (value == nullptr || *value < '0' || *value > '9') return {};
  return parse_number(name, value);
}

// Whether this process is a task of such an array. Under LSF, a job that is not part of an array has the
// number 0. In a CI, a job on a single node has a number but no count.
bool is_set(const JobArray& array) {
  const auto task = variable(array.task);
  return task && *task >= array.from && (variable(array.last) || variable(array.count));
}

Shard shard_of(const std::string& name, const JobArray& array) {
  const std::uint64_t task = *variable(array.task);
  const std::uint64_t first = variable(array.first).value_or(array.from);
  const std::uint64_t step = variable(array.step).value_or(1);
  const auto last = variable(array.last);
  const auto refuse = [&] {
    throw UsageError(fmt::format("{}: {}={} is no task of an array without gaps: give --shard I/N", name,
                                 array.task, task));
  };
  if (task < first || step == 0 || (task - first) % step != 0 || (last && *last < first)) refuse();
  const std::uint64_t count = last ? (*last - first) / step + 1 : variable(array.count).value_or(0);
  const std::uint64_t index = (task - first) / step;
  if (index >= count || count > k_most_shards || variable(array.count).value_or(count) != count) refuse();
  return {static_cast<std::uint32_t>(index + 1), static_cast<std::uint32_t>(count)};
}

Shard shard_of_environment(const std::string& name) {
  for (const JobArray& array : k_arrays)
    if (is_set(array)) return shard_of(name, array);
  for (const char* task : {"PBS_ARRAY_INDEX", "PBS_ARRAYID", "AWS_BATCH_JOB_ARRAY_INDEX"})
    if (variable(task))
      throw UsageError(
          fmt::format("{}: {} does not say how many tasks there are: give --shard I/N", name, task));
  throw UsageError(fmt::format("{}: no variable of a job array is set: give --shard I/N", name));
}

} // namespace

Shard parse_shard(const std::string& name, const std::string& text) {
  if (text == "auto") return shard_of_environment(name);
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("{}: '{}' is no shard: give I/N, from 1/N to N/N, or auto", name, text));
  std::uint64_t count = 0;
  try {
    count = parse_number(name, text.substr(slash + 1), 1, k_most_shards);
    const std::uint64_t index = parse_number(name, text.substr(0, slash), 1, count);
    return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(count)};
  } catch (const UsageError&) {
    throw UsageError(fmt::format("{}: '{}' is no shard: give I/N, {}", name, text,
                                 count == 0 ? "from 1/N to N/N" : fmt::format("I from 1 to {}", count)));
  }
}

std::optional<Shard> gtest_shard() {
  for (std::size_t i = 0; i < k_test_runners; ++i) {
    const JobArray& array = k_arrays[i];
    const char* count = std::getenv(array.count);
    if (count == nullptr || (i > 0 && std::string_view(count) == "0")) continue; // Bazel: no shards
    if (!is_set(array))
      throw UsageError(fmt::format("{} and {} have to be set together, to numbers", array.count, array.task));
    return shard_of(array.task, array);
  }
  return {};
}

void acknowledge_gtest_shards() {
  for (const char* name : {"GTEST_SHARD_STATUS_FILE", "TEST_SHARD_STATUS_FILE"})
    if (const char* path = std::getenv(name); path != nullptr) std::ofstream(path, std::ios::app);
}

} // namespace reex
