#!/usr/bin/env python3
"""Holds docs/troubleshooting.md against the sources: what reex can end with, leave out and refuse has an entry there, and
the entries quote what reex says.

    troubleshooting.py ROOT

Exit status: 0 if nothing is missing, 1 otherwise.
"""
import re
import sys
from pathlib import Path

LITERAL = r'"((?:[^"\\]|\\.)*)"'


def sources(root, *folders):
    """The texts of all sources in these folders, with adjacent string literals joined."""
    text = ""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h"):
                text += re.sub(r'"\s*\n?\s*"', "", path.read_text())
    return text


def statuses(root):
    text = (root / "cli/terminal/exit_status.h").read_text()
    return re.findall(r"^\s*\w+ = (\d+)", text, re.MULTILINE)


def gaps(root):
    return set(re.findall(r'add_gap\(\s*"([a-z-]+)"', sources(root, "reex"))) | set(
        re.findall(r'add\(open\.[^"]*"([a-z-]+)"', (root / "reex/run/gap.cpp").read_text()))


def refusals(root):
    """The beginning of what is said of a binary that is refused, and of what a test may not use."""
    binary = re.findall(r'refuse\(path,\s*' + LITERAL, sources(root, "cli/subject"))
    used = re.findall(r'refuse\(' + LITERAL + r'\)', sources(root, "reex/runtime"))
    lists = re.findall(r"^REEX_ASYNCHRONOUS\w*\((\w+?)(?:64)?\)", sources(root, "reex/runtime/descriptors"), re.MULTILINE)
    given_up = re.findall(r'(?:give_up\(|Finish::unsupported,\s*)"(the test [^"]*|more than [^"]*)"', sources(root, "reex/runtime"))
    return {re.split(r"[,;(]|: (?=build|link|run|install)| and cannot|\\n", text)[0].strip() for text in binary + used + given_up} | set(lists)


def quotes(page):
    """The words in backticks that begin the rows of tables of messages: '...' stands for anything."""
    inside = False
    for line in page.splitlines():
        if line.startswith("|"):
            header = line.startswith(("| message", "| gap", "| line", "| other lines"))
            inside = inside or header
            if inside and not header and not line.startswith("|---"):
                cells = line.split(" | ")
                first = cells[1] if re.match(r"\| `[a-z-]+`( \*)?$", cells[0]) else cells[0]
                yield from re.findall(r"`([^`]+)`", first)
        else:
            inside = False


def main():
    root = Path(sys.argv[1])
    page = (root / "docs/troubleshooting.md").read_text()
    said = sources(root, "reex", "cli", "report", "impact", "promotion", "git")
    missing = [f"no row for the exit status {status}" for status in statuses(root) if f"\n| {status} |" not in page]
    kinds, refused, quoted = gaps(root), refusals(root), list(quotes(page))
    missing += [f"no row for the gap {kind}" for kind in sorted(kinds) if f"\n| `{kind}`" not in page]
    missing += [f"nothing about what is refused: {text}" for text in sorted(refused) if text not in page]
    for quote in quoted:
        for part in re.split(r"\s*\.\.\.\s*|\bN\b|\bBINARY\b|\b\d+\b", quote):
            if part.strip() and part.strip() not in said:
                missing.append(f"reex does not say: {part.strip()}")
    for line in missing:
        print(f"docs/troubleshooting.md: {line}")
    enough = len(statuses(root)) >= 11 and len(kinds) >= 18 and len(refused) >= 20 and len(quoted) >= 40
    if not enough:
        print(f"too little was found in the sources: {len(kinds)} gaps, {len(refused)} refusals, {len(quoted)} quotes")
    sys.exit(0 if enough and not missing else 1)


if __name__ == "__main__":
    main()
