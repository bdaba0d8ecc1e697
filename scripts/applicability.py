#!/usr/bin/env python3
"""What can reex control here? Runs test binaries natively and with reex, and tells which got the right verdict.

    scripts/applicability.py [-o FOLDER] [-j N] FOLDER_OF_TESTS | LIST_FILE | TEST_BINARY ...

Each test is run natively, several times. A test that always passes natively and creates threads is then run with
reex, once for each set of options. The right verdict is PASSED or NO FAILURE FOUND. Everything else is told
with its reason: docs/applicability.md says how to read it. A run that was interrupted is continued by the
same command. Exit status: 0 if all tests that count got the right verdict, 1 if not, 2 for wrong usage,
130 if interrupted.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

DEFAULT_SETS = ["--strategy random --schedules 100 --seed 1 --budget 20s", "--budget 20s"]
# What can become of a test that counts, the best first. A test with several sets of options is in the worst class
# of them.
CLASSES = {
    "right": "PASSED or NO FAILURE FOUND",
    "races": "status 1 for findings alone, such as data races: to be looked at",
    "failed": "status 1: a fault of the test, or a false failure",
    "no verdict": "status 3: inconclusive",
    "refused": "status 5: reex cannot control it, and says why",
    "not started": "status 4",
    "time-out": "reex did not end within the time limit",
    "internal": "status 70, or any other: an error of reex",
}
# Tests that do not count.
OUTSIDE = {
    "fails": "it does not pass natively, or not always",
    "no threads": "it creates no thread natively",
}
OF_STATUS = {0: "right", 1: "failed", 3: "no verdict", 4: "not started", 5: "refused"}


# The test frameworks whose cases count one by one: what their programs contain, and the arguments that choose a case.
# A program with Boost.Test may use GoogleMock, too, and starts GoogleTest for it.
FRAMEWORKS = {
    b"5boost9unit_test9ut_detail24auto_test_unit_registrar": lambda name: [f"--run_test={name}"],
    b"InitGoogleTest": lambda name: [f"--gtest_filter={name}"],
    b"7doctest6detail7regTest": lambda name: ["--dt-test-case=" + name.replace("\\", "\\\\").replace(",", "\\,")],
    b"N5QTest5qExecEP7QObject": lambda name: [name],
    b"this wonderful help screen. Joy!": lambda name: ["-sg", name.partition(".")[0], "-sn", name.partition(".")[2]],
}


class Usage(Exception):
    """Wrong usage, in one line."""


# ---- which tests there are


def program_of_elf(path):
    """The bytes of an ELF program for x86-64; None for another file, and for a library."""
    try:
        with open(path, "rb") as file:
            head = file.read(64)
            if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
                return None
            kind, machine = struct.unpack_from("<HH", head, 16)
            if kind not in (2, 3) or machine != 62:
                return None
            data = head + file.read()
    except OSError:
        return None
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    if offset + size * count > len(data):
        return None
    kinds = [struct.unpack_from("<I", data, offset + size * i)[0] for i in range(count)]
    interpreted = 3 in kinds  # PT_INTERP: what a library does not have
    return data if interpreted or kind == 2 else None


def has_hooks(data):
    return b"libreex_hooks.so" in data or b"libtsan.so" in data


class Test:
    """A plain program, or one case of a program with a test framework. `choose`: the native arguments for a case."""

    def __init__(self, suite, binary, arguments, filter_, digest, choose=None):
        self.suite, self.binary, self.arguments, self.filter, self.digest = suite, binary, arguments, filter_, digest
        self.choose = choose

    def name(self):
        return " ".join([os.path.basename(self.binary)] + ([self.filter] if self.filter else []) +
                        [shlex.quote(word) for word in self.arguments])

    def native_command(self):
        return [self.binary] + (self.choose(self.filter) if self.filter else []) + self.arguments

    def reex_words(self):
        words = ["--filter", self.filter] if self.filter else []
        return words + [self.binary] + (["--", *self.arguments] if self.arguments else [])


class Collection:
    """Gathers the tests that the command line names."""

    def __init__(self, options):
        self.options = options
        self.tests = []
        self.without_hooks = 0
        self.silent = []  # binaries with a test framework that do not list their tests

    def add_binary(self, suite, binary, arguments, wanted):
        binary = os.path.abspath(binary)
        data = program_of_elf(binary) if os.access(binary, os.X_OK) else None
        if data is None:
            if wanted:
                raise Usage(f"{binary} is no program for x86-64 Linux that can be executed")
            return
        if not self.options.any and not has_hooks(data):
            self.without_hooks += 1
            return
        digest = hashlib.sha256(data).hexdigest()
        names = [""]
        choose = next((argument for marker, argument in FRAMEWORKS.items() if marker in data), None)
        if choose:
            arguments, patterns = self.patterns_of(arguments, choose("*")[0].partition("*")[0])
            names = self.case_names(binary, patterns)
            if self.options.tests and len(names) > self.options.tests:
                names = [names[i * len(names) // self.options.tests] for i in range(self.options.tests)]
        for name in names:
            self.tests.append(Test(suite, binary, arguments, name, digest, choose))

    @staticmethod
    def patterns_of(arguments, option):
        """The arguments without the framework's own `option`, such as `--gtest_filter=`, which would be in the way
        of the case that is run, and the last pattern that it gives."""
        is_pattern = [option.endswith("=") and argument.startswith(option) for argument in arguments]
        patterns = [argument[len(option):] for argument, chooses in zip(arguments, is_pattern) if chooses]
        others = [argument for argument, chooses in zip(arguments, is_pattern) if not chooses]
        return others, patterns[-1:]

    def case_names(self, binary, patterns):
        chosen = [word for pattern in patterns for word in ("--filter", pattern)]
        listed = subprocess.run([self.options.reex, "list", "tests", *chosen, binary], stdin=subprocess.DEVNULL,
                                check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        names = listed.stdout.decode(errors="replace").splitlines()
        if listed.returncode != 0 or not names:
            self.silent.append(binary)
            return []
        if len(names) == 1 and names[0].startswith(f"{binary} is explored as a whole: "):
            return [""]
        return [name for name in names if not re.search(r"(^|[./])DISABLED_", name)]

    def add_folder(self, root):
        for folder, folders, files in os.walk(root):
            folders.sort()
            suite = os.path.relpath(folder, root).split(os.sep)[0]
            if suite == ".":
                suite = os.path.basename(os.path.abspath(root))
            for file in sorted(files):
                self.add_binary(suite, os.path.join(folder, file), [], False)

    def add_list(self, path):
        """A line is a command: a binary, relative to the list's folder, and its arguments. `[NAME]` names the suite
        of the lines below it."""
        suite = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                line = line.strip()
                if line.startswith("[") and line.endswith("]"):
                    suite = line[1:-1]
                elif line and not line.startswith("#"):
                    try:
                        binary, *arguments = shlex.split(line)
                        self.add_binary(suite, os.path.join(os.path.dirname(path), binary), arguments, True)
                    except (ValueError, Usage) as error:
                        raise Usage(f"{path}:{number}: {error}") from None

    def add(self, path):
        if os.path.isdir(path):
            self.add_folder(path)
        elif not os.path.exists(path):
            raise Usage(f"there is no {path}")
        elif program_of_elf(path) is not None:
            self.add_binary(os.path.basename(os.path.dirname(os.path.abspath(path))), path, [], True)
        else:
            try:
                self.add_list(path)
            except UnicodeDecodeError:
                raise Usage(f"{path} is no program, no folder and no list of programs") from None


# ---- running


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.restype = ctypes.c_long
LIBC.ptrace.argtypes = [ctypes.c_long] * 4
PTRACE_CONT, PTRACE_DETACH, PTRACE_GETEVENTMSG, PTRACE_SEIZE = 7, 17, 0x4201, 0x4206
PTRACE_O_TRACECLONE, PTRACE_EVENT_CLONE, PTRACE_EVENT_STOP = 8, 3, 128
WALL = 0x40000000
STOPPED = ["/bin/sh", "-c", 'kill -STOP $$; exec "$@"', "sh"]  # so that the tracer is there before the test begins


def variables(folder):
    """The environment of a run: temporary files go into its own folder, so that runs side by side do not meet."""
    return {**os.environ, "TMPDIR": folder, "TEST_TMPDIR": folder}


def end_group(pid, signals):
    """Ends the processes that the session of `pid` still has."""
    for number in signals:
        try:
            os.killpg(pid, number)
        except (ProcessLookupError, PermissionError):
            return


class Native:
    """One native execution, under a tracer up to its first new thread: a look at /proc now and then would miss
    threads that live only for a moment."""

    def __init__(self, command, folder, limit):
        self.threads = False
        self.status = None  # None: the time limit was reached
        started = time.monotonic()
        with subprocess.Popen([*STOPPED, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=variables(folder), start_new_session=True) as process:
            os.waitpid(process.pid, os.WUNTRACED)
            traced = LIBC.ptrace(PTRACE_SEIZE, process.pid, 0, PTRACE_O_TRACECLONE) == 0
            os.kill(process.pid, signal.SIGCONT)
            deadline = started + limit
            pause = 0.0005
            while time.monotonic() < deadline:
                pid, status = os.waitpid(process.pid, os.WNOHANG | WALL)
                if pid == 0:
                    if not traced and not self.threads:
                        self.threads = self.several(process.pid)
                    time.sleep(pause)
                    pause = min(pause * 1.5, 0.02)
                elif os.WIFSTOPPED(status):
                    traced = self.continue_stopped(pid, status)
                else:
                    self.status = os.waitstatus_to_exitcode(status)
                    break
            self.seconds = time.monotonic() - started
            end_group(process.pid, [signal.SIGKILL])
            if self.status is None:
                pid, status = os.waitpid(process.pid, WALL)
                while os.WIFSTOPPED(status):
                    pid, status = os.waitpid(process.pid, WALL)
            process.returncode = self.status if self.status is not None else -signal.SIGKILL

    @staticmethod
    def several(pid):
        try:
            return len(os.listdir(f"/proc/{pid}/task")) > 1
        except OSError:
            return False

    def continue_stopped(self, pid, status):
        """Lets a stopped process go on; says whether it is still traced."""
        event = status >> 16
        if event == PTRACE_EVENT_CLONE:
            self.threads = True
            thread = ctypes.c_ulong()
            LIBC.ptrace(PTRACE_GETEVENTMSG, pid, 0, ctypes.addressof(thread))
            try:
                os.waitpid(thread.value, WALL)
                LIBC.ptrace(PTRACE_DETACH, thread.value, 0, 0)
            except ChildProcessError:
                pass
            LIBC.ptrace(PTRACE_DETACH, pid, 0, 0)
            return False
        LIBC.ptrace(PTRACE_CONT, pid, 0, 0 if event == PTRACE_EVENT_STOP else os.WSTOPSIG(status))
        return True


def run_natively(test, options, folder):
    """Status, threads and seconds of the native executions. Without a thread one execution is enough."""
    statuses, seconds, threads = [], [], False
    for _ in range(options.native):
        with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as cwd:
            try:
                run = Native(test.native_command(), cwd, options.native_limit)
            except OSError as error:
                return {"statuses": [str(error)], "threads": False, "seconds": 0}
        threads = threads or run.threads
        statuses.append("time-out" if run.status is None else run.status)
        seconds.append(round(run.seconds, 3))
        if not threads or run.status is None:
            break
    return {"statuses": statuses, "threads": threads, "seconds": max(seconds)}


def only_findings(report):
    kinds = {failure["kind"] for failure in report["failures"]}
    return bool(kinds) and kinds <= {"race", "data-race", "never-joined", "destroyed-while-held",
                                     "unlocked-by-stranger", "woken-after-free"}


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
                subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=lines, env=variables(cwd), start_new_session=True) as process:
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


# ---- what was done already


class Store:
    """The lines of the tests that were done: one line of JSON each, so that an interruption takes nothing."""

    def __init__(self, path, tool):
        self.path, self.tool, self.lock = path, tool, threading.Lock()
        self.lines = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for text in file:
                    try:
                        key, line = json.loads(text)
                        self.lines[key] = line
                    except ValueError:
                        pass  # the line during which the last run was interrupted

    def key(self, test, options):
        words = [self.tool, test.digest, test.suite, test.binary, test.filter, test.arguments, options.set,
                 options.native]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()

    def put(self, key, line):
        with self.lock:
            self.lines[key] = line
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([key, line]) + "\n")


def digest_of_tool(reex):
    """The tool and its runtime: another build may give other verdicts."""
    beside = os.path.dirname(os.path.realpath(reex))
    digest = hashlib.sha256()
    for path in [reex, os.path.join(beside, "../reex/runtime/libreex_rt.so"),
                 os.path.join(beside, "../lib/reex/libreex_rt.so")]:
        if os.path.exists(path):
            with open(path, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()


# ---- reports


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


# ---- the command line


def find_reex():
    here = os.path.dirname(os.path.realpath(__file__))
    for path in [os.path.join(here, "reex"), os.path.join(here, "../build/cli/reex"),
                 os.path.join(here, "../build-developer/cli/reex")]:
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return shutil.which("reex")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog="docs/applicability.md says how to "
                                     "read the results.")
    parser.add_argument("what", nargs="+", metavar="WHAT",
                        help="a folder, searched with its subfolders (a suite is a subfolder); a test binary; or a "
                        "list, with a binary and its arguments on each line")
    parser.add_argument("--reex", default=find_reex(), help="default: beside this script, else in PATH")
    parser.add_argument("-o", "--output", default="applicability", metavar="FOLDER",
                        help="where table.md, tests.json and done.jsonl are written (default: %(default)s)")
    parser.add_argument("--set", action="append", metavar="OPTIONS",
                        help="options of reex; may be repeated (default: " +
                        " and ".join(map(repr, DEFAULT_SETS)) + ")")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="tests at a time (default: 1)")
    parser.add_argument("--any", action="store_true", help="also programs that are not linked with reex's hooks")
    parser.add_argument("--tests", type=int, default=0, metavar="N",
                        help="at most N tests of one binary, evenly spread over it")
    parser.add_argument("--native", type=int, default=3, metavar="N", help="native executions (default: 3)")
    parser.add_argument("--native-limit", type=float, default=30, metavar="SECONDS", help="for each (default: 30)")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS",
                        help="for a run of reex (default: 120)")
    parser.add_argument("--again", action="store_true", help="do not use the results of an earlier run")
    options = parser.parse_args(arguments)
    options.set = options.set or DEFAULT_SETS
    if min(options.jobs, options.native) < 1 or options.tests < 0 or min(options.limit, options.native_limit) <= 0:
        raise Usage("numbers must be positive")
    if not options.reex or not os.access(options.reex, os.X_OK):
        raise Usage(f"there is no reex at {options.reex or 'any usual place'}: give --reex")
    options.reex = os.path.abspath(options.reex)
    return options


def run_all(options, collection, store):
    lines, waiting = {}, []
    for index, test in enumerate(collection.tests):
        key = store.key(test, options)
        if key in store.lines:
            lines[index] = store.lines[key]
        else:
            waiting.append((index, key, test))
    if lines:
        print(f"{len(lines)} of {len(collection.tests)} tests are done already", flush=True)
    with tempfile.TemporaryDirectory(prefix="applicability.", ignore_cleanup_errors=True) as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(judge, test, options, folder): (index, key) for index, key, test in waiting}
        try:
            for future in concurrent.futures.as_completed(futures):
                index, key = futures[future]
                lines[index] = future.result()
                store.put(key, lines[index])
                line = lines[index]
                why = next((run["reason"] for run in line["runs"] if run["class"] == line["class"]), "")
                print(f"{len(lines)}/{len(collection.tests)} {line['class']}: {line['suite']}: {line['test']}" +
                      (f": {why}" if why else ""), flush=True)
        except KeyboardInterrupt:
            for future in futures:
                future.cancel()
            print("interrupted: the tests under way are ended; the same command continues", file=sys.stderr)
            return [lines[index] for index in sorted(lines)], True
    return [lines[index] for index in sorted(lines)], False


def main(arguments):
    options = parse(arguments)
    collection = Collection(options)
    for path in options.what:
        collection.add(path)
    for binary in collection.silent:
        print(f"applicability: {binary} does not list its tests", file=sys.stderr)
    if not collection.tests:
        raise Usage("there is no test to run" + (f": {collection.without_hooks} programs are not linked with reex's "
                                                 "hooks (--any runs them, too)" if collection.without_hooks else ""))
    os.makedirs(options.output, exist_ok=True)
    done = os.path.join(options.output, "done.jsonl")
    if options.again and os.path.exists(done):
        os.remove(done)
    lines, interrupted = run_all(options, collection, Store(done, digest_of_tool(options.reex)))
    write_whole(os.path.join(options.output, "tests.json"),
                json.dumps({"format": 1, "sets": options.set, "without_hooks": collection.without_hooks,
                            "tests": lines}, indent=1) + "\n")
    write_whole(os.path.join(options.output, "table.md"), markdown(lines, options))
    print("\n".join(table(lines)))
    if interrupted:
        return 130
    return 0 if all(line["class"] == "right" for line in lines if line["class"] in CLASSES) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Usage as problem:
        print(f"applicability: {problem}", file=sys.stderr)
        sys.exit(2)
    except OSError as problem:
        print(f"applicability: {problem}", file=sys.stderr)
        sys.exit(2)
