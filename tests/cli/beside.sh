#!/usr/bin/env bash
# beside.sh REEX: explores tests while another process analyses their change.
set -euo pipefail
reex="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  sed 's/^/  | /' out err 2>/dev/null || true
}
run() {
  local expected="$1" got=0
  shift
  "$reex" -o . "$@" >out 2>err </dev/null || got=$?
  [[ "$got" = "$expected" ]] || fail "$*: status $got, expected $expected"
  tr -s ' \n' ' ' <out >words
}
says() { grep -q "$1" words || fail "it is not said: $1"; }
says_not() { ! grep -q "$1" words || fail "it is said: $1"; }
field() { sed -n "s/^  \"$1\": \(.*\),\$/\1/p" report.json | head -1; }

# Only the parser computes the sums, so their length is that of the analysis. One sum has at most 1,048,576 steps.
cat >counter.h <<'CPP'
struct Counter {
  int count = 0;
  void add();
};
CPP
cat >counter.cpp <<'CPP'
#include "counter.h"
#ifdef __clang__
constexpr unsigned long sum(unsigned long steps) {
  unsigned long total = 0;
  for (unsigned long i = 0; i < steps; ++i) total += i * i;
  return total;
}
#define TWICE(n) static_assert(sum(STEPS + (n)) != 1); static_assert(sum(STEPS + (n) + 1) != 1);
TWICE(0) TWICE(2) TWICE(4) TWICE(6)
#endif
void Counter::add() { count += 1; }
CPP
cat >main.cpp <<'CPP'
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
#include "counter.h"
int elsewhere = 0;
int main() {
  std::mutex mutex;
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 4; ++k) {
#ifdef RACES_ELSEWHERE
        if (k == 0) ++elsewhere;
#endif
#ifdef LOCKED
        const std::lock_guard lock(mutex);
#endif
        counter.add();
      }
    });
  for (std::thread& thread : threads) thread.join();
#ifndef UNCHECKED
  if (counter.count != 4 * THREADS) std::abort();
#endif
}
CPP
git init -q .
git config user.email nobody@example.org
git config user.name nobody
git add .
git commit -qm before
sed -i 's/count += 1/count = count + 1/' counter.cpp
git commit -qam after
for program in small long fails both races raced; do
  case $program in
  small) flags='-DTHREADS=2 -DLOCKED' ;;
  long) flags='-DTHREADS=5 -DLOCKED' ;;
  fails) flags='-DTHREADS=2' ;;
  both) flags='-DTHREADS=2 -DRACES_ELSEWHERE' ;;
  raced) flags='-DTHREADS=3 -DUNCHECKED' ;;
  races) flags='-DTHREADS=2 -DLOCKED -DRACES_ELSEWHERE' ;;
  esac
  # shellcheck disable=SC2046,SC2086
  g++ -std=c++20 -O1 -g $("$reex" flags --compile) $flags main.cpp counter.cpp -o $program $("$reex" flags --link)
done
takes() { # steps
  printf '[{"directory": "%s", "file": "counter.cpp", "command": "clang++ -std=c++20 -DSTEPS=%s -fconstexpr-steps=2147483647 -c counter.cpp"}]' \
    "$work" "$1" >compile_commands.json
  rm -rf .reex
}
json=(--format text,json:report.json)

# An analysis that does not end in time: the test is explored all the same.
takes 2000000000
run 0 --base HEAD~1 --budget 3s "${json[@]}" ./long
says 'the run ended before the change was analysed'
[[ "$(field heuristic)" = null ]] || fail 'the order is said to be that of the change'
[[ "$(field schedules)" -gt 0 ]] || fail 'nothing was explored'
! pgrep -f "$work" >/dev/null || fail 'a process is left'
# It goes on as it began.
before="$(field schedules)"
printf '[]' >compile_commands.json
run 0 --resume --base HEAD~1 --budget 5s "${json[@]}" ./long
[[ "$(field heuristic)" = null && "$(field schedules)" -gt "$before" ]] || fail 'it did not go on as it began'

# A failure need not wait. The race is of the change, because its line has changed.
takes 2000000000
run 1 --base HEAD~1 "${json[@]}" ./fails
says 'FAILED'
says 'counter.cpp:11'
# Nor if there are races elsewhere, too: they do not decide about the verdict.
run 1 --base HEAD~1 "${json[@]}" ./both
says 'FAILED both: abort'
says 'may be of the change: its analysis took longer than the run'
# A test that is explored in full need not wait, either.
run 0 --base HEAD~1 --bound 2 "${json[@]}" ./small
says 'every schedule'
! pgrep -f "$work" >/dev/null || fail 'a process is left'
# A race elsewhere may be of the change, as far as is known.
takes 2000000000
run 3 --base HEAD~1 --bound 1 --budget 1s "${json[@]}" ./races
says 'INCONCLUSIVE'
says 'no verdict [12] data races* may be of the change: its analysis took longer than the run'
tail -n 1 err | grep 'longer than the run: give a larger --budget, or --wait-for-impact' >/dev/null || fail 'the last line does not say why'
takes 1
run 0 --base HEAD~1 --bound 1 --budget 60s "${json[@]}" ./races
says 'no failure: neither an access nor an operation that could order them is of the change'

# Of several tests, none waits for the analysis before the others had their turns. When it is done, the races of all are judged.
cat >suite.cpp <<'CPP'
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include "counter.h"
int elsewhere = 0;
void count() {
  std::mutex mutex;
  Counter counter;
  const auto add = [&] {
    ++elsewhere;
    const std::lock_guard lock(mutex);
    counter.add();
  };
  std::thread other(add);
  add();
  other.join();
}
TEST(Suite, One) { count(); }
TEST(Suite, Two) { count(); }
TEST(Suite, Three) { count(); }
CPP
# shellcheck disable=SC2046
g++ -std=c++20 -O1 -g $("$reex" flags --compile) suite.cpp counter.cpp -o suite $("$reex" flags --link) -lgtest -lgtest_main
takes 2000000000
run 3 --base HEAD~1 --bound 1 --budget 6s "${json[@]}" ./suite
[[ "$(grep -c '"ended": "bound"' report.json)" = 3 ]] || fail 'a test was kept from its turn'
says '3 inconclusive'
takes 20000
run 0 --base HEAD~1 --bound 1 --budget 60s "${json[@]}" ./suite
says_not 'no verdict'
says '3 passed'

# The order comes in, after the time for which the exploration waits (a sixteenth of the budget), and long
# before the budget is over: an analysis of about six seconds on this machine.
takes 20000
begin="$(date +%s%N)"
"$reex" impact --base HEAD~1 >out 2>err || fail 'the change was not analysed'
span="$(($(date +%s%N) - begin))"
takes "$((20000 * 6000000000 / span))"
run 0 --base HEAD~1 --budget 40s "${json[@]}" ./long
[[ "$(field heuristic)" = '"LOA"' ]] || fail 'the order of the change did not come in'
says 'executed before the change was analysed'
# It is in the cache now: two runs are equal.
run 0 --base HEAD~1 --bound 1 "${json[@]}" ./long
first="$(field schedules)"
says_not 'analysed'
[[ "$(field heuristic)" = '"LOA"' ]] || fail 'the cache is of no use'
run 0 --base HEAD~1 --bound 1 "${json[@]}" ./long
[[ "$(field schedules)" = "$first" ]] || fail 'two runs with a cache differ'
# A race of the change, which only the analysis can tell: it ends the search when the bound is done. One that does not
# fail the test does not, nor does one of which nothing is known yet.
takes "$((20000 * 2000000000 / span))"
run 1 --base HEAD~1 --budget 60s "${json[@]}" ./raced
[[ "$(field ended)" = '"bound"' && "$(field bound_completed)" = 2 ]] || fail 'it went on behind a race of the change'
run 1 --base HEAD~1 --budget 60s "${json[@]}" ./raced
says_not 'analysed'
[[ "$(field ended)" = '"bound"' && "$(field bound_completed)" = 2 ]] || fail 'with a cache it went on'
until="$(field schedules)"
run 0 --base HEAD~1 --races report --schedules $((2 * until)) "${json[@]}" ./raced
[[ "$(field schedules)" = $((2 * until)) ]] || fail 'it ended for a race that does not fail the test'
run 1 --base HEAD~1 -k 0 --schedules $((2 * until)) "${json[@]}" ./raced
[[ "$(field schedules)" = $((2 * until)) ]] || fail 'it ended although all failures are asked for'
run 1 --base HEAD~1 "${json[@]}" ./raced
[[ "$(field ended)" = '"bound"' && "$(field schedules)" = "$until" ]] || fail 'where it ends depends on the budget'
# A failure waits for an analysis that is over soon, so that the next run has the order.
takes "$((20000 * 1500000000 / span))"
run 1 --base HEAD~1 --budget 16s "${json[@]}" ./fails
run 1 --base HEAD~1 --budget 16s "${json[@]}" ./fails
says_not 'analysed'
[[ "$(field heuristic)" = '"LOA"' ]] || fail 'the analysis was lost with the failure'
# An analysis that is waited for leaves half of the budget.
takes "$((20000 * 3000000000 / span))"
run 1 --base HEAD~1 --wait-for-impact --budget 1s "${json[@]}" ./fails
says 'FAILED'
[[ "$(field heuristic)" = '"LOA"' ]] || fail 'the analysis was not waited for'
# The same without a cache, if it waits.
takes 100000
run 0 --base HEAD~1 --bound 1 --wait-for-impact "${json[@]}" ./long
says_not 'analysed'
[[ "$(field schedules)" = "$first" && "$(field heuristic)" = '"LOA"' ]] || fail 'a run that waits differs'
# An analysis that takes longer than the turn of one test of the project goes on beside the next ones of its binary.
takes "$((20000 * 13000000000 / span))"
for name in one two three four; do
  printf '[[test]]\nname = "%s"\nbinary = "long"\n' "$name"
done >.reex.toml
run 0 --base HEAD~1 --budget 40s
grep -q ' LOA, seed' out || fail 'the analysis began anew with each test'

exit $((failures > 0))
