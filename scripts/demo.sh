#!/usr/bin/env bash
# Demonstrates reex: builds it, makes the Mina subject (a program whose last commit fails under some schedules), lets
# reex find a failing schedule of that commit, and replays it. The exit status is 0 if the failure was found and
# replayed.
#
# usage: scripts/demo.sh [DIR]   makes the subject in DIR, which must be empty or new (default: a temporary folder)
set -euo pipefail

fail() { printf 'demo: %s\n' "$1" >&2; exit 1; }
say() { printf '\n\033[1m==> %s\033[0m\n' "$1"; }
[[ -t 1 ]] || say() { printf '\n==> %s\n' "$1"; }

(($# <= 1)) || fail "usage: scripts/demo.sh [DIR]"
subject="${1:-}"
if [[ -z "$subject" ]]; then subject="$(mktemp -d "${TMPDIR:-/tmp}/reex-demo.XXXXXX")"; fi
mkdir -p "$subject"
subject="$(cd "$subject" && pwd -P)"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
cd "$root"

say "Building reex"
scripts/install-dependencies.sh --to-build
cmake --preset demo >/dev/null || fail "the project could not be configured"
cmake --build --preset demo || fail "the project did not build"
reex="$root/build-demo/cli/reex"

say "Making the subject in $subject"
data/subject mina "$subject" --reex "$reex"
cd "$subject"
git --no-pager log --oneline --stat -1

say "reex --base HEAD~1 build/test"
status=0
"$reex" --base HEAD~1 build/test || status=$?
((status == 1)) || fail "reex ended with status $status and not with 1: the failing schedule was not found"

files=("$subject"/.reex/failures/*.reex)
[[ -f "${files[0]}" ]] || fail "reex found a failure and left no schedule file in $subject/.reex/failures"

say "reex replay ${files[0]#"$subject"/}"
status=0
"$reex" replay "${files[0]}" || status=$?
((status == 1)) || fail "the replay ended with status $status and not with 1: the failure did not come again"

say "The failure was found and replayed. The subject stays in $subject"
echo "The reex of this demonstration was built without optimization: to build and install it, see README.md"
