#!/usr/bin/env bash
# reports.sh REEX FAILING PASSING: checks that no report and no result is lost, whatever becomes of the paths, the disk
# and the process. FAILING and PASSING are instrumented tests.
set -euo pipefail
reex="$1" failing="$2" passing="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  sed 's/^/  | /' out err 2>/dev/null || true
}
# run STATUS OPTIONS...: everything happens in this folder.
run() {
  local expected="$1" got=0
  shift
  "$reex" -o . "$@" >out 2>err </dev/null || got=$?
  [[ "$got" = "$expected" ]] || fail "$*: status $got, expected $expected"
}
says() { grep -q -- "$1" err || fail "nothing is said of: $1"; }
states() { find .reex/runs -name '*.state' -size +0 2>/dev/null | wc -l; }
key() { sed -nE 's/.*"key": ?"([0-9a-f]{12})".*/\1/p' "$1" | head -1; }

# Paths are checked before any work.
run 2 --format json:missing/report.json "$failing"
says 'there is no folder missing: make it first'
mkdir folder
run 2 --format json:folder "$failing"
says 'it is a folder'
touch read_only.json && chmod a-w read_only.json && mkdir closed && chmod a-w closed
if [[ ! -w read_only.json ]]; then # root may write everywhere
  run 2 --format json:read_only.json "$failing"
  run 2 --format json:closed/report.json "$failing"
fi
# So are those of merge and impact: nothing else is looked at before.
for words in 'merge no_such_report.json' 'impact --base no-such-commit'; do
  got=0
  # shellcheck disable=SC2086
  "$reex" $words --format json:missing/report.json >out 2>err || got=$?
  [[ "$got" = 2 ]] || fail "$words: status $got, expected 2"
  says 'there is no folder missing: make it first'
done
[[ ! -e .reex ]] || fail 'work was done before the paths were checked'

# A finished run leaves its reports and no state. A link stays a link.
touch target.json && ln -s target.json link.json
run 1 --format json:link.json "$failing"
[[ -L link.json && -n "$(key target.json)" ]] || fail 'a report does not follow a link'
[[ "$(states)" = 0 && -z "$(ls .reex/runs)" ]] || fail 'a finished run has left a state'
[[ -z "$(find . -maxdepth 1 -name '*.new')" ]] || fail 'a temporary file is left'
expected="$(key target.json)"

# A report that cannot be written in the end: the result is not lost, and neither is the state.
run 1 --format json:/dev/full "$failing"
says 'the report /dev/full cannot be written (No space left on device)'
says "the run's state is kept, to write the report again: .* --resume"
[[ "$(states)" = 1 ]] || fail 'the state was removed although a report is missing'
run 1 --resume --format json:again.json "$failing"
[[ "$(key again.json)" = "$expected" && "$(states)" = 0 ]] || fail 'the report cannot be written again'
run 2 --format json:/dev/full "$passing"
run 1 --format text,json:both.json "$failing"
"$reex" -o . --format text,json:kept.json "$failing" >/dev/full 2>err && fail 'a full output passed' || status=$?
[[ "$status" = 1 && "$(key kept.json)" = "$expected" ]] || fail 'a full output lost the result or the other report'
rm -rf .reex

# A process that is killed while it writes the report.
mkfifo pipe
"$reex" -o . --format json:pipe "$failing" >out 2>err </dev/null &
process=$!
for _ in $(seq 600); do # it has found the failure, and waits for a reader of the pipe
  grep -q 'found assertion' err && [[ "$(cat /proc/$process/wchan 2>/dev/null)" = *fifo* ||
    "$(cat /proc/$process/syscall 2>/dev/null)" = 257\ * ]] && break
  sleep 0.1
done
kill -9 "$process"
wait "$process" 2>/dev/null || true
[[ "$(states)" = 1 ]] || fail 'the state was gone before the report was written'
run 1 --resume --format json:resumed.json "$failing"
[[ "$(key resumed.json)" = "$expected" ]] || fail 'the report of a killed run is lost'

# There is nothing to resume any more.
run 1 --resume "$failing"
says 'no run of this test was interrupted, so this one begins anew'

exit $((failures > 0))
