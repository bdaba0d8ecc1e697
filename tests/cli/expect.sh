# shellcheck shell=bash
# expect STATUS PATTERN COMMAND...: checks that the command ends with the status and prints exactly one line, on
# standard error, which begins with "reex: " and matches the pattern.
failures=0
expect() {
  local status="$1" pattern="$2" got=0 lines
  shift 2
  "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
  lines="$(wc -l <"$work/err")"
  if [[ "$got" != "$status" || "$lines" != 1 || -s "$work/out" ]] || ! grep -qE "^reex: .*($pattern)" "$work/err"; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  status %s, expected %s; %s line(s), expected one with: %s\n' "$*" "$got" "$status" "$lines" "$pattern"
    sed 's/^/  | /' "$work/out" "$work/err"
  fi
}
