#!/usr/bin/env python3
"""What can reex control here? Runs test binaries natively and with reex, and tells which got the right verdict.

    scripts/applicability.py [-o FOLDER] [-j N] BUILD_FOLDER | FOLDER_OF_TESTS | LIST_FILE | TEST_BINARY ...

Each test is run natively, several times. A test that always passes natively and creates threads is then run with
reex, once for each set of options. The right verdict is PASSED or NO FAILURE FOUND. Everything else is told
with its reason: docs/applicability.md says how to read it. A run that was interrupted is continued by the
same command. Exit status: 0 if all tests that count got the right verdict, 1 if not, 2 for wrong usage,
130 if interrupted.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
# Its parts are beside it in the sources, and in share/reex where it is installed.
sys.path[:0] = [HERE, os.path.join(HERE, "../share/reex")]
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from survey.classes import CLASSES
from survey.run import judge
from survey.store import Store, digest_of_tool
from survey.table import markdown, table, write_whole
from survey.tests import Collection
from survey.usage import Usage

DEFAULT_SETS = ["--strategy random --schedules 100 --seed 1 --budget 20s", "--budget 20s"]


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
                        help="a build folder of CMake or Meson, with the tests that it knows of; any other folder, "
                        "searched with its subfolders (a suite is a subfolder); a test binary; or a list, with a "
                        "binary and its arguments on each line")
    parser.add_argument("-R", "--match", default="", metavar="REGEX", help="only tests whose name matches")
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
    try:
        re.compile(options.match)
    except re.error as error:
        raise Usage(f"--match: {error}") from None
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


def left_out(collection):
    """What is no test, in words."""
    counts = [(collection.not_built, "not built", ""),
              (collection.scripts, "no program for x86-64", ", such as a script"),
              (collection.without_hooks, "not linked with reex's hooks", " (--any runs these, too)")]
    return "; ".join(f"{count} {'is' if count == 1 else 'are'} {words}{more}" for count, words, more in counts if count)


def main(arguments):
    options = parse(arguments)
    collection = Collection(options)
    for path in options.what:
        collection.add(path)
    for binary in collection.silent:
        print(f"applicability: {binary} does not list its tests", file=sys.stderr)
    left = left_out(collection)
    if not collection.tests:
        raise Usage("there is no test to run" + (": " + left if left else ""))
    if left:
        print("left out: " + left, flush=True)
    collection.tests = [test for test in collection.tests if re.search(options.match, test.name())]
    if not collection.tests:
        raise Usage(f"no test matches {options.match}")
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
