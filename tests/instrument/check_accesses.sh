#!/usr/bin/env bash
# check_accesses.sh COMPILER PRINT_FLAGS REEX RUNTIME: checks that every access of accesses.cpp is seen when it is compiled
# with the flags of reex: by a hook, or because a function is called that the runtime defines.
set -euo pipefail
compiler="$1" print_flags="$2" reex="$3" runtime="$4"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
root="$(cd "$here/../.." && pwd -P)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf '%s\n' "$1" >&2; exit 1; }

"$compiler" -std=c++20 -O1 -fno-builtin -I "$root" -c "$here/recorder.cpp" -o "$work/recorder.o"
nm -D --defined-only "$runtime" | awk '{print $3}' | sort >"$work/runtime"
nm --defined-only "$work/recorder.o" | awk '$2 == "T" && $3 != "main" {print $3}' | sort >"$work/recorder"
missing="$(comm -23 "$work/recorder" "$work/runtime")"
[[ -z "$missing" ]] || fail "the runtime does not define $missing"

flags_text="$("$print_flags" "$reex" compile)"
read -r -a flags <<<"$flags_text"
levels=(-O0 -O1 -O2 -O3 -Os '-O2 -D_FORTIFY_SOURCE=2' '-O2 -fno-plt' '-O1 -fno-omit-frame-pointer')
if grep -w avx2 /proc/cpuinfo >/dev/null; then levels+=('-O2 -mavx' '-O3 -mavx2' '-O2 -march=native' '-Os -march=native'); fi
for level in "${levels[@]}"; do
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 -Wall -Wextra -Werror $level "${flags[@]}" -I "$root" -c "$here/accesses.cpp" -o "$work/accesses.o"
  "$compiler" "$work/accesses.o" "$work/recorder.o" -o "$work/recorder"
  unseen="$("$work/recorder")" || fail "$compiler $level: $unseen"
done
