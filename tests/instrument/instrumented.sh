# shellcheck shell=bash
# shellcheck disable=SC2154
# Common functions of the checks of this folder.

fail() { printf '%s\n' "$1" >&2; exit 1; }

# expect_instrumented PROGRAM HOOKS COUNTING: checks that the program calls the hooks, contains no part of a sanitizer's
# runtime, runs without reex, and uses the hooks of a preloaded library. Needs a folder $work.
expect_instrumented() {
  local program="$1" hooks="$2" counting="$3" text
  nm "$program" | grep ' U __tsan_func_entry' >/dev/null || fail "$program is not instrumented"
  ! nm "$program" | grep -E ' [TtWw] __(tsan|sanitizer)_' || fail "$program holds a sanitizer's runtime"
  ! readelf -d "$program" | grep -E 'NEEDED.*(tsan|clang_rt)' || fail "$program needs libtsan"
  text="$(ldd "$program")"
  grep -qF "libreex_hooks.so => $hooks/" <<<"$text" || fail "$program does not find the hooks in $hooks: $text"
  [[ "$("$program")" = 3 ]] || fail "$program does not print 3"
  # LD_PRELOAD is split at spaces, so the library gets a name without spaces.
  cp "$counting" "$work/counting.so"
  [[ "$(LD_PRELOAD="$work/counting.so" "$program" 2>&1 >/dev/null)" = 'counted: yes' ]] ||
    fail "a preloaded library does not take over the hooks of $program"
}
