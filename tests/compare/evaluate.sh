#!/usr/bin/env bash
# evaluate.sh PYTHON ROOT REEX: scripts/evaluate.sh, its short form, writes an evaluation of two subjects whose figures are known.
set -euo pipefail
python="$1" root="$2"
reex="$(realpath "$3")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { printf 'evaluate.sh: %s\n' "$1" >&2; cat "$work/out" "$work/err" >&2; exit 1; }

# The schedules end each run: the budget has room for an analysis on a busy machine.
run() {
  "$root/scripts/evaluate.sh" --reex "$reex" --work "$work/runs" --output "$work/docs" --seeds 2 --schedules 500 \
    --budget 60s "$@" >"$work/out" 2>"$work/err"
}
run deadlock lang || fail "status $?"
page="$work/docs/evaluation.md"
# Table A: how it fails, threads, those published, classes, methods and lines (data/sizes), points, those and Basic as published, and Basic in default order (data/README.md); both are shallow.
grep -qE '^\| deadlock \(shallow\) \| deadlock \| 3 \| 3 \| 3 \| 8 \| 73 \| [0-9]+ \| 3 \| 6 \| 6 \|' "$page" || fail "deadlock: $(grep deadlock "$page" | head -1)"
grep -qE '^\| lang \(shallow\) \| assertion \| 3 \| 3 \| 3 \| 29 \| 118 \| [0-9]+ \| 3 \| 9 \| 4 \|' "$page" || fail "lang: $(grep '| lang' "$page" | head -1)"
# Table B: LOA needs half the schedules of Basic for deadlock, and the published row is beneath.
grep -A1 -E '^\| deadlock \(shallow\) \| 6 \| 2\.0† \|' "$page" | grep -E '^\| \*published\* \| \*6\* \| \*1\.2\*' >/dev/null || fail 'table B'
for mean in 'all (2)' 'deep (0)' 'those with published figures (2)'; do
  grep -qF "**geometric mean, $mean**" "$page" || fail "no mean of $mean"
done
for table in 'A\.' B1 B4 'C\.' 'D\.' E1 E2 'F\.' 'G\.' 'I\.'; do grep -qE "^## $table" "$page" || fail "no table $table"; done
grep -qF 'scripts/evaluate.sh --reex' "$page" || fail 'the page does not tell its command'
grep -q 'class="heats"' "$work/docs/evaluation.html" || fail 'no heat map'
grep -qF '<summary>lang (shallow)</summary>' "$work/docs/evaluation.html" || fail 'no runs of a subject'

# The failing interleaving of each, closed, with the changed lines that took part.
"$python" - "$work" >"$work/out" 2>"$work/err" <<'PYTHON' || fail 'the failures on the page'
import json, re, sys

page = open(f"{sys.argv[1]}/docs/evaluation.html").read().split('<script type="application/json"')[0]
for index, name in enumerate(("deadlock", "lang")):
    shown = json.load(open(f"{sys.argv[1]}/runs/{name}.json"))["shown"]["failure"]
    block = re.search(rf"<details><summary>{name} \(shallow\): {shown['kind']}</summary>\n<article.*?</article>", page, re.S).group(0)
    steps = [row["step"] for row in shown["rows"] if row["row"] == "step"]
    assert steps and all(f'id="s{index}-s{step}"' in block for step in steps), steps
    assert re.search(r'<li class="(added|same) passed"', block), name
PYTHON

"$python" "$root/tests/compare/page_sizes.py" "$work/docs/evaluation.html" "$work/runs/deadlock.html" >"$work/out" 2>"$work/err" ||
  fail 'the pages as they are shown'

# The page holds its runs.
"$reex" compare --evaluation --label "$(sed -n 's/^    \(scripts\/evaluate.sh .*\)/\1/p' "$page" | head -1)" \
  --published "$root/data/published.json" --format "json:$work/runs.json" "$work/runs/deadlock.json" "$work/runs/lang.json" >"$work/out" 2>"$work/err" ||
  fail "json: status $?"
"$python" "$root/tests/compare/evaluation_runs.py" "$root" "$work/docs/evaluation.html" "$page" "$work/runs.json" \
  >"$work/out" 2>"$work/err" || fail 'the runs of the page'

# Once more: no run is made again, and the page is the same.
cp "$page" "$work/before.md"
run deadlock lang || fail "again: status $?"
grep -qE 'runs? of [0-9]+ strategies' "$work/err" && fail 'runs were made again'
cmp -s "$page" "$work/before.md" || fail 'another page of the same runs'

# All made anew, the comparisons are the same but for times.
mkdir "$work/first"
mv "$work/runs/deadlock.json" "$work/runs/lang.json" "$work/first"
rm -rf "$work"/runs/*/.reex
run deadlock lang || fail "anew: status $?"
grep -qE 'runs? of [0-9]+ strategies' "$work/err" || fail 'no run was made anew'
"$python" - "$work" >"$work/out" 2>"$work/err" <<'PYTHON' || fail 'the same command has another result'
import json, sys

TIMES = {"started", "processor_seconds", "wall_seconds", "schedules_per_second"}

def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value

for name in ("deadlock", "lang"):
    first, again = (without_times(json.load(open(f"{sys.argv[1]}/{folder}/{name}.json"))) for folder in ("first", "runs"))
    assert len(first["runs"]) > 100, len(first["runs"])
    assert first == again, name
PYTHON

# A regression has tables of its own, and counts for no other. Here it is a subject by the name of one.
"$root/data/subject" lang "$work/found/bs-shutdown" --reex "$reex"
run --regressions "$work/found" deadlock || fail "with a regression: status $?"
grep -qE '^\| bs-shutdown \(shallow\) \| 9 \|.*\(https://github.com/bshoshany/thread-pool, 704ae80\) \|$' "$page" || fail 'table H1'
grep -qF '| auto, the default strategy, on 1 regression of public libraries | ' "$page" || fail 'the verdict'
grep -qF '**geometric mean, all (1)**' "$page" || fail 'the regression counts as a subject'
for table in H1 H2 H4; do grep -qE "^## $table" "$page" || fail "no table $table"; done
run nothing && fail 'a subject that is none'
echo 'the evaluation is as expected'
