#!/usr/bin/env bash
# late_details.sh REEX: when the budget is over before a finding or a failure was executed again in detail, the
# finding is reported without stacks, and the failure takes the verdict away. Every execution of the test
# takes 4 seconds, so the first one fits into the budget of 4 seconds and 2 more, and a second one does not.
set -euo pipefail
reex="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
complain() { status=1; printf 'late_details: %s\n' "$1"; cat output; }

cat >late.cpp <<'CPP'
#include <cstdlib>
#include <thread>
#include <time.h>
int shared;
// In the machine's time, unseen by reex.
__attribute__((no_sanitize("thread"))) void take_long() {
  timespec time{4, 0};
  long result = 35; // nanosleep
  asm volatile("syscall" : "+a"(result) : "D"(&time), "S"(0) : "rcx", "r11", "memory");
}
int main(int count, char**) {
  std::thread other([] { shared = 1; });
  shared = 2;
  other.join();
  take_long();
  if (count > 1) abort();
}
CPP
# shellcheck disable=SC2046
c++ $("$reex" flags --compile) late.cpp -o late $("$reex" flags --link) -pthread

got=0
"$reex" run --races fail --keep-going 0 --budget 4s --format json:report.json,text ./late >output 2>&1 || got=$?
((got == 1)) || complain "wanted status 1, got $got"
grep -q 'data race on shared' output || complain 'the race'
grep -q 'has no stacks: the time was over' output || complain 'the note'
file=$(echo .reex/failures/*.reex)
[[ -s "$file" ]] || complain 'the schedule file'
"$reex" replay "$file" >output 2>&1 && complain 'the replay passed'
grep -q 'saw race' output || complain 'the replay shows no race'

got=0
"$reex" run --races off --budget 4s ./late -- fail >output 2>&1 || got=$?
((got == 3)) || complain "wanted status 3, got $got"
grep -q 'there was no time' output || complain 'what happened'
exit "$status"
