#!/usr/bin/env bash
# check_parts.sh GTEST_BINARY: each case is in exactly one part, and what is no part is refused.
set -euo pipefail
binary="$1"
fail() { printf '%s\n' "$1"; exit 1; }

cases() { "$binary" --gtest_list_tests "$@" | sed 's/ *#.*//' | awk '/^[^ ]/ { suite = $1; next } { print suite $1 }'; }
whole="$(cases | sort)"
[[ "$(wc -l <<<"$whole")" -gt 20 ]] || fail "these are too few cases to tell: $whole"
for count in 1 2 7; do
  parts="$(for ((i = 1; i <= count; i++)); do cases "--part=$i/$count"; done | sort)"
  diff <(echo "$whole") <(echo "$parts") || fail "$count parts are not the whole"
done
for wrong in --part=0/2 --part=3/2 --part=1 --part=1/2x --part=100000/100000 more; do
  status=0
  "$binary" "$wrong" >/dev/null 2>&1 || status=$?
  [[ "$status" = 2 ]] || fail "$wrong ends with $status"
done
status=0
"$binary" --part=1/2 --gtest_filter=None.* >/dev/null 2>&1 || status=$?
[[ "$status" = 2 ]] || fail "a filter beside --part ends with $status"
