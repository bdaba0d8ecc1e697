#!/usr/bin/env bash
# native_matrix.sh ROOT all|some COMPILER...: the header's programs with each compiler, standard, optimization and
# sanitizer: no warning, no report of a sanitizer, and the ends that native_test.cpp expects. `some` is a part that
# takes seconds.
set -euo pipefail
root="$1"
what="$2"
shift 2
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror"
# What a deadlock or a thread that is cancelled or left alone leaves behind is what those programs show.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# Exit statuses are those of the programs, and not of the sanitizer's leaks of threads and mutexes.
export TSAN_OPTIONS=report_thread_leaks=0:report_destroy_locked=0:detect_deadlocks=0
failed=0

complain() {
  echo "$1"
  failed=1
}

# compile PROGRAM COMPILER FLAGS LIBRARIES
compile() {
  # shellcheck disable=SC2086 # flags are words
  if ! "$2" $3 $warnings -g -UNDEBUG -I "$root/include" "$root/tests/imunit/programs/$1.cpp" -o "$folder/$1" $4 -pthread \
    >"$folder/said" 2>&1; then
    complain "$2 $3 does not compile $1: $(head -20 "$folder/said")"
    return 1
  fi
}

# ends NAME STATUS TEXT COMMAND...: with the status and the text, and without a report
ends() {
  local name="$1" wanted="$2" text="$3" status=0
  shift 3
  timeout 30 "$@" >"$folder/said" 2>&1 || status=$?
  if grep -qE 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer|runtime error:' "$folder/said"; then
    complain "$name: $(grep -E -A 12 'Sanitizer|runtime error:' "$folder/said" | head -30)"
  elif [[ "$status" != "$wanted" || "$(<"$folder/said")" != *"$text"* ]]; then
    complain "$name: status $status, and not $wanted with '$text': $(tail -5 "$folder/said")"
  fi
}

uses() {
  compile uses "$1" "$2" "" || return 0
  local line
  while IFS=$'\t' read -r name status text; do
    # A sanitizer keeps a handler of its own for these signals, and its own threads beside a fork.
    [[ "$2" == *sanitize* && "$name" == forks ]] && continue
    ends "$1 $2: uses $name" "$status" "$text" "$folder/uses" "$name"
  done < <(sed -nE 's/^    \{"(\w+)", ([0-9]+), "(.*)"\},$/\1\t\2\t\3/p' "$root/tests/imunit/native_test.cpp")
}
queue() {
  compile queue "$1" "$2" "-lgtest_main -lgtest" || return 0
  ends "$1 $2: queue" 0 '[  PASSED  ] 8 tests' "$folder/queue" \
    '--gtest_filter=Queue.*:Ordered.*/right:Infeasible.*:FaultyQueue.OneWaits*'
}

thread="-fsanitize=thread"
address="-fsanitize=address,undefined"
if [[ "$what" == all ]]; then
  for compiler in "$@"; do
    for standard in c++17 c++20; do
      for level in -O0 -O2; do
        for sanitizer in "" "$thread" "$address"; do
          uses "$compiler" "-std=$standard $level $sanitizer"
          queue "$compiler" "-std=$standard $level $sanitizer"
        done
      done
    done
  done
else
  uses "$1" "-std=c++20 -O0 $thread"
  queue "${2:-$1}" "-std=c++17 -O2 $address"
fi
exit "$failed"
