#!/usr/bin/env python3
"""Schedules to the first failure, by strategy, over seeds.

    scripts/first_failure.py [--reex BINARY] [--seeds N] [--schedules N] [--strategies LIST] TEST_BINARY ...

Runs every test binary under every strategy with seeds 1 to N and prints a table: the median of the schedules
until the first failure, and the mean; where not all seeds found one, also how many did. A run that found
nothing counts as the limit on schedules. A strategy is its name, with options after colons: pct:--depth=5.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def first_failure(options, strategy, seed, binary, folder):
    """The ordinal of the first execution that failed; None if none did."""
    name, *more = strategy.split(":")
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.remove(report)
    words = [word for option in more for word in option.split("=", 1)]
    subprocess.run(
        [options.reex, "-q", "-o", folder, "-k", "1", "--strategy", name, *words, "--seed", str(seed),
         "--schedules", str(options.schedules), "--format", "json:" + report, binary],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=options.timeout)
    with open(report, encoding="utf-8") as file:
        failures = json.load(file)["failures"]
    return min((failure["schedule"] for failure in failures), default=None)


def cell(found, limit):
    hits = [count for count in found if count is not None]
    if not hits:
        return "not found"
    counts = [limit if count is None else count for count in found]
    text = f"{statistics.median(counts):g} ({statistics.mean(counts):.0f})"
    return text if len(hits) == len(found) else f"{text}, {len(hits)} of {len(found)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reex", default="build/cli/reex")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--schedules", type=int, default=10000)
    parser.add_argument("--strategies", default="random,pct,pos,urw,surw")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run")
    parser.add_argument("binaries", nargs="+", metavar="TEST_BINARY")
    options = parser.parse_args()
    strategies = options.strategies.split(",")
    print("| program | " + " | ".join(strategies) + " |")
    print("|---" * (1 + len(strategies)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for binary in options.binaries:
            cells = []
            for strategy in strategies:
                found = []
                for seed in range(1, options.seeds + 1):
                    try:
                        found.append(first_failure(options, strategy, seed, binary, folder))
                    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
                        print(f"{binary}, {strategy}, seed {seed}: {error}", file=sys.stderr)
                        found.append(None)
                cells.append(cell(found, options.schedules))
            print(f"| {os.path.splitext(os.path.basename(binary))[0]} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
