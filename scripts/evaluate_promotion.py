#!/usr/bin/env python3
"""evaluate_promotion.py BUILD [--report PAGE] [--only NAME,...] [--projects FILE]: promotes failures to tests, and
runs each test where it fails and where the mistake is mended. Writes docs/promotion-evaluation.md (or PAGE).

BUILD is a build folder with reex. The failures are those of data/ and of tests/corpus/fails. FILE names
further ones, of git repositories that are faulty at HEAD and correct at HEAD~1, as a JSON list of objects:
  {"name": ..., "folder": ..., "binary": "build/test", "build": "make", "options": [...], "what": "..."}
It takes about an hour.
"""
import argparse, difflib, json, os, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NATIVE_RUNS = 10
# The programs are linked with reex alone, and not with reex::imunit, which would bring the header.
os.environ["CPLUS_INCLUDE_PATH"] = str(ROOT / "include")
FINDINGS = {"data-race", "race", "never-joined", "destroyed-while-held", "unlocked-by-stranger", "woken-after-free",
            "gone-thread"}


def run(command, folder, seconds=900):
    """Status and text; status 124 if it takes longer."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds, shell=isinstance(command, str), text=True,
                              errors="replace")
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return 124, late.stdout.decode(errors="replace") if late.stdout else ""


def moved(base, promoted, correct):
    """The correct text with the lines that the promoted one has beside the base's; each goes before the same statement
    as there, or behind it. And whether a line has lost its statement."""
    bare = lambda text: [line.strip() for line in text.splitlines()]
    olds, lines, news = bare(base), promoted.splitlines(), correct.splitlines()
    pairs = {}
    for block in difflib.SequenceMatcher(None, olds, bare(correct), False).get_matching_blocks():
        pairs.update({block.a + i: block.b + i for i in range(block.size)})
    unique = {line: i for i, line in enumerate(bare(correct)) if bare(correct).count(line) == 1}
    before, lost = {}, False
    for tag, a, end, b, last in difflib.SequenceMatcher(None, olds, bare(promoted), False).get_opcodes():
        if tag == "equal":
            continue
        if tag == "replace":  # a statement that has got braces
            for i in range(a, end):
                if i in pairs:
                    news[pairs[i]] = lines[b + i - a]
                else:
                    lost = True
            continue
        behind = any("(did_" in line for line in lines[b:last])
        anchor = a - 1 if behind else a
        place = pairs.get(anchor, unique.get(olds[anchor] if anchor < len(olds) else ""))
        if place is None:
            lost = True
            continue
        before.setdefault(place + (1 if behind else 0), []).extend(lines[b:last])
    made = []
    for i in range(len(news) + 1):
        made += before.get(i, []) + news[i:i + 1]
    return "\n".join(made) + "\n", lost


class Case:
    """A faulty program in a folder of its own."""

    def __init__(self, name, folder, binary, build, options=(), what=""):
        self.name, self.folder, self.binary, self.build = name, pathlib.Path(folder), binary, build
        self.options, self.what = list(options), what
        self.correct = {}  # path -> text, of the files that differ in the correct version


class Evaluation:
    def __init__(self, reex):
        self.reex = reex

    def explore(self, case, *options):
        report = case.folder / "report.json"
        report.unlink(missing_ok=True)
        status, said = run([self.reex, "run", "-q", "-o", ".", "--races", "report", "--budget", "60s", *options,
                            "--format", "json:report.json", case.binary], case.folder)
        if not report.exists():
            sys.exit(f"{case.name}: status {status}, and no report: {said}")
        document = json.loads(report.read_text())
        return document.get("runs", [document])

    def evaluate(self, case):
        row = {"name": case.name, "what": case.what, "kind": "", "refused": ""}
        runs = self.explore(case, *case.options)
        errors = [r["error"] for r in runs if r.get("error")]
        if errors:
            sys.exit(f"{case.name}: {errors[0]}")
        failures = [(f, r) for r in runs for f in r.get("failures", []) if f["kind"] not in FINDINGS]
        if not failures:
            row["refused"] = "reex finds no failure"
            return row
        failure, found_in = failures[0]
        row["kind"] = failure["kind"]
        test = found_in.get("test", {}).get("name", "")
        before = self.texts(case)
        said = self.promote(case, failure["replay"], test, row)
        if said is None:
            return row
        self.read(said, row)
        self.judge(case, row)
        self.judge_correct(case, before, row)
        return row

    @staticmethod
    def texts(case):
        return {p.relative_to(case.folder): p.read_text(errors="replace") for p in case.folder.rglob("*")
                if p.suffix in (".cpp", ".h", ".hpp", ".cc") and "build" not in p.parts}

    def promote(self, case, file, test, row):
        """In the test's file, else in the product, else by places of operations. None: refused."""
        why = ""
        for form, words in (("test", []), ("product", ["--in-product"]), ("external", ["--form", "external"])):
            target = [] if test else ["--to", "promoted.cpp"]
            status, said = run([self.reex, "promote", file, "--build", case.build, "--apply", *words, *target],
                               case.folder)
            if status == 0:
                row["form"] = form
                if not test:  # a program of its own, in place of the failing one
                    main = next(p for p in self.texts(case)
                                if p.name != "promoted.cpp" and re.search(r"\bint main\(", (case.folder / p).read_text()))
                    shutil.move(case.folder / "promoted.cpp", case.folder / main)
                return said
            if form != "external":
                lines = [line for line in said.splitlines() if " cannot be promoted: " in line]
                why = lines[0].split(" cannot be promoted: ")[1] if lines else said.strip().splitlines()[-1]
            if not re.search("no event can stand|no orderings make|runs fail under the schedule", said):
                break
        row["refused"] = why
        return None

    @staticmethod
    def read(said, row):
        row["schedule"] = re.search(r"^  schedule   (.*)$", said, re.M).group(1)
        row["test"] = re.search(r"^PROMOTED (.*): \S+$", said, re.M).group(1)
        row["orderings"] = row["schedule"].count("->")
        row["events"] = len(set(re.findall(r"\b(?:at|did|go)_\w+", row["schedule"])))
        row["robust"] = "robust: every execution" in said

    @staticmethod
    def words_of_test(case, row):
        if row["test"].endswith(".cpp"):
            return []
        if "." in row["test"] and " " not in row["test"]:
            return ["--gtest_filter=" + row["test"]]
        text = "".join(p.read_text(errors="replace") for p in case.folder.rglob("*.cpp"))
        return ["--test-case=" + row["test"]] if "doctest" in text else [row["test"]]

    def native(self, case, row, runs=NATIVE_RUNS):
        """How many runs fail."""
        return sum(run([case.binary, *self.words_of_test(case, row)], case.folder, 30)[0] != 0 for _ in range(runs))

    def judge(self, case, row):
        status, said = run(case.build, case.folder)
        if status != 0:
            row["refused"] = "the promoted test is not built: " + said[-300:]
            return
        row["native"] = self.native(case, row)

    def judge_correct(self, case, before, row):
        """The correct version with the events that the promotion has put into the faulty one."""
        if row["refused"] or not case.correct:
            return
        row["conflict"] = False
        with tempfile.TemporaryDirectory() as folder:
            three = pathlib.Path(folder)
            for path, correct in case.correct.items():
                path = pathlib.Path(path)
                if correct is None:
                    (case.folder / path).unlink()
                    continue
                if path not in before:
                    (case.folder / path).write_text(correct)
                    continue
                (three / "base").write_text(before[path])
                (three / "correct").write_text(correct)
                shutil.copy(case.folder / path, three / "promoted")
                status, _ = run(["git", "merge-file", "-q", "promoted", "base", "correct"], three)
                merged = (three / "promoted").read_text()
                if status != 0:  # an event stands beside what is mended
                    merged, lost = moved(before[path], (case.folder / path).read_text(), correct)
                    row["conflict"] = row["conflict"] or lost
                (case.folder / path).write_text(merged)
        status, said = run(case.build, case.folder)
        if status != 0:
            row["correct"] = "not built"
            return
        words = [] if row["test"].endswith(".cpp") else ["--filter", row["test"]]
        runs = self.explore(case, *case.options, *words)
        kinds = {f["kind"] for r in runs for f in r.get("failures", [])} - FINDINGS
        verdicts = {(r.get("imunit") or {}).get("verdict") for r in runs}
        row["correct"] = ("passes" if not kinds and verdicts == {"satisfied"} else
                          "infeasible" if kinds == {"infeasible"} or (not kinds and verdicts == {"infeasible"}) else
                          "not met" if not kinds and verdicts == {"not-met"} else
                          "fails: " + ", ".join(sorted(str(k) for k in kinds | verdicts)))
        if row["correct"] == "passes":
            row["native_correct"] = self.native(case, row)


def flags(reex, kind):
    return subprocess.run([reex, "flags", "--" + kind], check=True, capture_output=True, text=True).stdout.split()


def subjects(work, reex, only):
    for name in subprocess.run([ROOT / "data/subject", "--list"], check=True, capture_output=True, text=True).stdout.split():
        if only and "data/" + name not in only:
            continue
        folder = work / name
        status, said = run([str(ROOT / "data/subject"), name, str(folder), "--reex", reex], work)
        if status != 0:
            sys.exit(said)
        expected = json.loads((ROOT / "data" / name / "expected.json").read_text())
        case = Case("data/" + name, folder, "build/test", "cmake --build build", expected.get("options", []))
        case.correct = changed_files(folder)
        yield case


def changed_files(folder):
    """Of HEAD~1, by path; None: the file is not there."""
    correct = {}
    names = subprocess.run(["git", "diff", "--name-only", "HEAD~1", "HEAD"], cwd=folder, check=True, capture_output=True,
                           text=True).stdout.split()
    for path in names:
        shown = subprocess.run(["git", "show", "HEAD~1:" + path], cwd=folder, capture_output=True, text=True)
        correct[path] = shown.stdout if shown.returncode == 0 else None
    return correct


def corpus(work, reex, only):
    document = json.loads((ROOT / "tests/corpus/expected.json").read_text())
    options = {c["case"]: c.get("options", []) for c in document["cases"]}
    for source in sorted((ROOT / "tests/corpus/fails").rglob("*.cpp")):
        name = str(source.relative_to(ROOT / "tests/corpus").with_suffix(""))
        if only and name not in only:
            continue
        folder = work / name.replace("/", "_")
        (folder / "build").mkdir(parents=True)
        shutil.copy(source, folder / "test.cpp")
        command = ["g++", "-std=c++20", "-g", "-O0", "-I" + str(ROOT / "include"), *flags(reex, "compile"), "test.cpp",
                   "-o", "build/test", *flags(reex, "link"), "-pthread"]
        (folder / "Makefile").write_text("build/test: test.cpp\n\tmkdir -p build\n\t" + " ".join(command) + "\n")
        (folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(folder), "file": "test.cpp", "arguments": command}]))
        status, said = run("make -s", folder)
        if status != 0:
            print(name, "is not built:", said[-200:], file=sys.stderr)
            continue
        yield Case(name, folder, "build/test", "make -s", options.get(name, []))


def projects(file, only):
    for each in json.loads(pathlib.Path(file).read_text()):
        if only and each["name"] not in only:
            continue
        folder = pathlib.Path(each["folder"])
        case = Case(each["name"], folder, each["binary"], each["build"], each.get("options", []), each.get("what", ""))
        case.correct = changed_files(folder)
        yield case


def page(rows, command, only):
    part = ", which has these failures alone: " + ", ".join(sorted(only)) if only else ""
    promoted = [r for r in rows if not r["refused"]]
    judged = [r for r in promoted if "correct" in r]
    natively = [r for r in promoted if r["form"] != "external"]
    always = sum(r.get("native") == NATIVE_RUNS for r in natively)
    text = f"""# Promoted tests: an evaluation

`{command}` wrote this page{part}. Each failure that reex finds in `data/`, in `tests/corpus/fails` and in the projects
named is given to `reex promote` ([imunit.md](imunit.md#from-a-failing-schedule-to-a-test)): with events in the test's
file alone; if that is refused, in the product too (`--in-product`); if that is refused, by places of
operations (`--form external`). The promoted test is built and run natively {NATIVE_RUNS} times. Where a correct
version is known, the events are merged into it, and the test is explored there.

{len(rows)} failures, {len(promoted)} promoted, {len(rows) - len(promoted)} refused. Of the {len(natively)} with events in the
sources, {always} fail in all {NATIVE_RUNS} native runs; the others are for reex alone. Of {len(judged)} with a correct version, {sum(r['correct'] == 'passes' for r in judged)} pass there and \
{sum(r['correct'] == 'infeasible' for r in judged)} are infeasible.

## Promoted

"Robust": every execution that obeys the schedule fails so, within two preemptions. "Events": in the test's file,
in the product, or by places. "Correct": the test's verdict in the correct version, and how many of {NATIVE_RUNS} native runs
fail there. A star: an event stood at lines that the mend removes, and went with them.

| failure | kind | orderings | events | robust | native runs that fail | correct |
|---|---|---|---|---|---|---|
"""
    for r in promoted:
        correct = r.get("correct", "-") + ("*" if r.get("conflict") else "")
        if "native_correct" in r:
            correct += f", {r['native_correct']} of {NATIVE_RUNS}"
        native = "skipped" if r["form"] == "external" else f"{r['native']} of {NATIVE_RUNS}"
        text += (f"| {r['name']}{': ' + r['what'] if r['what'] else ''} | {r['kind']} | {r['orderings']} | "
                 f"{r['events']}, {r['form']} | {'yes' if r['robust'] else 'no'} | {native} | {correct} |\n")
    text += "\n## Refused\n\n| failure | kind | why |\n|---|---|---|\n"
    for r in rows:
        if r["refused"]:
            why = re.sub(r"/\S*/", "", r["refused"]).replace("|", "\\|")
            text += f"| {r['name']} | {r['kind']} | {why} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--report", default=str(ROOT / "docs/promotion-evaluation.md"))
    parser.add_argument("--only", default="")
    parser.add_argument("--projects", default="")
    parser.add_argument("--keep", default="", help="a folder for the work and for rows.json")
    parser.add_argument("--rows", action="append", default=[], help="rows.json of an earlier run: those rows are in the "
                        "page, too, but for failures that are run now")
    options = parser.parse_args()
    reex = str(pathlib.Path(options.build).resolve() / "cli/reex")
    only = set(filter(None, options.only.split(",")))
    work = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="reex-promotion-")).resolve()
    work.mkdir(exist_ok=True)
    rows = []
    evaluation = Evaluation(reex)
    sources = [subjects(work, reex, only), corpus(work, reex, only)]
    if options.projects:
        sources.append(projects(options.projects, only))
    for source in reversed(sources):
        for case in source:
            rows.append(evaluation.evaluate(case))
            print(json.dumps(rows[-1]), flush=True)
    if options.keep:
        (work / "rows.json").write_text(json.dumps(rows, indent=1))
    else:
        shutil.rmtree(work)
    new = {row["name"] for row in rows}
    for file in options.rows:
        rows = [row for row in json.loads(pathlib.Path(file).read_text()) if row["name"] not in new] + rows
        new |= {row["name"] for row in rows}
    words = "scripts/evaluate_promotion.py BUILD" + (" --projects FILE" if options.projects else "")
    words += " --only NAMES" if only else ""
    words += " --rows FILE" * len(options.rows)
    pathlib.Path(options.report).write_text(page(rows, words, new if only else only))


if __name__ == "__main__":
    main()
