#!/usr/bin/env bash
# compile_errors.sh INCLUDE COMPILER...: what the compilers say of wrong schedules and names, and that the header
# needs C++17 only.
set -euo pipefail
include="$1"
shift
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
status=0

# check COMPILER STANDARD WANTED CODE: the compiler accepts the code (WANTED is empty), or refuses it with this text
check() {
  printf '#include <gtest/gtest.h>\n#include <reex/imunit.h>\n%s\n' "$4" >"$folder/code.cpp"
  # shellcheck disable=SC2086 # a compiler may come with an option
  if $1 "-std=$2" -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -I "$include" "$folder/code.cpp" 2>"$folder/said"; then
    [[ -z "$3" ]] && return
    echo "$1 -std=$2 accepts: $4"
  else
    [[ -n "$3" ]] && grep -qF "$3" "$folder/said" && return
    echo "$1 -std=$2 does not say \"$3\" of: $4"
    head -20 "$folder/said"
  fi
  status=1
}

# accepts COMPILER STANDARD FLAG: a plain program that uses everything is accepted without a warning
cat >"$folder/plain.cpp" <<'CPP'
#include <reex/imunit.h>
void f() {
  REEX_CREATES("t#");
  REEX_THREAD("t");
  REEX_EVENT(a);
  REEX_EVENT_AT(b, "before mutex lock in f");
}
int main() {
  reex::imunit::Schedule schedule(reex::imunit::Plan("a->b").vacuous_ok().infeasible_ok());
  f();
  return schedule.ok() ? 0 : 1;
}
CPP
accepts() {
  "$1" "-std=$2" "$3" -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -I "$include" "$folder/plain.cpp" && return
  echo "$1 -std=$2 $3 does not accept a plain program"
  status=1
}

for compiler in "$@"; do
  for standard in c++17 c++20; do
    check "$compiler" "$standard" "" 'void f() { REEX_THREAD("t"); REEX_EVENT(a); REEX_EVENT("A.b"); REEX_SCHEDULE("a->b"); REEX_INFEASIBLE("a->b"); }'
    check "$compiler" "$standard" "" 'REEX_IMUNIT_TEST(S, T, {"x", "a->b"}, {"y", "b->a"}) { REEX_EVENT(a); }'
    check "$compiler" "$standard" "the name of an event is" 'void f() { REEX_EVENT(start); }'
    check "$compiler" "$standard" "schedule" 'REEX_IMUNIT_TEST(S, T, {"x", "a->b->c"}) {}'
  done
  for flags in -O0 -O2 -O3 -fno-exceptions -fno-rtti -fvisibility=hidden -fsanitize=thread -fsanitize=address; do
    accepts "$compiler" c++17 "$flags"
    accepts "$compiler" c++20 "$flags"
  done
  check "$compiler" c++20 "write a->b, b->c instead of a->b->c" 'void f() { REEX_SCHEDULE("a->b->c"); }'
  check "$compiler" c++20 "write start@t" 'void f() { REEX_INFEASIBLE("start->a"); }'
  check "$compiler" c++20 "write a->b, b->c instead of a->b->c" 'REEX_IMUNIT_TEST(S, T, {"x", "a->b->c"}) {}'
  check "$compiler" c++17 "" 'void f() { REEX_SCHEDULE("a->b->c"); }'
  off="-DREEX_IMUNIT_OFF"
  check "$compiler $off" c++17 "" 'constexpr int f() { REEX_EVENT(a); REEX_THREAD("t"); return 1; } static_assert(f() == 1);'
  check "$compiler $off" c++17 "REEX_IMUNIT_OFF is defined" 'void f() { REEX_SCHEDULE("a->b"); }'
  check "$compiler $off" c++17 "REEX_IMUNIT_OFF is defined" 'REEX_IMUNIT_TEST(S, T, {"x", "a->b"}) {}'
done
exit "$status"
