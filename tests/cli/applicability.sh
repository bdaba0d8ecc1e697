#!/usr/bin/env bash
# applicability.sh SCRIPT REEX CORPUS PROGRAMS: holds scripts/applicability.py to what it says of small programs: the
# corpus, and the runtime's programs. All of it runs on one processor: there, natively, a thread is as good as never
# interrupted between the load and the store of an update, so that programs that can lose one pass natively.
set -euo pipefail
taskset -cp "$(taskset -cp $$ | grep -o '[0-9]*$')" $$ >/dev/null
script="$1" reex="$2" corpus="$3" programs="$4"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() { failures=$((failures + 1)); printf 'FAILED: %s\n' "$*"; cat out err 2>/dev/null || true; }

# survey STATUS ARGUMENTS...: runs the script into the folder `results`
survey() {
  local status="$1" got=0
  shift
  "$script" --reex "$reex" --set '--schedules 500' -o results "$@" >out 2>err || got=$?
  [[ "$got" = "$status" ]] || fail "status $got, expected $status: $*"
}
# says JSON_EXPRESSION: an expression of Python over `tests`, by the names of the tests
says() {
  python3 - "$1" <<'PYTHON' || fail "not so: $1"
import json, sys
tests = {line["suite"] + ": " + line["test"]: line for line in json.load(open("results/tests.json"))["tests"]}
sys.exit(0 if eval(sys.argv[1]) else 1)
PYTHON
}

# Folders are suites. Files that are no programs are passed over, and so is what has no hooks, and the programs with
# which CMake tries out the compiler.
mkdir -p tree/good/deeper tree/bad tree/good/CMakeFiles/3.25 tree/.hidden
cp "$corpus/fails/deadlock/ab_ba" tree/good/CMakeFiles/3.25/
cp "$corpus/fails/deadlock/ab_ba" tree/.hidden/
cp "$corpus/passes/condition/while_loop" tree/good/
cp "$corpus/passes/race/shared_ptr" tree/good/deeper/
cp "$corpus/passes/library/list" tree/bad/
cp "$corpus/fails/deadlock/ab_ba" tree/bad/
cp "$(type -P true)" tree/good/
echo text >tree/bad/readme && chmod +x tree/bad/readme
survey 1 -j 2 tree
says 'len(tests) == 4'
says 'tests["good: while_loop"]["class"] == tests["good: shared_ptr"]["class"] == "right"'
says 'tests["good: while_loop"]["native"]["statuses"] == [0, 0, 0] and tests["good: while_loop"]["native"]["threads"]'
says 'tests["good: while_loop"]["runs"][0]["status"] == 0 and tests["good: while_loop"]["runs"][0]["schedules"] > 1'
says 'tests["bad: list"]["class"] == "races" and "race: " in tests["bad: list"]["runs"][0]["reason"]'
says 'tests["bad: ab_ba"]["class"] == "failed" and "deadlock" in tests["bad: ab_ba"]["runs"][0]["reason"]'
grep -qF '| bad | 2 | 0 of 2 (0 %) | 1 | 1 |' results/table.md || fail 'the row of bad'
grep -qF '| good | 2 | 2 of 2 (100 %) |  |  |' results/table.md || fail 'the row of good'
grep -q '^| bad | ab_ba | failed | .*deadlock' results/table.md || fail 'the reason of ab_ba'

# What was done is kept, as long as the binary is the same.
survey 1 tree
grep -q '4 of 4 tests are done already' out || fail 'nothing was kept'
cp "$corpus/passes/condition/any_lock" tree/good/while_loop
survey 1 tree
grep -q '3 of 4 tests are done already' out || fail 'a changed binary was not run again'
printf '["half a line' >>results/done.jsonl
survey 1 tree
grep -q '4 of 4 tests are done already' out || fail 'an interrupted line is in the way'
survey 1 --again tree
! grep -q 'done already' out || fail '--again kept something'

# A list: binaries with arguments; suites by name. A GoogleTest binary is one test for each of its tests.
COUNTER=$(ipcmk -S 1 -p 0600 | grep -o '[0-9]*$') # of the executions of one of them
export COUNTER
trap 'ipcrm -s "$COUNTER"; rm -rf "$work"' EXIT
cat >list <<LIST
# what needs arguments
[own words]
$programs/isolation counts_executions
$programs/endings no_threads
$(type -P false)
[suite]
$programs/suite
LIST
survey 1 --any -j 2 list
says 'tests["own words: isolation counts_executions"]["class"] == "refused"'
says '"then thread 1 did" in tests["own words: isolation counts_executions"]["runs"][0]["reason"]'
says 'tests["own words: endings no_threads"]["class"] == "no threads" and not tests["own words: endings no_threads"]["runs"]'
says 'tests["own words: false"]["class"] == "fails" and tests["own words: false"]["native"]["statuses"] == [1]'
says 'tests["suite: suite Counter.Locked"]["class"] == "right"'
says 'tests["suite: suite Counter.Unlocked"]["class"] == "failed"'
says 'not any("DISABLED" in name for name in tests)'
survey 0 --tests 1 --any "$programs/suite"
says 'len(tests) == 1'
# A pattern of the framework's among the arguments chooses the cases.
echo "$programs/suite --gtest_filter=*.Unlocked" >chosen
survey 1 --any chosen
says 'list(tests) == ["chosen: suite Counter.Unlocked"] and tests["chosen: suite Counter.Unlocked"]["class"] == "failed"'

# A build folder of CMake: the tests that ctest knows of, as it starts them.
mkdir -p build/elsewhere
cat >build/finds.cpp <<CPP
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
int main() {
  const char* where = std::getenv("WHERE");
  bool found = false;
  std::thread other([&] { found = where != nullptr && std::ifstream(std::string("../") + where + "/here").good(); });
  other.join();
  return found ? 0 : 1;
}
CPP
touch build/elsewhere/here
# shellcheck disable=SC2046
g++ $("$reex" flags --compile) build/finds.cpp -o build/finds $("$reex" flags --link)
cat >build/CMakeCache.txt </dev/null
cat >build/CTestTestfile.cmake <<CTEST
add_test(updates "$programs/suite" "--gtest_filter=*.Unlocked")
add_test(waits "$corpus/passes/condition/while_loop")
add_test(finds-its-folder "$work/build/finds")
set_tests_properties(finds-its-folder PROPERTIES WORKING_DIRECTORY "$work/build/elsewhere" ENVIRONMENT "WHERE=elsewhere")
add_test(script "$(type -P ldd)")
add_test(missing "$work/nothing")
CTEST
survey 1 --any build
says 'sorted(tests) == ["build: finds-its-folder", "build: updates Counter.Unlocked", "build: waits"]'
says 'tests["build: waits"]["class"] == "right" and tests["build: updates Counter.Unlocked"]["class"] == "failed"'
says 'tests["build: finds-its-folder"]["class"] == "right"'
grep -qF 'left out: 1 is not built; 1 is no program for x86-64, such as a script' out || fail 'what is left out'
survey 0 --any -R '^wai' build
says 'list(tests) == ["build: waits"]'

# Each case of doctest and of Boost.Test is a test. The cases of another framework are one test, and all of them are
# told.
frameworks="$programs/../../frameworks/programs"
if [[ -x "$frameworks/doctest" ]]; then
  survey 1 -j 2 --any "$frameworks/doctest"
  says 'tests["programs: doctest a, b"]["class"] == tests["programs: doctest holds"]["class"] == "right"'
  says 'tests["programs: doctest loses an update"]["class"] == "failed"'
  says 'tests["programs: doctest no threads"]["class"] == "no threads"'
fi
# A program with a main of its own that does not list its cases is one test.
if [[ -x "$frameworks/own_main" ]]; then
  survey 1 --any "$frameworks/own_main"
  says 'len(tests) == 1 and tests["programs: own_main"]["class"] == "failed"'
fi
if [[ -x "$frameworks/boost_test" ]]; then
  survey 1 --any "$frameworks/boost_test"
  says 'tests["programs: boost_test holds"]["class"] == tests["programs: boost_test suite/holds"]["class"] == "right"'
  says 'tests["programs: boost_test suite/inner/loses"]["class"] == "failed"'
  says 'tests["programs: boost_test no_threads"]["class"] == "no threads"'
fi
if [[ -x "$frameworks/catch2" ]]; then
  survey 1 --any "$frameworks/catch2"
  says 'len(tests) == 1 and tests["programs: catch2"]["class"] == "failed"'
  says 'all(name in tests["programs: catch2"]["runs"][0]["reason"] for name in ["count(false) == 2", "an update was lost"])'
fi

# A run that does not end is ended, and told.
got=0
"$script" --reex "$reex" --set '--bound none --reduction none --strategy random --schedules 1000000000' --limit 1 -o late \
  tree/good/while_loop >out 2>err || got=$?
[[ "$got" = 1 ]] && grep -q 'time-out' late/table.md || fail 'a run without end'

# Errors are one line and status 2.
expect_error() {
  local pattern="$1" got=0
  shift
  "$script" -o results "$@" >out 2>err || got=$?
  [[ "$got" = 2 && "$(wc -l <err)" = 1 ]] && grep -q "^applicability: .*$pattern" err || fail "expected an error with '$pattern': $*"
}
expect_error 'there is no missing' --reex "$reex" missing
expect_error 'no reex at missing' --reex missing tree
expect_error "not linked with reex's hooks" --reex "$reex" "$(type -P true)"
echo 'nothing' >list2
expect_error 'list2:1: .*nothing is no program' --reex "$reex" list2
expect_error 'numbers must be positive' --reex "$reex" -j 0 tree
expect_error 'no test matches nothing' --reex "$reex" -R nothing tree
expect_error '--match: ' --reex "$reex" -R '(' tree
"$script" --help | grep 'What can reex control here' >/dev/null || fail 'no help'

if ((failures > 0)); then
  echo "$failures failed"
  exit 1
fi
