#include "cli/options/setting_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/options/option_table.h"
#include "cli/options/similar.h"
#include "cli/terminal/command_error.h"

namespace reex {
namespace {

constexpr std::array<std::string_view, 18> k_other_variables = {
    // of reex for a test (reex/shared/protocol.h, reex/runtime/worker/restore_check.cpp)
    "REEX_CONTROL_FD", "REEX_SHARED_FD", "REEX_TABLE_FD", "REEX_LOG_FD", "REEX_RESTORE_CHECK",
    "REEX_FORESIGHT",
    // of tests (docs/imunit.md)
    "REEX_IMUNIT", "REEX_IMUNIT_TIMEOUT",
    // of the hook, which must not call itself (cli/hook/hook_script.cpp)
    "REEX_HOOK_RUNS",
    // of reex's own tests and benchmarks (docs/testing.md)
    "REEX_BINARY", "REEX_FAULTS", "REEX_SEEDS", "REEX_FUZZ_SEEDS", "REEX_FUZZ_FIRST", "REEX_READER_SEEDS",
    "REEX_MODEL_SEED", "REEX_MODEL_PROGRAMS", "REEX_BENCH_QUICK"};

// Keys of git's configuration that the hook reads by itself, because they may have several values.
constexpr std::array<std::string_view, 1> k_other_git_keys = {"reex.test"};

[[noreturn]] void refuse(const std::string& name, const OptionRow* row,
                         const std::vector<std::string>& known) {
  if (row != nullptr)
    throw UsageError(
        fmt::format("{}: {} is an option and no setting: give it on the command line", name, row->key()));
  throw UsageError(fmt::format("{}: there is no such setting: {}", name,
                               did_you_mean(name.substr(name.find_last_of(' ') + 1), known,
                                            "unset it; reex doctor shows those that there are")));
}

template <typename Name>
void check(const std::string& shown, const std::string& name, Name name_of) {
  std::vector<std::string> known;
  const OptionRow* no_setting = nullptr;
  for (const OptionRow& row : option_table()) {
    const std::string here = name_of(row);
    if (here == name && row.setting) return;
    if (here == name) no_setting = &row;
    if (row.setting) known.push_back(here);
  }
  refuse(shown, no_setting, known);
}

} // namespace

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys;
  for (const OptionRow& row : option_table())
    if (row.setting) keys.push_back(row.key());
  return keys;
}

std::span<const std::string_view> other_variables() { return k_other_variables; }

void check_variable(const std::string& name) {
  if (!name.starts_with("REEX_") || name.starts_with("REEX_TEST_")) return;
  if (std::find(k_other_variables.begin(), k_other_variables.end(), name) != k_other_variables.end()) return;
  check(name, name, [](const OptionRow& row) { return row.variable(); });
}

void check_git_key(const std::string& key) {
  if (!key.starts_with("reex.")) return;
  if (std::find(k_other_git_keys.begin(), k_other_git_keys.end(), key) != k_other_git_keys.end()) return;
  check("git config " + key, key, [](const OptionRow& row) { return "reex." + row.key(); });
}

} // namespace reex
