"""Tests with reex, and what becomes of them."""
import json
import os
import shlex
import signal
import subprocess
import tempfile
import time

from survey.classes import CLASSES, OF_STATUS
from survey.native import end_group, run_natively, variables


def only_findings(report):
    kinds = {failure["kind"] for failure in report["failures"]}
    return bool(kinds) and kinds <= {"race", "data-race", "never-joined", "destroyed-while-held",
                                     "unlocked-by-stranger", "woken-after-free", "gone-thread"}


def of_all_cases(runs):
    """One report for the cases of a program: what is counted, and what is told, of all of them."""
    if not runs:
        return None
    report = dict(runs[0])
    for key in ("failures", "gaps", "findings"):
        report[key] = [entry for run in runs for entry in run[key]]
    report["schedules"] = sum(run["schedules"] for run in runs)
    report["exhausted"] = all(run["exhausted"] for run in runs)
    report["error"] = next((run["error"] for run in runs if run["error"]), None)
    return report


def one_line(text):
    return " ".join(text.split())[:300]


def reason_of(report, kind, words):
    """Why there is no right verdict, in one line."""
    if report is None:
        return words
    if kind in ("failed", "races"):
        return "; ".join(one_line(failure["kind"] + ": " + failure["message"]) for failure in report["failures"])
    if report.get("error"):
        return one_line(report["error"])
    gaps = [one_line(gap["kind"] + ": " + gap["detail"]) for gap in report["gaps"] if gap["effect"] == "verdict"]
    return "; ".join(gaps) or words


def run_with_reex(test, options, words, folder):
    """One run with reex: status, class, reason and the most important figures of its report."""
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as cwd:
        path = os.path.join(cwd, "report.json")
        command = [options.reex, "-q", "-o", os.path.join(cwd, ".reex"), "--format", "json:" + path,
                   *shlex.split(words), *test.reex_words()]
        started = time.monotonic()
        status, errors = None, b""
        with open(os.path.join(cwd, "errors.txt"), "w+b") as lines, \
                subprocess.Popen(command, cwd=test.folder(cwd), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=lines, env=variables(test, cwd), start_new_session=True) as process:
            try:
                status = process.wait(options.limit)
            except subprocess.TimeoutExpired:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                end_group(process.pid, [signal.SIGKILL])
            lines.seek(0)
            errors = lines.read(1 << 20)
        seconds = time.monotonic() - started
        report = None
        try:
            with open(path, encoding="utf-8") as file:
                report = json.load(file)
            if "runs" in report:  # of a framework whose cases are not told apart here: reex ran them one by one
                report = of_all_cases(report["runs"])
        except (OSError, ValueError):
            pass
    told = [line for line in errors.decode(errors="replace").splitlines() if line.startswith("reex: ")]
    if status is None:
        kind, why = "time-out", f"no end within {options.limit:g} s"
    else:
        kind = OF_STATUS.get(status, "internal")
        if kind == "failed" and report and only_findings(report):
            kind = "races"
        why = "" if kind == "right" else reason_of(report, kind, one_line(told[-1] if told else f"status {status}"))
    result = {"options": words, "status": status, "class": kind, "reason": why, "seconds": round(seconds, 2)}
    if report and "verdict" in report:
        result.update({"verdict": report["verdict"], "schedules": report["schedules"],
                       "bound_completed": report["bound_completed"], "exhausted": report["exhausted"],
                       "threads": report["control"]["threads"], "isolation": report["control"]["isolation"],
                       "gaps": sorted({gap["kind"] for gap in report["gaps"]}),
                       "findings": len(report["findings"])})
    return result


def judge(test, options, folder):
    """What becomes of one test."""
    line = {"suite": test.suite, "test": test.name(), "binary": test.binary, "filter": test.filter,
            "arguments": test.arguments, "digest": test.digest,
            "native": run_natively(test, options, folder), "runs": []}
    native = line["native"]
    if any(status != 0 for status in native["statuses"]):
        line["class"] = "fails"
    elif not native["threads"]:
        line["class"] = "no threads"
    else:
        line["runs"] = [run_with_reex(test, options, words, folder) for words in options.set]
        line["class"] = max((run["class"] for run in line["runs"]), key=list(CLASSES).index)
    return line
