#!/usr/bin/env bash
# check_subject.sh SUBJECT REEX: checks that a subject is a repository of two or three commits, clean and built, and that
# its identity and dates do not depend on the machine, so that it is the same everywhere.
set -euo pipefail
subject="$1" reex="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
# shellcheck source=tests/instrument/instrumented.sh
. "$here/instrumented.sh"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
expect() { [[ "$2" = "$3" ]] || fail "$1: expected '$3', found '$2'"; }

for compiler in g++ clang++; do
  repository="$work/mina with $compiler"
  "$subject" mina "$repository" --compiler "$compiler" --reex "$reex"
  expect commits "$(git -C "$repository" rev-list --count HEAD)" 2
  expect status "$(git -C "$repository" status --short)" ''
  [[ -f "$repository/build/compile_commands.json" ]] || fail "there is no compile_commands.json"
  nm "$repository/build/test" | grep ' U __tsan_func_entry' >/dev/null || fail "the test is not instrumented"
  # The fault occurs in few schedules, so the test nearly always passes without reex.
  "$repository/build/test" || echo "the fault showed by itself"
done
for unrelated in doc code; do
  "$subject" mina "$work/$unrelated" --unrelated "$unrelated" --no-build
  expect commits "$(git -C "$work/$unrelated" rev-list --count HEAD)" 3
  expect parent "$(git -C "$work/$unrelated" rev-parse HEAD~1)" "$(git -C "$work/mina with g++" rev-parse HEAD)"
  expect 'changed files' "$(git -C "$work/$unrelated" diff --name-only HEAD~1 | wc -l)" 1
done
expect 'status of a full folder' "$("$subject" mina "$work/doc" --no-build 2>/dev/null; echo $?)" 2
expect 'status of an unknown subject' "$("$subject" nothing "$work/new" 2>/dev/null; echo $?)" 2
expect mina "$("$subject" list | grep -c '^mina ')" 1
