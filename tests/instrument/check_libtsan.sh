#!/usr/bin/env bash
# check_libtsan.sh LIBTSAN HOOKS REEX: checks that a program that g++ linked with its own libtsan uses the hooks if LIBTSAN
# is first in the library path, as under REEX, which tells what may have no hook.
set -euo pipefail
libtsan="$1" hooks="$2" reex="$3"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=tests/instrument/instrumented.sh
. "$here/instrumented.sh"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

g++ -std=c++20 -g -fsanitize=thread -Wno-tsan "$here/program.cpp" -o "$work/program"
readelf -d "$work/program" | grep 'NEEDED.*libtsan' >/dev/null || fail "g++ did not link libtsan"
export LD_LIBRARY_PATH="$libtsan"
[[ "$("$work/program")" = 3 ]] || fail "the program does not print 3"
ldd "$work/program" | grep -E "libtsan.so.[0-9]+ => $libtsan/" >/dev/null || fail "the hooks were not taken"
[[ "$(readlink -f "$libtsan"/libtsan.so.2)" = "$(readlink -f "$hooks/libreex_hooks.so")" ]] ||
  fail "libtsan.so.2 is not the hooks library"
unset LD_LIBRARY_PATH

# Whatever a program may call of it is there. The rest is for the program to define, for the compiler's coverage, for
# Java, or for libtsan's own tests.
others='syscall|_cov|coverage|hook_|_hook$|on_print|on_report|default_|java|external|testonly|locate_address'
functions() { nm -D --defined-only "$1" | awk '{ print $3 }' | grep -E '^(__tsan_|__sanitizer_|Annotate)' | sort -u; }
missing="$(comm -23 <(functions "$(g++ -print-file-name=libtsan.so)") <(functions "$hooks/libreex_hooks.so") |
  grep -Ev "$others" || true)"
[[ -z "$missing" ]] || fail "the hooks do not define: $missing"
"$reex" --schedules 20 --output "$work" "$work/program" >"$work/report" 2>&1 </dev/null || { cat "$work/report"; fail "reex fails"; }
tr -s ' \n' ' ' <"$work/report" | grep "is linked with g++'s libtsan: unless it was compiled with" >/dev/null ||
  { cat "$work/report"; fail "it is not told what has no hook"; }
