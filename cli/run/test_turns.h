// The order in which tests that share a budget have their turns. A budget may end before all of them had one:
// what failed in the run before comes first, then what is new, then what had no turn; then the others.
//
// Ctrl-C changes no order. It is kept in .reex/runs as long as a test failed or had no turn, as lines "failed
// NAME", "waits NAME" and "had NAME" in the order of the run. A file that cannot be read or written means the
// order as given: nothing but the order depends on it.
#pragma once

#include <string>
#include <vector>

namespace reex {

enum class LastTurn { failed, waits, had };

struct TestTurn {
  std::string test;
  LastTurn turn;
};

// The file, in the folder of .reex that holds `failures_folder`, for the tests of `identity`.
std::string turns_file(const std::string& failures_folder, const std::string& identity);

// `tests` in the order of their turns.
std::vector<std::string> in_turns(const std::string& file, const std::vector<std::string>& tests);

std::vector<std::string> failed_before(const std::string& file);

// `turns`: of all tests, in the order of this run.
void keep_turns(const std::string& file, const std::vector<TestTurn>& turns);

} // namespace reex
