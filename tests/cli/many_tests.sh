#!/usr/bin/env bash
# many_tests.sh REEX: a budget that is too short for all tests of a binary. Each test that is begun has an execution; the
# others are named in each report, and --resume begins with them.
set -euo pipefail
reex="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf 'many_tests.sh: %s\n' "$1" >&2; cat "$work"/out* >&2 || true; exit 1; }
cd "$work"
# Each execution computes for long, where reex does not see it, beside a few scheduling points.
cat >many.cpp <<'CPP'
#include <gtest/gtest.h>
#include <atomic>
#include <thread>
__attribute__((no_sanitize("thread"))) void compute() {
  for (volatile long i = 0; i < 100'000'000; i = i + 1) {
  }
}
class Many : public testing::TestWithParam<int> {};
TEST_P(Many, Counts) {
  std::atomic<int> count{0};
  std::thread other([&] { ++count; });
  ++count;
  other.join();
  compute();
  EXPECT_EQ(count, 2);
}
INSTANTIATE_TEST_SUITE_P(Each, Many, testing::Range(0, 40));
CPP
# shellcheck disable=SC2046
g++ -std=c++17 -g -O1 $("$reex" flags --compile) many.cpp -o many $("$reex" flags --link) -lgtest -lgtest_main -pthread
run() { # NUMBER [OPTIONS]: a run of two seconds
  local number="$1" status=0
  shift
  "$reex" --budget 2s "$@" --format "text,json:$number.json,junit:$number.xml,html:$number.html" ./many >"out$number" 2>&1 ||
    status=$?
  [[ "$status" == 3 ]] || fail "status $status, not 3"
}
begun() { # NUMBER: the tests that were begun, one a line
  python3 -c '
import json, sys
for run in json.load(open(sys.argv[1]))["runs"]:
    if run["ended"] != "not_begun": print(run["test"]["name"])' "$1.json" | sort
}
run 1
begun 1 >begun1
count="$(wc -l <begun1)"
((count > 0 && count < 40)) || fail "$count of 40 tests were begun"
grep -qE "^40 tests: .*$((40 - count)) not begun$" out1 || fail 'the total does not tell how many were not begun'
grep -qE "^NOT BEGUN $((40 - count)) tests?: the budget ended before$" out1 || fail 'those not begun are not named'
grep -q "^reex: $((40 - count)) of 40 tests w.* not begun: give more --budget" out1 || fail 'no remedy is told'
[[ "$(grep -c 'the budget ended before its turn' 1.xml)" == "$((40 - count))" ]] || fail 'JUnit does not skip them'
[[ "$(grep -c 'the budget ended before its turn' 1.html)" == "$((40 - count))" ]] || fail 'the page does not name them'
run 2 --resume
begun 2 >begun2
[[ -z "$(comm -23 begun1 begun2)" ]] || fail 'a run that goes on has lost tests'
[[ -n "$(comm -13 begun1 begun2)" ]] || fail 'a run that goes on does not begin with those that were left'
run 3
grep -q '"schedules": 0' 3.json || fail 'nothing was left out anew'

# Without --resume, too, what had no turn comes first, and the reports keep the order of the binary.
begun 3 >begun3
run 4
begun 4 >begun4
[[ -z "$(comm -12 begun3 begun4)" || "$(wc -l <begun4)" -gt $((40 - $(wc -l <begun3))) ]] ||
  fail 'tests had a second turn before others had one'
python3 -c '
import json
names = lambda number: [run["test"]["name"] for run in json.load(open(number + ".json"))["runs"]]
assert names("1") == names("4")' || fail 'the order of the report depends on the turns'

# What tests without threads leave of the budget goes to the one that has more to explore.
cat >one.cpp <<'CPP'
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>
TEST(Threads, Many) {
  std::mutex mutex;
  int count = 0;
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      for (int turn = 0; turn < 8; ++turn) {
        std::lock_guard lock(mutex);
        ++count;
      }
    });
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(count, 32);
}
class Alone : public testing::TestWithParam<int> {};
TEST_P(Alone, DoesNothing) {}
INSTANTIATE_TEST_SUITE_P(Each, Alone, testing::Range(0, 30));
CPP
# shellcheck disable=SC2046
g++ -std=c++17 -g -O1 $("$reex" flags --compile) one.cpp -o one $("$reex" flags --link) -lgtest -lgtest_main -pthread
status=0
"$reex" --budget 6s --bound none --format text,json:one.json ./one >out4 2>&1 || status=$?
[[ "$status" == 0 ]] || fail "status $status, not 0"
[[ "$(grep -c 'Threads.Many: no failure' out4)" == 1 ]] || fail 'the test that went on is not told once'
grep -q 'before the change was analysed' out4 && fail 'it speaks of a change where there is none'
grep -q '^NOT EXPLORED 30 tests: no second thread' out4 || fail 'the tests without threads are not counted'
grep -q '^  and 20 more' out4 || fail 'the tests without threads are not named'
python3 -c '
import json
run = next(run for run in json.load(open("one.json"))["runs"] if run["test"]["name"] == "Threads.Many")
assert run["ended"] == "budget", run["ended"]
assert run["wall_seconds"] > 2, run["wall_seconds"]' || fail 'the budget was not used'

# Most of the budget goes to the tests in which what was changed takes part, once that is known.
mkdir changed && cd changed
cat >changed.cpp <<'CPP'
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>
class Sum {
public:
  void add() {
    std::lock_guard lock(m_mutex);
    ++m_value;
  }

private:
  std::mutex m_mutex;
  int m_value = 0;
};
class Double {
public:
  void add() {
    std::lock_guard lock(m_mutex);
    m_value += 2;
  }

private:
  std::mutex m_mutex;
  int m_value = 0;
};
template <typename Body> void in_four_threads(Body body) {
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) all.emplace_back(body);
  for (std::thread& thread : all) thread.join();
}
class Many : public testing::TestWithParam<int> {};
TEST_P(Many, Add) {
  Sum sum;
  in_four_threads([&] {
    for (int turn = 0; turn < 20; ++turn) sum.add();
  });
}
INSTANTIATE_TEST_SUITE_P(Each, Many, testing::Range(0, 8));
class Other : public testing::TestWithParam<int> {};
TEST_P(Other, Doubles) {
  Double sum;
  in_four_threads([&] {
    for (int turn = 0; turn < 20; ++turn) sum.add();
  });
}
INSTANTIATE_TEST_SUITE_P(Each, Other, testing::Range(0, 1));
class Last : public testing::TestWithParam<int> {};
TEST_P(Last, Fails) {
  int value = 0;
  in_four_threads([&] { value = 1; });
}
INSTANTIATE_TEST_SUITE_P(Each, Last, testing::Range(0, 1));
CPP
git init -q .
git add changed.cpp
git -c user.name=a -c user.email=a@b commit -qm 'as it was'
sed -i 's/m_value += 2;/m_value += 3;/' changed.cpp
# shellcheck disable=SC2046
g++ -std=c++17 -g -O1 $("$reex" flags --compile) changed.cpp -o changed $("$reex" flags --link) -lgtest -lgtest_main -pthread
"$reex" --base HEAD --wait-for-impact --budget 12s --filter '-*Fails*' --format text,json:changed.json ./changed >../out5 2>&1 ||
  fail "status $?, not 0"
python3 -c '
import json
seconds = {run["test"]["name"]: run["wall_seconds"] for run in json.load(open("changed.json"))["runs"]}
changed = seconds.pop("Each/Other.Doubles/0")
assert changed > 2 * max(seconds.values()), (changed, seconds)
assert min(seconds.values()) > 0.2, seconds' || fail 'the change makes no difference to the shares'

# Without a budget, no test waits until the ones before it are through.
"$reex" --bound none --reduction none ./changed >../out6 2>&1 &
for ((i = 0; i < 600; ++i)); do
  ! grep -q '^FAILED Each/Last.Fails/0' ../out6 || break
  sleep 0.1
done
kill -INT $!
status=0
wait $! || status=$?
grep -q '^FAILED Each/Last.Fails/0' ../out6 || fail 'a test waits until the others are through'
[[ "$status" == 1 || "$status" == 130 ]] || fail "status $status after an interruption"
grep -q 'of budget left' ../out6 && fail 'it speaks of a budget where there is none'
grep -q '^reex: interrupted' ../out6 || fail 'the interruption is not told'
echo 'what was not begun is told, and comes first next time'
