#!/usr/bin/env python3
"""Holds a subject of data/ to what is expected of it, or measures that.

    hold_subject.py NAME --reex PATH [--measure]

Makes the subject, faulty and correct, and compares what reex says with the row in data/subjects.txt (kind of
failure, threads, fewest preemptions) and with data/NAME/expected.json:

    options                   options of reex for this subject, as a limit on the steps of a test that does not end
    published                 the dissertation's figures: impacted points, schedules of Basic and LOA in ReEx; null
                              where there are none
    impacted_points           of reex impact
    schedules                 up to the failure, without reduction: Basic, Basic with every access visible
                              (--accesses all), LOA, and the median of random with the seeds 1 to 11. Null: no
                              failure but data races within LIMIT schedules and bound 2
    shallow                   whether that median is below 20
    correct                   the version without the fault: arguments of its test, the bound that was explored
                              without a failure, whether the executions were cut at the limit on steps, and the
                              bound that is tested here, if that is lower because the other one takes long

--measure writes what was measured (not the bounds) to expected.json and prints it. Exit status: 0 if all is as
expected, 1 if not, 2 for wrong usage.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data"
LIMIT = 20000
SEEDS = range(1, 12)
SHALLOW = 20
ICB = ["--strategy", "icb", "--reduction", "none", "--schedules", str(LIMIT)]
EXPLORATIONS = {
    "basic": ICB,
    "basic_every_access": [*ICB, "--accesses", "all"],
    "LOA": [*ICB, "--base", "HEAD~1", "--heuristic", "LOA"],
}


class Subject:
    """A version of a subject in a folder of its own."""

    def __init__(self, name, reex, folder, options, *version):
        subprocess.run([DATA / "subject", name, folder, "--reex", reex, *version], check=True)
        self.reex, self.folder, self.options = reex, folder, options

    def command(self, *words):
        """The document that a command of reex writes."""
        report = self.folder / "build" / "report.json"
        report.unlink(missing_ok=True)
        done = subprocess.run([self.reex, *words[:1], "--format", f"json:{report}", *words[1:]], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if not report.exists():
            raise RuntimeError(f"{words}: status {done.returncode}\n{done.stdout}")
        return json.loads(report.read_text())

    def run(self, *words, arguments=()):
        return self.command("run", "-q", *self.options, *words, "build/test", *(["--", *arguments] if arguments else []))

    def impacted_points(self):
        return len(self.command("impact", "--base", "HEAD~1", "build/test")["points"])


def failure_of(run):
    """The first failure that ended an execution; data races are found on the way to it."""
    failures = [failure for failure in run["failures"] if failure["kind"] != "race"]
    return min(failures, key=lambda failure: failure["schedule"], default=None)


def row_of(name):
    for line in (DATA / "subjects.txt").read_text().splitlines():
        words = line.split("|")
        if words[0] == name:
            return {"failure": words[1], "threads": int(words[2]), "preemptions": int(words[3])}
    sys.exit(f"hold_subject.py: there is no subject '{name}'")


class Check:
    def __init__(self):
        self.wrong = 0

    def equal(self, what, found, expected):
        if found == expected:
            print(f"ok: {what}: {found}")
        else:
            print(f"WRONG: {what}: expected {expected}, found {found}")
            self.wrong += 1


def look(faulty, row, check):
    """Explores the faulty version and returns what expected.json has of it."""
    schedules = {}
    for name, options in EXPLORATIONS.items():
        run = faulty.run(*options)
        failure = failure_of(run)
        schedules[name] = failure and failure["schedule"]
        if name == "basic":
            check.equal("threads", run["control"]["threads"], row["threads"])
            check.equal("kind of failure", failure and failure["kind"], row["failure"])
            check.equal("preemptions", failure and failure["preemptions"], row["preemptions"])
    found = [failure_of(faulty.run("--strategy", "random", "--seed", str(seed), "--schedules", str(LIMIT)))
             for seed in SEEDS]
    median = statistics.median(failure["schedule"] if failure else LIMIT for failure in found)
    schedules["random"] = int(median) if median < LIMIT else None
    return {"impacted_points": faulty.impacted_points(), "schedules": schedules, "shallow": median < SHALLOW}


def check_fewest(faulty, preemptions, check):
    """With fewer preemptions, nothing fails."""
    if preemptions > 0:
        run = faulty.run("--strategy", "icb", "--bound", str(preemptions - 1))
        failure = failure_of(run)
        check.equal(f"failure at bound {preemptions - 1}", failure and failure["kind"], None)
        check.equal("end of this search", run["ended"] in ("bound", "exhausted"), True)


def check_correct(correct, expected, check):
    bound = expected.get("tested", expected["bound"])
    run = correct.run("--strategy", "icb", "--bound", str(bound), arguments=expected.get("arguments", []))
    check.equal("failures of the correct version", [failure["message"] for failure in run["failures"]], [])
    check.equal("findings of the correct version", [finding["message"] for finding in run["findings"]], [])
    if expected.get("cut", False):
        check.equal("gaps", [gap["kind"] for gap in run["gaps"]], ["step-limit"])
        check.equal("end of its search", run["ended"] in ("bound", "exhausted"), True)
    else:
        check.equal("verdict on it", run["verdict"], "passed")
        check.equal("bound explored", run["exhausted"] or run["bound_completed"] == bound, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("--reex", required=True, type=Path)
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    reex = options.reex.resolve()
    row = row_of(options.name)
    path = DATA / options.name / "expected.json"
    expected = json.loads(path.read_text())
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        words = expected.get("options", [])
        faulty = Subject(options.name, reex, Path(folder) / "faulty", words)
        correct = Subject(options.name, reex, Path(folder) / "correct", words, "--correct")
        found = look(faulty, row, check)
        check_fewest(faulty, row["preemptions"], check)
        check_correct(correct, expected["correct"], check)
    if options.measure:
        path.write_text(json.dumps({**expected, **found}, indent=2) + "\n")
        print(json.dumps(found))
    else:
        for name, value in found.items():
            check.equal(name.replace("_", " "), value, expected.get(name))
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
