#!/usr/bin/env python3
"""imunit_native_runs.py BUILD [--runs N] [--burners N] [--tests FOLDER]: runs tests with schedules natively, N times each
(1000), while N processes (2) keep the cores busy, and counts wrong verdicts. Prints JSON.

The tests are those of tests/imunit/programs, with the ends that tests/imunit/native_test.cpp expects, and the migrated
tests in FOLDER: programs of GoogleTest that shall pass, each in one process. Status 1 if a verdict was wrong.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
AT_ONCE = 12
PASSING = "Queue.*:Ordered.*/right:Infeasible.*:FaultyQueue.OneWaits*"
FAILING = ("Ordered.WriteThenRead/wrong", "Unexpected.TakeBeforeAdd", "FeasibleAgain.TakeAfterAdd")


def cases(programs, folder):
    """Name, command, wanted status, wanted text."""
    queue, uses = str(programs / "queue_native"), str(programs / "uses_native")
    passing = len(list(listed(queue, PASSING)))
    yield f"{passing} tests of a queue", [queue, f"--gtest_filter={PASSING}"], 0, f"[  PASSED  ] {passing} tests"
    for test in FAILING:
        yield test, [queue, f"--gtest_filter={test}"], 1, ""
    table = (ROOT / "tests/imunit/native_test.cpp").read_text()
    for name, status, text in re.findall(r'^    \{"(\w+)", (\d+), "(.*)"\},$', table, re.M):
        yield "uses: " + name, [uses, name], int(status), text
    for binary in sorted(folder.iterdir()) if folder else ():
        if binary.is_file() and os.access(binary, os.X_OK):
            tests = len(list(listed(str(binary), "*")))
            yield f"{tests} migrated tests of {binary.name}", [str(binary)], 0, f"[  PASSED  ] {tests} tests"


def listed(binary, pattern):
    said = subprocess.run([binary, "--gtest_list_tests", f"--gtest_filter={pattern}"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    suite = ""
    for line in said.splitlines():
        if line.startswith("  "):
            yield suite + line.split("#")[0].strip()
        elif line.endswith("."):
            suite = line


def is_wrong(command, status, text):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=120, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "it hangs"
    got = 128 - done.returncode if done.returncode < 0 else done.returncode
    if got != status:
        return f"status {got}: {done.stdout[-400:]}"
    return "" if text in done.stdout else f"it does not say {text!r}: {done.stdout[-400:]}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--runs", type=int, default=1000)
    options.add_argument("--burners", type=int, default=2)
    options.add_argument("--tests", type=pathlib.Path)
    options = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the burners end, too
    burners = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.burners)]
    result = {"runs": options.runs, "burners": options.burners, "tests": {}}
    try:
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for name, *case in cases(options.build / "tests/imunit/programs", options.tests):
                wrong = [why for why in pool.map(lambda _: is_wrong(*case), range(options.runs)) if why]
                result["tests"][name] = {"wrong": len(wrong), "first": wrong[0] if wrong else ""}
                print(f"{name}: {len(wrong)} of {options.runs} wrong", file=sys.stderr)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    json.dump(result, sys.stdout, indent=2)
    print()
    return 1 if any(test["wrong"] for test in result["tests"].values()) else 0


sys.exit(main())
