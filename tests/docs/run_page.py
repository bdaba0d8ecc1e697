#!/usr/bin/env python3
"""Does what a page of the documentation tells its reader to do, and compares what comes of it.

    run_page.py PAGE --reex PATH [--package DIR]

The fenced blocks of the page are taken in order, in an empty folder:

    ```cpp mailbox.h        the block becomes this file (any language with a file name behind it)
    ```diff                 git apply
    ```console              each line "$ COMMAND" is executed by bash; the lines below are what it prints.
                            "..." stands for any text, and on a line of its own for any number of lines.
                            A command that must not end with 0 says so: "$ COMMAND  # status 1".

Blocks of other languages without a file name are for reading. A page without a command is an error. Exit
status: 0 if all commands did what the page says, 1 if not, 2 for wrong usage.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^```(\S*)[ \t]*(\S*)[ \t]*$")
STATUS = re.compile(r"\s+# status (\d+)$")
TIME_LIMIT = 600


def blocks(page: Path):
    """Yields (line number, language, file name, lines)."""
    inside, begin, found = False, 0, None
    lines = []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if not inside and fence:
            inside, begin, found, lines = True, number, fence, []
        elif inside and line == "```":
            yield begin, found.group(1), found.group(2), lines
            inside = False
        elif inside:
            lines.append(line)
    if inside:
        sys.exit(f"{page}:{begin}: a block without an end")


def commands(lines):
    """Yields (offset, command, wanted status, expected lines)."""
    at, command, expected = 0, None, []
    for offset, line in enumerate(lines, 1):
        if line.startswith("$ "):
            if command is not None:
                yield at, *command, expected
            status = STATUS.search(line)
            command = (STATUS.sub("", line[2:]), int(status.group(1)) if status else 0)
            at, expected = offset, []
        elif command is not None:
            expected.append(line)
    if command is not None:
        yield at, *command, expected


def pattern_of(expected):
    """The regular expression for what a command prints: to standard output, to standard error, or to both."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.compile(pattern)


def environment(arguments, home: Path):
    kept = ("PATH", "LANG", "LD_LIBRARY_PATH", "CC", "CXX", "CCACHE_DIR")
    values = {name: os.environ[name] for name in kept if name in os.environ}
    values["PATH"] = f"{Path(arguments.reex).resolve().parent}:{values['PATH']}"
    values["HOME"] = str(home)
    values["TERM"] = "dumb"
    values["COLUMNS"] = "80"
    values["GIT_CONFIG_NOSYSTEM"] = "1"
    values["REEX_WAIT_FOR_IMPACT"] = "true"  # a busy machine analyses a change more slowly than a reader's
    for role in ("AUTHOR", "COMMITTER"):
        values[f"GIT_{role}_NAME"], values[f"GIT_{role}_EMAIL"] = "A Reader", "reader@example.org"
    if arguments.package:
        values["reex_DIR"] = str(Path(arguments.package).resolve())
    return values


def check(page, line, command, wanted, expected, folder, values):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=values, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=TIME_LIMIT)
    printed = done.stderr + done.stdout
    # A command that the page shows without output may print what it likes.
    pattern = pattern_of(expected)
    same = not expected or any(pattern.fullmatch(text) for text in (done.stdout, done.stderr, printed))
    if done.returncode == wanted and same:
        return True
    print(f"{page}:{line}: $ {command}\n  status {done.returncode}, the page says {wanted}; it printed")
    print("".join(f"  | {each}\n" for each in printed.splitlines()))
    if not same:
        print("  the page says\n" + "".join(f"  | {each}\n" for each in expected))
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--reex", required=True)
    parser.add_argument("--package")
    arguments = parser.parse_args()
    executed = 0
    with tempfile.TemporaryDirectory(prefix="reex-page-") as top:
        home, folder = Path(top, "home"), Path(top, "work")
        home.mkdir()
        folder.mkdir()
        values = environment(arguments, home)
        for begin, language, name, lines in blocks(arguments.page):
            text = "\n".join(lines) + "\n"
            if language == "console":
                for offset, command, wanted, expected in commands(lines):
                    executed += 1
                    # A folder that the reader goes to holds for the commands that follow.
                    if goes := re.fullmatch(r"cd (\S+)", command):
                        folder = folder / goes.group(1)
                    elif not check(arguments.page, begin + offset, command, wanted, expected, folder, values):
                        return 1
            elif language == "diff":
                subprocess.run(["git", "apply", "-"], cwd=folder, env=values, input=text, text=True, check=True)
            elif name:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
    if executed == 0:
        sys.exit(f"{arguments.page}: there is no command on this page")
    print(f"{arguments.page}: {executed} commands did what the page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
