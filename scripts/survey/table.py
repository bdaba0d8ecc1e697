"""The reports."""
import collections
import os

from survey.classes import CLASSES, OUTSIDE


def percent(part, whole):
    return f"{part} of {whole} ({100 * part // whole} %)" if whole else "-"


def table(lines):
    """One row for each suite: the tests that count, by class."""
    suites = collections.defaultdict(collections.Counter)
    for line in lines:
        suites[line["suite"]][line["class"]] += 1
        suites["all"][line["class"]] += 1
    used = [kind for kind in CLASSES if kind == "right" or suites["all"][kind]]
    used_outside = [kind for kind in OUTSIDE if suites["all"][kind]]
    names = ["suite", "tests that count"] + used + [f"*{kind}*" for kind in used_outside]
    rows = ["| " + " | ".join(names) + " |",
            "|---" * len(names) + "|"]
    order = sorted(suite for suite in suites if suite != "all") + (["all"] if len(suites) != 2 else [])
    for suite in order:
        counts = suites[suite]
        whole = sum(counts[kind] for kind in CLASSES)
        cells = [percent(counts["right"], whole)] + [str(counts[kind] or "") for kind in used[1:]]
        cells += [str(counts[kind] or "") for kind in used_outside]
        rows.append(f"| {suite} | {whole} | " + " | ".join(cells) + " |")
    meanings = [f"- {kind}: {text}" for kind, text in CLASSES.items() if kind in used]
    meanings += [f"- *{kind}*, does not count: {text}" for kind, text in OUTSIDE.items() if kind in used_outside]
    return rows + [""] + meanings


def cell(text):
    return text.replace("|", "\\|")


def markdown(lines, options):
    text = ["# What reex can control", "", f"Each test was run natively {options.native} times, then with:", ""]
    text += [f"    reex {words} TEST" for words in options.set] + [""] + table(lines)
    wrong = [line for line in lines if line["class"] in CLASSES and line["class"] != "right"]
    if wrong:
        text += ["", "## What is not right", "", "| suite | test | class | options | reason |", "|---" * 5 + "|"]
    for line in sorted(wrong, key=lambda line: (line["suite"], line["test"])):
        for run in line["runs"]:
            if run["class"] != "right":
                text.append(f"| {line['suite']} | {cell(line['test'])} | {run['class']} | `{run['options']}` | "
                            f"{cell(run['reason'])} |")
    failing = [line for line in lines if line["class"] == "fails"]
    if failing:
        text += ["", "## What does not pass natively", ""]
        text += [f"- {line['suite']}: {line['test']} ({', '.join(map(str, line['native']['statuses']))})"
                 for line in sorted(failing, key=lambda line: (line["suite"], line["test"]))]
    return "\n".join(text) + "\n"


def write_whole(path, text):
    """No reader sees half a file."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
