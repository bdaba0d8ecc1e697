#!/usr/bin/env bash
# late_details.sh REEX: when the budget is over before a finding or a failure was executed again in detail, the
# finding is reported without stacks, and the failure takes the verdict away. An execution of the test lasts until
# the given time, at which the budget is nearly over; one that begins later lasts for 6 seconds.
set -euo pipefail
reex="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
complain() { status=1; printf 'late_details: %s\n' "$1"; cat output; }

cat >late.cpp <<'CPP'
#include <cstdlib>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
int shared;
// In the machine's time, unseen by reex.
__attribute__((no_sanitize("thread"))) void call(long number, long first, void* second) {
  asm volatile("syscall" : "+a"(number) : "D"(first), "S"(second) : "rcx", "r11", "memory");
}
__attribute__((no_sanitize("thread"))) void last_until(long end) {
  timespec time{};
  call(SYS_clock_gettime, CLOCK_REALTIME, &time);
  time = {time.tv_sec < end ? end - time.tv_sec : 6, 0};
  call(SYS_nanosleep, reinterpret_cast<long>(&time), nullptr);
}
int main(int count, char** arguments) {
  std::thread other([] { shared = 1; });
  shared = 2;
  other.join();
  last_until(atol(arguments[1]));
  if (count > 2) abort();
}
CPP
# shellcheck disable=SC2046
c++ $("$reex" flags --compile) late.cpp -o late $("$reex" flags --link) -pthread

got=0
"$reex" run --races fail --keep-going 0 --budget 8s --format json:report.json,text ./late -- $(($(date +%s) + 8)) >output 2>&1 || got=$?
((got == 1)) || complain "wanted status 1, got $got"
grep -q 'data race on shared' output || complain 'the race'
grep -q 'has no stacks: the time was over' output || complain 'the note'
file=$(echo .reex/failures/*.reex)
[[ -s "$file" ]] || complain 'the schedule file'
got=0
"$reex" replay "$file" >output 2>&1 || got=$?
((got == 1)) || complain "the replay: wanted status 1, got $got"
grep -q 'late.cpp:[0-9]* in main' output || complain 'the replay shows no stacks'

got=0
"$reex" run --races off --budget 8s ./late -- $(($(date +%s) + 8)) fail >output 2>&1 || got=$?
((got == 3)) || complain "wanted status 3, got $got"
grep -q 'there was no time' output || complain 'what happened'
exit "$status"
