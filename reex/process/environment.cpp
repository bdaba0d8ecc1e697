#include "reex/process/environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace reex {
namespace {

constexpr std::array<std::string_view, 16> k_git_variables = {"GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                              "GIT_CONFIG",
                                                              "GIT_CONFIG_PARAMETERS",
                                                              "GIT_CONFIG_COUNT",
                                                              "GIT_OBJECT_DIRECTORY",
                                                              "GIT_DIR",
                                                              "GIT_WORK_TREE",
                                                              "GIT_IMPLICIT_WORK_TREE",
                                                              "GIT_GRAFT_FILE",
                                                              "GIT_INDEX_FILE",
                                                              "GIT_NO_REPLACE_OBJECTS",
                                                              "GIT_REPLACE_REF_BASE",
                                                              "GIT_PREFIX",
                                                              "GIT_INTERNAL_SUPER_PREFIX",
                                                              "GIT_SHALLOW_FILE",
                                                              "GIT_COMMON_DIR"};

// What a test gets if the user has not set it. Qt's hash tables are not randomized, QtTest starts no gdb when
// a test function takes too long, and Check runs its tests in its own process.
constexpr std::array<std::pair<const char*, const char*>, 3> k_defaults = {
    {{"QT_HASH_SEED", "0"}, {"QTEST_DISABLE_STACK_DUMP", "1"}, {"CK_FORK", "no"}}};

} // namespace

std::span<const std::string_view> git_local_variables() { return k_git_variables; }

void unset_git_local_variables() {
  for (const std::string_view name : k_git_variables) unsetenv(std::string(name).c_str());
}

std::vector<std::string> clean_environment() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool git = std::find(k_git_variables.begin(), k_git_variables.end(), name) != k_git_variables.end();
    if (!git && !name.starts_with("GTEST_") && !name.starts_with("BOOST_TEST_") && name != "LD_PRELOAD")
      kept.emplace_back(text);
  }
  return kept;
}

std::vector<std::string> environment_of_test() {
  std::vector<std::string> kept;
  for (const auto& [name, value] : k_defaults)
    if (std::getenv(name) == nullptr) kept.push_back(std::string(name) + '=' + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const std::string_view plain = name.starts_with('G') ? name.substr(1) : name; // Bazel's have no G
    if (plain != "TEST_TOTAL_SHARDS" && plain != "TEST_SHARD_INDEX" && plain != "TEST_SHARD_STATUS_FILE")
      kept.emplace_back(text);
  }
  return kept;
}

} // namespace reex
