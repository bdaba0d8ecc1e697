#!/usr/bin/env bash
# check_values.sh COMPILER REEX: checks that instrumented code does what the code does without.
set -euo pipefail
compiler="$1" reex="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
compile_text="$("$reex" flags --compile)"
link_text="$("$reex" flags --link)"
read -r -a compile <<<"$compile_text"
read -r -a link <<<"$link_text"
cd "$work"
"$compiler" -O1 "$here/values.cpp" -o plain
expected="$(./plain)"
for project in -O0 -O1 -O2 -O3 -Os '-O2 -fno-omit-frame-pointer' '-O2 -march=native' '-O2 -pipe' '-O2 -fno-pie -no-pie' '-O2 -save-temps' '-O2 -g3 -ffunction-sections -fcf-protection'; do
  read -r -a options <<<"$project"
  "$compiler" "${compile[@]}" "${options[@]}" -c "$here/values.cpp" -o values.o
  "$compiler" "${options[@]}" values.o "${link[@]}" -o values
  seen="$(./values)"
  [[ "$seen" = "$expected" ]] || {
    printf 'check_values: %s %s: %s, and not %s\n' "$compiler" "$project" "$seen" "$expected" >&2
    exit 1
  }
done
