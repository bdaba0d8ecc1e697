#!/usr/bin/env bash
# check_cmake.sh CMAKE COMPILER PACKAGE_ROOT HOOKS COUNTING [FLAG]: checks that find_package(reex) defines a target that
# instruments, also if the project already passes FLAG, -fsanitize=thread, to the compiler and the linker.
set -euo pipefail
cmake="$1" compiler="$2" package_root="$3" hooks="$4" counting="$5" flag="${6:-}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=tests/instrument/instrumented.sh
. "$here/instrumented.sh"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

"$cmake" -S "$here/project" -B "$work/a build" -G Ninja -DCMAKE_PREFIX_PATH="$package_root" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" -DFLAG="$flag" \
  -DSOURCE="$here/program.cpp" >"$work/log" || { cat "$work/log"; fail "the project does not configure"; }
"$cmake" --build "$work/a build" >"$work/log" || { cat "$work/log"; fail "the project does not build"; }
grep -F -- ' -Wp,-U_FORTIFY_SOURCE ' "$work/a build/build.ninja" >/dev/null || fail "memcpy may be written out"
if [[ "$compiler" = g++ ]]; then
  grep -F -- ' -fno-builtin-memset ' "$work/a build/build.ninja" >/dev/null || fail "g++ may write out memset"
else
  for option in tsan-instrument-read-before-write=1 capture-tracking-max-uses-to-explore=0; do
    grep -F -- " -mllvm -$option " "$work/a build/build.ninja" >/dev/null || fail "clang++ may leave out accesses"
  done
fi
expect_instrumented "$work/a build/program" "$hooks" "$counting"
