#!/usr/bin/env bash
# check_races.sh COMPILER REEX: checks that every race of races.cpp fails, whatever else the project asks the compiler for.
set -euo pipefail
compiler="$1" reex="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf 'check_races: %s\n' "$1" >&2; exit 1; }

compile_text="$("$reex" flags --compile)"
link_text="$("$reex" flags --link)"
read -r -a compile <<<"$compile_text"
read -r -a link <<<"$link_text"
cd "$work"
projects=(-O0 -O1 -O2 -O3 -Os '-O2 -D_FORTIFY_SOURCE=2' '-O2 -Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=2' '-O2 -D_GLIBCXX_ASSERTIONS -fstack-protector-strong' '-O3 -flto' '-O2 -march=native')
if [[ "$compiler" = g++ ]]; then
  projects+=('-O2 -fsanitize=undefined')
else
  projects+=('-O2 -fsanitize=undefined -fsanitize-trap=undefined')
fi
for project in "${projects[@]}"; do
  read -r -a options <<<"$project"
  "$compiler" -std=c++20 -pthread "${compile[@]}" "${options[@]}" -c "$here/races.cpp" -o races.o
  "$compiler" -pthread "${options[@]}" races.o "${link[@]}" -lcrypt -o races
  for name in local global vector memset freed returned 'returned two' 'returned four' 'on branches' 'at an index' 'between calls' passed 'passed two' 'passed four' none; do
    # The copy of what clang++ passes on the stack is made behind its hooks.
    [[ "$compiler" = g++ || "$name" != 'passed four' ]] || continue
    expected=1
    if [[ "$name" = none ]]; then expected=0; fi
    status=0
    "$reex" --schedules 200 --budget 20s races -- "$name" >out 2>&1 </dev/null || status=$?
    ((status == expected)) || { cat out >&2; fail "$compiler $project: $name: status $status"; }
  done
done
