#!/usr/bin/env python3
"""evaluation_runs.py ROOT PAGE.html PAGE.md JSON: the runs that the page of an evaluation holds are those that its tables
A and I were computed from, they are as the schema says, and they are what `--format json:` writes."""
import json
import re
import statistics
import sys

import jsonschema


def schedules(comparison, strategy, reduction, default_order):
    """Those of the first failures, of runs that all have one."""
    runs = [dict(zip(comparison["runs"]["columns"], row)) for row in comparison["runs"]["rows"]]
    return [
        run["failure"]
        for run in runs
        if (run["strategy"], run["reduction"]) == (strategy, reduction) and (run["seed"] == 0) == default_order
    ]


# The columns of table I that were run.
LAYERS = {
    2: "LOA",
    3: "heuristic:auto",
    5: "LA+FA+FS",
    6: "heuristic:auto+idle",
    7: "LA+FA+FS+idle",
}


def factor(value):
    return f"{value:.2g}" if value < 0.095 else f"{value:.2f}" if value < 0.95 else f"{value:.1f}"


def compare_layers(comparison, text):
    line = re.search(rf"^\| {comparison['label']} .*$", text[text.index("## I.") :], re.M).group(0)
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert len(cells) == 12 and "–" not in cells, f"{line}: a layer has no figure"
    random = statistics.geometric_mean(schedules(comparison, "random", "any", False))
    for column, strategy in LAYERS.items():
        expected = factor(random / statistics.geometric_mean(schedules(comparison, strategy, "auto", False)))
        assert cells[column] == expected, f"{line}: column {column} is not {expected}, of {strategy}"
    return len(LAYERS)


def main(root, html, markdown, document):
    page = open(html, encoding="utf-8").read()
    held = re.findall(r'<script type="application/json" id="evaluation">(.*?)</script>', page, re.S)
    assert len(held) == 1, f"{len(held)} elements"
    evaluation = json.loads(held[0])
    assert evaluation == json.load(open(document, encoding="utf-8")), "the page holds other runs than the JSON"
    schema = json.load(open(f"{root}/docs/evaluation.schema.json", encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(evaluation)
    text = open(markdown, encoding="utf-8").read()
    table = text[text.index("## A.") : text.index("## B1.")]
    compared = 0
    for comparison in evaluation["subjects"]:
        line = re.search(rf"^\| {comparison['label']} .*$", table, re.M).group(0)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        sizes = evaluation["published"]["sizes"][comparison["label"]]
        known = [comparison["threads"], *(sizes[what] for what in ("classes", "methods", "lines"))]
        assert [cells[2], *cells[4:7]] == [f"{one:,}" for one in known], f"{line}: {known} are in the JSON"
        published = evaluation["published"]["basic"][comparison["label"]]
        assert cells[9] == f"{published:,.0f}", f"{line}: {published:,.0f} is what was published"
        columns = [
            (10, "Basic", "none", True),
            (11, "Basic", "none", False),
            (12, "LOA", "none", True),
            (13, "LOA", "none", False),
            (14, "Basic", "auto", True),
            (15, "LOA", "auto", True),
            (16, "random", "any", False),
            (17, "auto", "auto", True),
        ]
        for column, *what in columns:
            found = schedules(comparison, *what)
            expected = f"{statistics.median(found):g}"
            assert cells[column] == expected, f"{line}: column {column} is not {expected} of {found}"
            compared += 1
        compared += compare_layers(comparison, text)
    assert compared, "no subject"
    runs = sum(len(one["runs"]["rows"]) for one in evaluation["subjects"] + evaluation["regressions"])
    assert f"Runs: {runs:,}" in text, f"the page does not tell of {runs} runs"
    print(f"{compared} figures of the tables A and I follow from the runs of the page")


main(*sys.argv[1:])
