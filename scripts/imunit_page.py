#!/usr/bin/env python3
"""imunit_page.py FOLDER SUBJECT...: the page of evaluate_imunit.sh, from the files in FOLDER. Runs the tests natively."""
import json
import math
import os
import statistics
import subprocess
import sys
import time

RUNS = 5


def native_seconds(binary, test):
    """The median of the runs; None if one failed."""
    times = []
    for _ in range(RUNS):
        begin = time.monotonic()
        done = subprocess.run([binary, f"--gtest_filter={test}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - begin)
        if done.returncode != 0:
            return None
    return statistics.median(times)


def runs_of(path):
    report = json.load(open(path))
    return {run["test"]["name"]: run for run in report.get("runs", [report])}


def figures_row(name, figures):
    events, orderings = figures["totals"]["events"], figures["totals"]["orderings"]
    return (f"| {name} | {events['precision']:.2f} | {events['recall']:.2f} | {orderings['precision']:.2f} | "
            f"{orderings['recall']:.2f} |")


def public_section(rows):
    """The tests of public projects."""
    inferred = [row for row in rows if "right" in row]
    total = {key: sum(row[key] for row in inferred) for key in ("inferred", "truth", "right")}
    migrated = sum(row["result"] == "migrated" for row in rows)
    ratio = lambda part, whole: f"{part / whole:.2f}" if whole else "-"
    print(f"""
## Tests of public projects

`scripts/imunit_public.py REEX PROJECTS` ran these: {len(rows)} tests that sleep, of {len({row["project"] for row in rows})} projects. What their
sleeps order (`data/imunit/public.json`) was written by the author of the inference, who read the sources. Mistakes
of the inference that these tests showed were mended, so the figures are no forecast. "Right" are orderings
as written, of those inferred, and of those written. "Migrated": V1 to V4 of [imunit.md](imunit.md#migrating-a-sleep-based-test)
hold, and the file was written; "inferred": that was not tried in this run (`--infer`). Precision is {ratio(total["right"], total["inferred"])}, recall {ratio(total["right"], total["truth"])}; {migrated} of {len(rows)} are migrated.

| project | test | right | inferred | written | result | sleeps, ms | migrated, ms |
|---|---|---|---|---|---|---|---|""")
    for row in rows:
        figures = [str(row.get(key, "-")) for key in ("right", "inferred", "truth")]
        result = row["result"] + (": " + "; ".join(row["stays"]) if row["result"] == "stays" else "")
        times = [f"{row[key]:.0f}" if row.get(key) else "-" for key in ("before", "after")]
        result = " ".join(result.replace("|", "\\|").split())
        print(f"| {row['project']} @{row['commit'][:10]} | {row['test']} | {' | '.join(figures)} | {result} | {' | '.join(times)} |")


def native_section(native):
    wrong = sum(test["wrong"] for test in native["tests"].values())
    print(f"""
## Native runs under load

`scripts/imunit_native_runs.py BUILD` ran each program {native["runs"]:,} times while {native["burners"]} processes kept the cores busy: {len(native["tests"])}
programs with the ends that `tests/imunit/native_test.cpp` expects, among them schedules that are stuck, deadlocks and
wrong uses. {wrong} of {native["runs"] * len(native["tests"]):,} verdicts were wrong.""")
    for name, test in native["tests"].items():
        if test["wrong"]:
            print(f"\n- {name}: {test['wrong']} wrong: {test['first'][:200]}")


def main():
    folder, subjects = sys.argv[1], sys.argv[2:]
    kinds = {name: json.load(open(f"{folder}/{name}.json")) for name in ("open", "printed", "low", "high", "native")}
    main_figures = kinds["open"]
    totals = main_figures["totals"]
    print(f"""# Schedules inferred from sleeps: an evaluation

`scripts/evaluate_imunit.sh BUILD` wrote this page. The subjects are the {len(main_figures["tests"])} sleep-based tests of
`data/imunit`. Their events and orderings were written by hand, from what each test says that it tests
(`data/imunit/truth.json`), by the author of the inference, before it was run on them. The rules
for joins and for tasks of pools were completed with these tests at hand, so the figures are no forecast for
others. Both are compared as in Jagannath's dissertation, section 3.5.2: events by their place in the source, orderings by both events and by whether the first one blocks.
There, orderings were inferred from tests with events written by hand; here, from the events that were
inferred. So wrong events count twice.

## Precision and recall (Table 3.2)

| | events, precision | recall | orderings, precision | recall |
|---|---|---|---|---|
| published, 184 tests in Java | 0.75 | 0.79 | 0.96 | 0.94 |
{figures_row("reex", kinds["open"])}
{figures_row("reex, `--region printed`", kinds["printed"])}
{figures_row("reex, `--confidence 0.1`", kinds["low"])}
{figures_row("reex, `--confidence 0.9`", kinds["high"])}
{figures_row("reex, `--logs native:5`", kinds["native"])}

Under reex there is one log for each test, so the confidence decides nothing. Logs of native runs, as the published
ones are, miss tasks that only compute, and threads that are late. `--region printed` takes line 27 of
Figure 3.4 as it stands; Figure 3.5 contradicts it.

## Orderings that were removed (Table 3.3)

| | original | on cycles | transitive | low confidence |
|---|---|---|---|---|
| published | 426 | 2 | 39 | 2 |
| reex | {totals["original"]} | {totals["cycles"]} | {totals["transitive"]} | {totals["low_confidence"]} |

## Test by test (Tables 3.1 and 3.4)

Times are of native runs, the median of {RUNS}, in milliseconds with the start of the process. Schedules are those that
reex explores with at most 2 preemptions: of the sleep-based test with `--sleeps any`, where a sleep may return
at once, and of the migrated one, where the schedule holds. "Fails" says that the sleep-based test fails in some
schedules once its sleeps do not order it: that it depends on them.

| test | events | orderings | right | sleeps, ms | migrated, ms | times faster | schedules without order | fails | schedules in order | verdict |
|---|---|---|---|---|---|---|---|---|---|---|""")
    ratios = []
    for subject in subjects:
        migrated = runs_of(f"{folder}/migrated-{subject}.json")
        free = runs_of(f"{folder}/sleeps-{subject}.json")
        for name in migrated:
            if name not in main_figures["tests"]:
                continue
            figures = main_figures["tests"][name]
            events, orderings = figures["events"], figures["orderings"]
            right = all(part["right"] == part["truth"] == part["inferred"] for part in (events, orderings))
            before = native_seconds(f"{folder}/sleeps/{subject}", name)
            after = native_seconds(f"{folder}/migrated/{subject}", name)
            schedule = migrated[name].get("imunit")
            factor = "-"
            if before and after and schedule:
                ratios.append(before / after)
                factor = f"{before / after:.1f}"
            milliseconds = [f"{seconds * 1000:.0f}" if seconds else "fails" for seconds in (before, after)]
            verdict = schedule["verdict"] if schedule else "no schedule"
            if migrated[name]["failures"]:
                verdict += ", fails"
            print(f"| {name} | {events['inferred']} | {orderings['inferred']} | {'yes' if right else 'no'} | "
                  f"{milliseconds[0]} | {milliseconds[1]} | {factor} | {free[name]['schedules'] if name in free else '-'} | "
                  f"{'-' if name not in free else 'yes' if free[name]['failures'] else 'no'} | {migrated[name]['schedules']} | {verdict} |")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0
    print(f"""
{totals["events"]["inferred"]} events and {totals["orderings"]["inferred"]} orderings in {len(ratios)} migrated tests. The geometric mean is {mean:.1f} times
faster; published: 3.39, and 2.76 with the detection of deadlocks, which is always on here.""")
    for name, section in (("public", public_section), ("native-runs", native_section)):
        if os.path.exists(f"{folder}/{name}.json"):
            section(json.load(open(f"{folder}/{name}.json")))


main()
