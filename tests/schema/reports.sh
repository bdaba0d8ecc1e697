#!/usr/bin/env bash
# reports.sh PYTHON ROOT REEX CORPUS: holds JSON reports and logs of events to docs/json.schema.json: the golden ones, and
# those of runs of programs of the corpus. It also checks that the schema refuses what is not such a report, and that a
# log is whole when its run was interrupted or could not begin.
set -euo pipefail
python="$1" root="$2" reex="$3" corpus="$4"
check="$root/tests/schema/check.py" schema="$root/docs/json.schema.json"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
unset GITHUB_ACTIONS

fail() { printf 'FAILED: %s\n' "$1"; exit 1; }

# run NAME STATUS ARGUMENTS...
run() {
  local name="$1" expected="$2" status=0
  shift 2
  "$reex" -q -o "$work" --format "text,json:$name.json,jsonl:$name.jsonl" "$@" >out 2>err || status=$?
  ((status == expected)) || { cat out err; fail "$name: status $status, not $expected"; }
  grep -q '"event":"finished".*"status":'"$expected" <(tail -1 "$name.jsonl") || fail "$name: the log has no end"
}

run deadlock 1 "$corpus/fails/deadlock/ab_ba"
run race 1 --races fail -k 0 --outcomes "$corpus/fails/race/lost_increment"
run findings 1 --races report "$corpus/fails/race/lost_increment"
run memory 1 "$corpus/fails/memory/use_after_free"
run sampled 1 --strategy pct --outcomes "$corpus/fails/assertion/lost_update"
run shard 1 --shard 1/2 -k 0 "$corpus/fails/assertion/lost_update"
run short 0 --schedules 1 "$corpus/passes/philosophers/lower_first"

# Interrupted, the run still writes its reports, and the log says how it ended.
"$reex" -q -o "$work" --strategy random --schedules 100000000 --format json:interrupted.json,jsonl:interrupted.jsonl \
  "$corpus/passes/philosophers/lower_first" >out 2>err &
for ((i = 0; i < 200; ++i)); do grep -qs '"schedules":[1-9]' interrupted.jsonl && break; sleep 0.1; done
kill -INT $!
status=0
wait $! || status=$?
((status == 130)) || { cat out err; fail "interrupted: status $status, not 130"; }
grep -q '"event":"finished","verdict":"interrupted","status":130' <(tail -1 interrupted.jsonl) ||
  fail "interrupted: the log does not say so"

# So does one of a run that was interrupted before it had explored anything.
mkfifo held # the diff comes from somebody who says nothing
"$reex" -q -o "$work" --diff held --format jsonl:early.jsonl "$corpus/passes/philosophers/lower_first" >out 2>err &
for ((i = 0; i < 100; ++i)); do [[ -e early.jsonl ]] && break; sleep 0.1; done
sleep 0.2
kill -INT $!
status=0
wait $! || status=$?
((status == 130)) || { cat out err; fail "interrupted early: status $status, not 130"; }
grep -q '"event":"finished","verdict":"interrupted","status":130' <(tail -1 early.jsonl) && grep -q 'reex: interrupted before' err ||
  fail "interrupted early: the log does not say so"

# A log that cannot be written is told before anything is explored.
status=0
"$reex" -o "$work" --format jsonl:/nowhere/log.jsonl "$corpus/fails/deadlock/ab_ba" >out 2>err || status=$?
((status == 2)) && grep -q '/nowhere/log.jsonl cannot be written' err || fail "a log that cannot be opened: status $status"

"$python" "$check" "$schema" "$root"/tests/report/golden/*.json "$root"/tests/report/golden/*.jsonl ./*.json ./*.jsonl

# The other formats of a real run, and GitHub's lines, which come without being asked for on its runners.
status=0
GITHUB_ACTIONS=true "$reex" -q -o "$work" --format html:a.html,junit:a.xml,sarif:a.sarif,markdown:a.md \
  "$corpus/fails/deadlock/ab_ba" >out 2>err || status=$?
((status == 1)) || { cat out err; fail "all formats: status $status"; }
grep -q '^::error file=[^,]*ab_ba.cpp,line=[0-9]*,title=ab_ba%3A deadlock::no thread can run%0A' out ||
  fail "no annotation: $(cat out)"
"$python" - <<'PYTHON'
import json
import xml.etree.ElementTree
from html.parser import HTMLParser

case = xml.etree.ElementTree.parse("a.xml").getroot().find("testsuite/testcase")
assert case.find("failure").get("type") == "deadlock"
assert "replay" in case.find("system-out").text
flows = json.load(open("a.sarif"))["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
assert len(flows) == 3, flows
assert "deadlock" in open("a.md").read()


class Page(HTMLParser):
    """Every element that is opened is closed, in order."""
    empty = {"meta", "br"}

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in self.empty:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.getpos())


page = Page()
page.feed(open("a.html").read())
assert not page.open, page.open
PYTHON

# The schema refuses what is none of this.
"$python" - <<'PYTHON'
import json
whole = json.load(open("deadlock.json"))
for name, change in {
    "missing": lambda d: d.pop("verdict"),
    "verdict": lambda d: d.update(verdict="fine"),
    "count": lambda d: d.update(schedules=-1),
    "unknown": lambda d: d["failures"][0].update(extra=1),
    "step": lambda d: d["failures"][0]["switches"][0].update(step="3"),
}.items():
    document = json.loads(json.dumps(whole))
    change(document)
    json.dump(document, open(f"bad_{name}.json", "w"))
PYTHON
for bad in bad_*.json; do
  "$python" "$check" "$schema" "$bad" >out && fail "the schema takes $bad"
done
echo "all reports are as the schema says"
