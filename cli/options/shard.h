// Parts of a run. --shard selects a part of the schedules of each test. GoogleTest's variables select a part
// of the tests.
#pragma once

#include <optional>
#include <string>

#include "reex/run/result.h"

namespace reex {

// Reads "2/8" or "auto". With "auto", the part comes from the variables of GoogleTest, a job array or a CI.
// Throws UsageError.
Shard parse_shard(const std::string& name, const std::string& text);

// The part of the tests that GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX select, or Bazel's variables of the
// same names without the G; nullopt if neither is set. Throws UsageError.
std::optional<Shard> gtest_shard();

// Creates the file of GTEST_SHARD_STATUS_FILE or TEST_SHARD_STATUS_FILE, if this is set. It tells a test
// runner that the variables are respected.
void acknowledge_gtest_shards();

} // namespace reex
