// Parts of a run: --shard, which part of each test's schedules; and GoogleTest's variables, which part of the
// tests.
#pragma once

#include <optional>
#include <string>

#include "reex/run/result.h"

namespace reex {

// "2/8"; "auto" takes the part from what GoogleTest, a job array or a CI says in the environment. Throws
// UsageError.
Shard parse_shard(const std::string& name, const std::string& text);

// The part of the tests that GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX ask for, where they are set. Throws
// UsageError.
std::optional<Shard> gtest_shard();

// Whoever set GTEST_SHARD_STATUS_FILE is told by the file that the variables are heeded.
void acknowledge_gtest_shards();

} // namespace reex
