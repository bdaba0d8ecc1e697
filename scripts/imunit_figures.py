#!/usr/bin/env python3
"""imunit_figures.py TRUTH SOURCES REPORT...: compares inferred schedules with those that people wrote.

TRUTH is data/imunit/truth.json. An event of it is told by a text of the line of the statement before which it
stands; "|2" behind the text: the second such line of the test. REPORT is what `reex imunit infer --format json:`
wrote. Two events are the same if they stand before the same line. Two orderings are the same if both events are,
and both block or neither does. Prints JSON: figures of each test, and of all.
"""
import json
import re
import sys


def line_of(text, test, what):
    """The line in the body of the test that contains `what`."""
    suite, name = test.split(".")
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if re.match(rf"TEST(_F)?\({suite}, {name}\)", line))
    what, _, number = what.partition("|")
    found = []
    for i in range(begin, len(lines)):
        if what in lines[i]:
            found.append(i + 1)
        if lines[i].startswith("}"):
            break
    if not found:
        sys.exit(f"{test}: no line has {what!r}")
    return found[int(number or 1) - 1]


def parse(ordering):
    before, after = ordering.split("->")
    blocking = before.startswith("[")
    return before.strip("[]"), after, blocking


def place(lines, event):
    name, _, number = event.partition("#")
    return lines[name], int(number or 0)


def orderings_of(texts, lines):
    result = set()
    for before, after, blocking in map(parse, texts):
        result.add((place(lines, before), place(lines, after), blocking))
    return result


def ratio(part, whole):
    return part / whole if whole else 1.0


def compare(wanted, got):
    return {"inferred": len(got), "truth": len(wanted), "right": len(wanted & got),
            "precision": ratio(len(wanted & got), len(got)), "recall": ratio(len(wanted & got), len(wanted))}


def main():
    truth = json.load(open(sys.argv[1]))
    folder = sys.argv[2]
    tests = {}
    for path in sys.argv[3:]:
        report = json.load(open(path))
        for test in report["tests"]:
            name = test["test"]
            if name not in truth:
                continue
            wanted = truth[name]
            if "refused" in test:
                tests[name] = {"refused": test["refused"], "events": compare({1} if wanted["events"] else set(), set()),
                               "orderings": compare({1} if wanted["events"] else set(), set())}
                continue
            text = open(f"{folder}/{test['file'].rsplit('/', 1)[1]}").read()
            places = {event: line_of(text, name, what) for event, what in wanted["events"].items()}
            lines = {event["name"]: event["line"] for event in test["events"]}
            removed = test["removed"]
            tests[name] = {
                "events": compare(set(places.values()), set(lines.values())),
                "orderings": compare(orderings_of(wanted["orderings"], places), orderings_of(test["orderings"], lines)),
                "original": removed["original"], "cycles": len(removed["cycles"]),
                "transitive": len(removed["transitive"]), "low_confidence": len(removed["low_confidence"]),
            }
    missing = sorted(set(truth) - set(tests))
    if missing:
        sys.exit(f"no report has {', '.join(missing)}")
    totals = {}
    for what in ("events", "orderings"):
        total = {key: sum(test[what][key] for test in tests.values()) for key in ("inferred", "truth", "right")}
        total["precision"] = ratio(total["right"], total["inferred"])
        total["recall"] = ratio(total["right"], total["truth"])
        totals[what] = total
    for key in ("original", "cycles", "transitive", "low_confidence"):
        totals[key] = sum(test.get(key, 0) for test in tests.values())
    json.dump({"tests": tests, "totals": totals}, sys.stdout, indent=2)
    print()


main()
