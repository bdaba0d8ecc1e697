#!/usr/bin/env bash
# iterations.sh REEX ROOT: `--iterations N` executes the schedules of CAPP's first N iterations, in the same order as a
# run without it, says what it leaves, and never claims to be exhausted where something is left.
set -euo pipefail
reex="$(realpath "$1")"
root="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf 'iterations.sh: %s\n' "$1" >&2; cat "$work"/*/out "$work"/*/err >&2 || true; exit 1; }

# With -k 0 no failure ends the search.
"$root/data/subject" deadlock "$work/deadlock" --reex "$reex"
cd "$work/deadlock"
run() { # NAME STATUS OPTIONS...
  local name="$1" wanted="$2" status=0
  shift 2
  "$reex" --base HEAD~1 --strategy icb --heuristic LOA --reduction none -k 0 --schedule-log "$name.log" \
    --format "text,json:$name.json" "$@" build/test >out 2>err || status=$?
  ((status == wanted)) || fail "$name: status $status"
}
run all 1
run one 0 --iterations 1 # the failure waits in the second one
cp out one.out
run two 1 --iterations 2
run many 1 --iterations 1000
python3 - <<'PYTHON' || fail 'the schedules'
import json

def schedules(name):
    return [json.loads(line) for line in open(name + ".log")]

whole = schedules("all")
last = max(one["iteration"] for one in whole)
assert last >= 2, last
for name, limit in {"one": 1, "two": 2}.items():
    part = schedules(name)
    assert part == [one for one in whole if one["iteration"] < limit], name
    report = json.load(open(name + ".json"))
    assert 0 < report["schedules"] == len(part) < len(whole)
    assert report["ended"] == "iteration_limit" and not report["exhausted"], report["ended"]
    assert (report["bound_completed"] or 0) < 2
    gap, = [gap for gap in report["gaps"] if gap["kind"] == "iterations"]
    assert gap["detail"].startswith(f"CAPP iteration {limit} was the last one that was wanted: "), gap
    assert gap["effect"] == "told"
assert schedules("many") == whole
many = json.load(open("many.json"))
assert many["ended"] == json.load(open("all.json"))["ended"] != "iteration_limit"
assert not [gap for gap in many["gaps"] if gap["kind"] == "iterations"]
PYTHON
grep -q 'CAPP iteration 1 was the last one that was wanted: [0-9]* schedule' one.out || fail 'the report does not say what waits'

# Several workers leave the same schedules out; a search that takes turns ends, too.
"$reex" -q --base HEAD~1 --strategy icb --reduction none -k 0 -j 2 --iterations 1 --format json:jobs.json build/test >out 2>err || true
"$reex" -q --base HEAD~1 --strategy auto --reduction none -k 0 --iterations 1 --format json:turns.json build/test >out 2>err || true
python3 - <<'PYTHON' || fail 'other ways to explore'
import json
one, jobs, turns = (json.load(open(name + ".json")) for name in ("one", "jobs", "turns"))
assert jobs["schedules"] == one["schedules"], (jobs["schedules"], one["schedules"])
assert jobs["ended"] == turns["ended"] == "iteration_limit", (jobs["ended"], turns["ended"])
PYTHON

expect() {
  local text="$1" status=0
  shift
  "$reex" "$@" build/test >out 2>err || status=$?
  ((status == 2)) && grep -qF -- "$text" err || fail "wanted status 2 and '$text': $*"
}
expect '--iterations are those of a heuristic' --iterations 1
expect '--iterations are those of a heuristic' --iterations 1 --base HEAD~1 --strategy random
expect 'leave --shard and --portfolio out' --iterations 1 --base HEAD~1 --shard 1/2
expect "--iterations: '0' is not a whole number from 1" --iterations 0 --base HEAD~1
echo 'iterations are as they should be'
