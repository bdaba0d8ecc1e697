#!/usr/bin/env bash
# command.sh PYTHON ROOT REEX: `reex compare` on subjects of data/: the counts that are known of them, JSON as the schema
# says, a comparison that is killed or interrupted and goes on, and what it says where there is nothing to compare.
set -euo pipefail
python="$1"
root="$2"
reex="$(realpath "$3")"
schema="$root/docs/compare.schema.json"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf 'command.sh: %s\n' "$1" >&2; tail -n 30 "$work"/*/out "$work"/*/err >&2 || true; exit 1; }

"$root/data/subject" mina "$work/mina" --reex "$reex"
cd "$work/mina"

# Of mina it is known how many schedules Basic, LOA and FA need (data/README.md, docs/choosing.md).
"$reex" compare --base HEAD~1 --contestants LOA,FA --seeds 2 --format text,json:a.json,html:a.html build/test >out 2>err ||
  fail "status $?"
grep -q '^reex: 27 runs of 4 strategies, .* at a time, each up to 10,000 schedules or 5 s: at most' err || fail 'the announcement'
"$python" - <<'PYTHON' || fail 'the counts'
import html, json
whole = json.load(open("a.json"))
found = {(run["strategy"], run["reduction"], run["seed"]): run for run in whole["runs"]}
assert len(found) == len(whole["runs"]) == whole["planned"] == 27, len(found)
for name, schedules in {"Basic": 57, "LOA": 13, "FA": 7}.items():
    assert found[name, "none", 0]["failure"]["schedule"] == schedules, found[name, "none", 0]
    assert found[name, "auto", 0]["failure"]["schedule"] < schedules + 1
assert all(run["judged"] and run["isolation"] == "restore" for run in found.values())
assert all(run["processor_seconds"] > 0 for run in found.values())
assert whole["change"]["impacted_points"] == 27 and whole["change"]["analysis"]["parsed"] > 0
costs = [run for run in found.values() if run["reduction"] == "cost"]
assert whole["threads"] == 3
assert len(costs) == 4 and all(run["schedules"] > 57 for run in costs), costs # not up to the failure
row = next(row for row in whole["summary"] if row["strategy"] == "LOA" and row["reduction"] == "none")
assert abs(row["default_against_basic"]["value"] - 57 / 13) < 1e-9
assert "LOA" in whole["verdict"]["text"] and whole["shallow"]
page = open("a.html").read()
assert "<!DOCTYPE html>" in page and page.count("<section") == page.count("</section>") > 5
shown = whole["shown"]
assert (shown["strategy"], shown["reduction"], shown["seed"]) == ("Basic", "auto", 0), shown
assert shown["failure"]["key"] == found["Basic", "auto", 0]["failure"]["key"]
steps = [row for row in shown["failure"]["rows"] if row["row"] == "step"]
passed = [line for file in shown["failure"]["diff"] for line in file["text"].splitlines() if line.startswith("+")]
assert len(steps) > 5 and passed and any(frame["changed"] for row in steps for frame in row["stack"])
visible = page.split("<script")[0]
for row in steps:
    assert f'id="f-s{row["step"]}"' in visible and row["source"] in html.unescape(visible), row
assert 'class="added passed"' in visible and 'class="switch needed' in visible
assert not any("shown" in run for run in whole["runs"])
json.loads(page.split('id="comparison">')[1].split("</script>")[0])
PYTHON
awk 'length($0) > 90' out | grep . && fail 'a line is too long' # of bytes; figures have signs of three

# The same again makes no run; with a contestant more, only its runs.
runs="$(wc -l <.reex/compare/*/results.jsonl)"
"$reex" compare --base HEAD~1 --contestants LOA,FA --seeds 2 --format json:b.json build/test >out 2>err || fail 'again'
grep -q '^reex: 27 of 27 runs are in \.reex/compare/.*/results\.jsonl$' err || fail 'it does not say what is there'
(($(wc -l <.reex/compare/*/results.jsonl) == runs)) || fail 'a run was made again'
cmp -s a.json b.json || fail 'the same runs, and other figures'
"$python" "$root/tests/schema/check.py" "$schema" a.json b.json || fail 'not as the schema says'

# It is killed in the middle, and no process of it is left; then it is interrupted; then it goes on to the end.
"$reex" compare --base HEAD~1 --contestants MA --seeds 8 --fresh --format json:c.json build/test >out 2>err &
for ((i = 0; i < 400; ++i)); do (($(wc -l <.reex/compare/*/results.jsonl) >= 4)) && break; sleep 0.05; done
kill -9 $!
wait $! 2>/dev/null || true
for ((i = 0; i < 100; ++i)); do pgrep -f "$work/mina/build/test" >/dev/null || break; sleep 0.05; done
pgrep -f "$work/mina/build/test" && fail 'a run is left'
made="$(wc -l <.reex/compare/*/results.jsonl)"
((made < 40)) || fail 'it was too fast to be killed'
"$reex" compare --base HEAD~1 --contestants MA --seeds 8 --format json:c.json build/test >out 2>err &
for ((i = 0; i < 400; ++i)); do (($(wc -l <.reex/compare/*/results.jsonl) >= made + 2)) && break; sleep 0.05; done
kill -INT $!
status=0
wait $! || status=$?
((status == 130)) || fail "interrupted: status $status"
grep -q '^reex: interrupted after [0-9]* of 47 runs, which are kept in' err || fail 'it does not say what is kept'
grep -qF -- '--contestants MA --seeds 8 --format json:c.json build/test' <(tail -1 err) ||
  fail 'it does not say how to go on'
"$reex" compare --base HEAD~1 --contestants MA --seeds 8 --format json:c.json build/test >out 2>err || fail 'it does not go on'
"$python" - <<'PYTHON' || fail 'the runs of the one that went on'
import json
runs = json.load(open("c.json"))["runs"]
assert len(runs) == len({(run["strategy"], run["reduction"], run["seed"]) for run in runs}) == 47, len(runs)
PYTHON

# Runs that isolate executions otherwise are not compared with these.
sed -i '5s/"isolation":"restore"/"isolation":"fork"/' .reex/compare/*/results.jsonl
status=0
"$reex" compare --base HEAD~1 --contestants MA --seeds 8 build/test >out 2>err || status=$?
((status == 3)) || fail "isolations mixed: status $status"
grep -qF 'they cannot be compared: give --isolation fork' err || fail 'it does not say that isolations are mixed'
[[ ! -s out ]] || fail 'a table of mixed isolations'

# Usage.
expect() {
  local wanted="$1" text="$2" got=0
  shift 2
  "$reex" compare "$@" >out 2>err || got=$?
  ((got == wanted)) || fail "wanted status $wanted, got $got: $*"
  grep -qF -- "$text" err || fail "wanted '$text': $*"
}
expect 2 'compare needs a change to go by: give --base REV' build/test
expect 2 'compare takes one test binary' --base HEAD~1
expect 2 "'LOO' is not known" --base HEAD~1 --contestants LOO build/test
expect 2 'Basic is the control' --base HEAD~1 --heuristic Basic build/test
expect 2 'a comparison is reported as text, json:PATH and html:PATH' --base HEAD~1 --format sarif:x build/test
expect 2 '--evaluation needs the JSON of comparisons' --evaluation
expect 2 'README.md cannot be used' --evaluation README.md
expect 6 'HEAD~99' --base HEAD~99 build/test
expect 2 '--strategy is no option of compare' --base HEAD~1 --strategy icb build/test

# A race is found in the first execution, and what comes of it in the second round: both counts are told.
mkdir "$work/race"
cd "$work/race"
cat >race.cpp <<'CPP'
#include <cassert>
#include <thread>
int count = 0;
void add() { ++count; }
int main() {
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  assert(count == 2);
}
CPP
git init -q .
git add race.cpp
git -c user.name=t -c user.email=t@t commit -qm race
sed -i 's/++count;/count = count + 1;/' race.cpp
read -r -a flags <<<"$("$reex" flags --compile) $("$reex" flags --link)"
g++ -g -O1 race.cpp -o race "${flags[@]}" 2>err >out || fail 'race.cpp cannot be built'
"$reex" compare --base HEAD --contestants LOA --seeds 1 --format text,json:a.json ./race >out 2>err || fail "race: status $?"
"$python" "$root/tests/schema/check.py" "$schema" a.json || fail 'rounds are not as the schema says'
"$python" - <<'PYTHON' || fail 'the counts of rounds'
import json
whole = json.load(open("a.json"))
run = next(run for run in whole["runs"] if (run["strategy"], run["reduction"], run["seed"]) == ("Basic", "none", 0))
failure = run["failure"]
assert failure["kind"] == "assertion", failure
assert (failure["schedule"], failure["schedule_in_round"]) == (4, 3), failure
assert run["schedules"] - run["schedules_in_round"] == failure["schedule"] - failure["schedule_in_round"], run
row = next(row for row in whole["summary"] if (row["strategy"], row["reduction"]) == ("Basic", "none"))
assert row["default_order"]["value"] == failure["schedule"], row
assert row["in_round"]["default_order"]["value"] == failure["schedule_in_round"], row
PYTHON
grep -q '^  in round ' out || fail 'the text has no counts within a round'

# Where nobody finds a failure, it ends after one run of each, and does not compare.
"$root/data/subject" lang "$work/lang" --reex "$reex" --correct
cd "$work/lang"
echo '// changed' >>"$(git ls-files '*.h' | head -1)"
expect_nothing=0
"$reex" compare --base HEAD --contestants LOA --seeds 3 --schedules 200 build/test >out 2>err || expect_nothing=$?
((expect_nothing == 3)) || fail "nothing to compare: status $expect_nothing"
grep -qE 'there is nothing to compare' err || fail 'it does not say that there is nothing to compare'
echo 'compare does as it says'
