// Parts of a run: --shard, which part of each test's schedules; and GoogleTest's variables, which part of the
// tests.
#pragma once

#include <string>

#include "cli/subject/tests_of_binary.h"
#include "reex/run/result.h"

namespace reex {

// "2/8"; "auto" takes the part from what GoogleTest, a job array or a CI says in the environment. Throws
// UsageError.
Shard parse_shard(const std::string& name, const std::string& text);

// What is left of the tests for this process where GTEST_TOTAL_SHARDS is set, dealt out as GoogleTest does.
// Throws UsageError, also where nothing is left.
void keep_share_of_tests(TestSelection& tests);

// Whoever set GTEST_SHARD_STATUS_FILE is told by the file that the variables are heeded.
void acknowledge_gtest_shards();

} // namespace reex
