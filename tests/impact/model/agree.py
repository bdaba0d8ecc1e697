#!/usr/bin/env python3
"""agree.py REEX [--commits N] [--first SEED] [--keep DIR]: compares `reex impact` with the model on generated commits.

Each commit is generated from its seed, in a repository of its own. A disagreement is printed with the seed, and with
what only one of the two has; the status is then 1. --keep leaves the repository of each disagreement in DIR."""

import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from generate import Commit
from model import Model, changes_of, facts_of


def write(folder, files):
    for name, text in files.items():
        (folder / name).write_text(text)


def git(folder, *words):
    who = ["-c", "user.name=model", "-c", "user.email=model@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def make_repository(folder, commit):
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / ".git/info/exclude").write_text("compile_commands.json\n")
    for files in (commit.before, commit.after):
        write(folder, files)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "--allow-empty", "-m", "generated")
    commands = [{"directory": str(folder), "file": name, "command": f"g++ -std=c++20 -I. -c {name}"}
                for name in sorted(commit.after) if name.endswith(".cpp")]
    (folder / "compile_commands.json").write_text(json.dumps(commands))


def of_reex(reex, folder):
    report = folder / ".git/impact.json"
    subprocess.run([reex, "impact", "--base", "HEAD~1", "--no-cache", "--format", f"json:{report}"], cwd=folder,
                   check=True, capture_output=True)
    document = json.loads(report.read_text())
    points = document["points"]
    named = [point for point in points if point["field"] is None]
    return {
        "lines": {f"{point['file']}:{point['line']}" for point in points if point["line"]},
        "methods": {f"{point['class']}|{point['method']}" for point in named if point["method"]},
        "classes": {point["class"] for point in named if point["class"]},
        "fields": {f"{'<any>' if point.get('any_class') else point['class']}|{point['field']}" for point in points
                   if point["field"]},
    }, [note for note in document["notes"] if "no code point" not in note]


def of_model(folder, commit, old_folder):
    old_folder.mkdir()
    write(old_folder, commit.before)
    now = facts_of(str(folder), set(commit.after))
    before = facts_of(str(old_folder), set(commit.before))
    return Model(changes_of(folder), now, before, commit.after).points()


def difference(reex, model):
    lines = []
    for what in model:
        for name, some in (("only the model has", model[what] - reex[what]), ("only reex has", reex[what] - model[what])):
            if some:
                lines.append(f"  {name} {what}: {', '.join(sorted(some))}")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reex")
    parser.add_argument("--commits", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    options.reex = str(pathlib.Path(options.reex).resolve())
    disagreeing, points = 0, 0
    for seed in range(options.first, options.first + options.commits):
        with tempfile.TemporaryDirectory(prefix="reex-model-") as scratch:
            folder = pathlib.Path(scratch).resolve() / "now"
            commit = Commit(seed)
            make_repository(folder, commit)
            try:
                reex, notes = of_reex(options.reex, folder)
                model = of_model(folder, commit, folder.parent / "before")
            except subprocess.CalledProcessError as error:
                sys.exit(f"agree: seed {seed}: {shlex.join(error.cmd)} ended with {error.returncode}: {error.stderr}")
            points += sum(len(names) for names in model.values())
            found = difference(reex, model) + [f"  note: {note}" for note in notes]
            if not found:
                continue
            disagreeing += 1
            print(f"seed {seed} ({', '.join(commit.kinds)}):", *found, sep="\n", flush=True)
            if options.keep:
                shutil.copytree(folder.parent, options.keep / str(seed), dirs_exist_ok=True)
    print(f"{options.commits} commits, {points} points, {disagreeing} disagreements")
    return 1 if disagreeing or points == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
