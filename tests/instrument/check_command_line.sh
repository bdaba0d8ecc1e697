#!/usr/bin/env bash
# check_command_line.sh COMPILER PRINT_FLAGS REEX HOOKS COUNTING: checks that the flags make an instrumented program, in
# one command and in two, with and without optimization, with warnings as errors, and with optimization at link time.
set -euo pipefail
compiler="$1" print_flags="$2" reex="$3" hooks="$4" counting="$5"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=tests/instrument/instrumented.sh
. "$here/instrumented.sh"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

if [[ "$hooks" = *' '* ]]; then
  ! "$print_flags" "$reex" link 2>refusal || fail "the flags hold a path with a space"
  grep 'contains a space' refusal >/dev/null || fail "a path with a space is refused without a reason"
  exit 0
fi
compile_text="$("$print_flags" "$reex" compile)"
link_text="$("$print_flags" "$reex" link)"
read -r -a compile <<<"$compile_text"
read -r -a link <<<"$link_text"
levels=(-O0 -O2)
# clang++ instruments before it writes bitcode; what its linker needs besides is not installed everywhere.
if "$compiler" --version | grep 'Free Software Foundation' >/dev/null; then levels+=('-O2 -flto=auto -fno-fat-lto-objects'); fi
for level in "${levels[@]}"; do
  read -r -a words <<<"$level"
  common=(-std=c++20 -Wall -Wextra -Wpedantic -Werror "${words[@]}")
  "$compiler" "${common[@]}" "${compile[@]}" "$here/program.cpp" -o one "${link[@]}"
  expect_instrumented ./one "$hooks" "$counting"

  "$compiler" "${common[@]}" "${compile[@]}" -c "$here/program.cpp" -o two.o
  "$compiler" "${words[@]}" two.o -o two "${link[@]}"
  expect_instrumented ./two "$hooks" "$counting"

  "$compiler" "${common[@]}" "${compile[@]}" two.o -o three "${link[@]}"
  expect_instrumented ./three "$hooks" "$counting"
done

# Where coverage is measured, compilers would count with atomic operations in each block: every one a scheduling point.
"$compiler" -std=c++20 --coverage "${compile[@]}" -c "$here/program.cpp" -o covered.o
"$compiler" --coverage covered.o -o covered "${link[@]}"
expect_instrumented ./covered "$hooks" "$counting"
"$compiler" -std=c++20 "${compile[@]}" -c "$here/program.cpp" -o plain.o
count_of_atomics() { objdump -dr "$1" | grep -c __tsan_atomic || true; }
[[ "$(count_of_atomics covered.o)" = "$(count_of_atomics plain.o)" ]] || fail 'the counters of --coverage are scheduling points'
