#!/usr/bin/env python3
"""imunit_public.py REEX PROJECTS [--infer]: infers and migrates sleep-based tests of public projects. Prints JSON for
imunit_page.py.

PROJECTS is a JSON list of clean git repositories whose tests are built with the flags of reex:
  {"name": "owner/name", "commit": ..., "folder": ..., "binary": "build/test", "build": "make"}
data/imunit/public.json has the tests and what their sleeps order, as people read them: by lines, "[233]->241#2" with
the number of the occurrence. With --infer, nothing is migrated.
"""
import json
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = 5


def run(command, folder, seconds=600):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds,
                              shell=isinstance(command, str))
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return 124, "it takes too long"


def words_of(framework, test):
    return {"googletest": [f"--gtest_filter={test}"], "catch2": [test], "doctest": [f"--test-case={test}"],
            "main": []}[framework]


def milliseconds(project, framework, test):
    """The median of native runs; None if one fails."""
    times = []
    for _ in range(RUNS):
        begin = time.monotonic()
        if run([project["binary"], *words_of(framework, test)], project["folder"], 120)[0] != 0:
            return None
        times.append(1000 * (time.monotonic() - begin))
    return statistics.median(times)


def by_lines(report):
    """The orderings with lines in place of events."""
    lines = {event["name"]: str(event["line"]) for event in report["events"]}
    place = lambda event: re.sub(r"^[^#]+", lambda name: lines[name[0]], event)
    result = set()
    for ordering in report["orderings"]:
        before, after = ordering.split("->")
        blocking = before.startswith("[")
        before = place(before.strip("[]"))
        result.add((f"[{before}]" if blocking else before) + "->" + place(after))
    return result


def evaluate(reex, project, framework, wanted):
    folder = project["folder"]
    run("git checkout -q .", folder)
    status, said = run(project["build"], folder)
    if status != 0:
        return {"result": "not built: " + said[-300:]}
    test, row = wanted["test"], {}
    chosen = ["--filter", test] if framework != "main" else []
    report = pathlib.Path(folder) / "inference.json"
    report.unlink(missing_ok=True)
    _, said = run([reex, "imunit", "infer", *chosen, "--format", "json:inference.json", project["binary"]], folder)
    if not report.exists():
        return {"result": "refused: " + said.strip().splitlines()[-1]}
    inferred = json.loads(report.read_text())["tests"][0]
    report.unlink()
    if "refused" in inferred:
        return {"result": "refused: " + inferred["refused"]}
    got, truth = by_lines(inferred), set(wanted["orderings"])
    row.update(events=len(inferred["events"]), inferred=len(got), truth=len(truth), right=len(got & truth),
               wrong=sorted(got - truth), missing=sorted(truth - got),
               stays=sorted({item["why"] for item in inferred["left_out"] if item["what"] == "the sleep"}),
               replaced=len(inferred["sleeps"]))
    if not inferred["orderings"]:
        row["result"] = "stays"
        return row
    if "--infer" in sys.argv:
        row["result"] = "inferred"
        return row
    row["before"] = milliseconds(project, framework, test)
    _, said = run([reex, "imunit", "migrate", *chosen, "--verify", "--apply", "--build", project["build"],
                   project["binary"]], folder)
    failed = re.findall(r"^FAILS (\w+): .*\n(?:  (.*))?", said, re.M)
    row["result"] = "migrated" if "\nWRITTEN " in said else "; ".join(f"{check}: {why[:160]}" for check, why in failed)
    row["result"] = row["result"] or said.strip().splitlines()[-1]
    if row["result"] == "migrated" and run(project["build"], folder)[0] == 0:
        row["after"] = milliseconds(project, framework, test)
    run("git checkout -q .", folder)
    return row


def evaluate_all(reex, projects, result):
    for wanted in json.loads((ROOT / "data/imunit/public.json").read_text()):
        project = projects.get(wanted["project"])
        if project is None:
            continue
        for test in wanted["tests"]:
            row = evaluate(reex, {**project, **({"binary": wanted["binary"]} if "binary" in wanted else {})},
                           wanted["framework"], test)
            row.update(project=wanted["project"], commit=project["commit"], file=wanted["file"], test=test["test"],
                       framework=wanted["framework"])
            print(f"{row['test']}: {row['result']}", file=sys.stderr)
            result.append(row)


def main():
    reex = str(pathlib.Path(sys.argv[1]).resolve())
    projects = {project["name"]: project for project in json.load(open(sys.argv[2]))}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what is done is printed
    result = []
    try:
        evaluate_all(reex, projects, result)
    finally:
        json.dump(result, sys.stdout, indent=2)
        print()


main()
