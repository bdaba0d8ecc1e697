#!/usr/bin/env bash
# subjects.sh PYTHON ROOT REEX FOLDER: infers the schedules of the subjects in data/imunit, whose binaries are in FOLDER,
# and compares them with those that people wrote.
set -euo pipefail
python="$1"
root="$2"
reex="$3"
folder="$4"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
reports=()
for subject in queue synchronizers executors; do
  # Tests without a schedule are refused, or have none.
  "$reex" imunit infer --format "json:$work/$subject.json" "$folder/${subject}_test" >"$work/$subject.txt" 2>&1 || {
    cat "$work/$subject.txt"
    exit 1
  }
  reports+=("$work/$subject.json")
done
"$python" "$root/scripts/imunit_figures.py" "$root/data/imunit/truth.json" "$root/data/imunit" "${reports[@]}" \
  >"$work/figures.json"
"$python" - "$work/figures.json" <<'P'
import json
import sys
figures = json.load(open(sys.argv[1]))
wrong = [name for name, test in figures["tests"].items()
         if any(test[what]["right"] != test[what]["truth"] or test[what]["right"] != test[what]["inferred"]
                for what in ("events", "orderings"))]
if wrong or len(figures["tests"]) < 20:
    sys.exit(f"{len(figures['tests'])} tests; not as people wrote them: {wrong}")
P
