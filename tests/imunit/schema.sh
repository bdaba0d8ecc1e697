#!/usr/bin/env bash
# schema.sh PYTHON ROOT REEX QUEUE: holds the JSON reports of tests with schedules to the schema.
set -euo pipefail
python="$1" root="$2" reex="$3" queue="$4"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Some of the tests fail, and that is well.
"$reex" -k 0 --outcomes --format json:all.json,jsonl:all.jsonl "$queue" >/dev/null 2>&1 || [[ $? == 1 ]]
"$reex" --filter 'Unexpected.*' --format json:one.json "$queue" >/dev/null 2>&1 || [[ $? == 1 ]]
"$python" "$root/tests/schema/check.py" "$root/docs/json.schema.json" all.json all.jsonl one.json
"$python" - <<'PYTHON'
import json
one = json.load(open("one.json"))["imunit"]
assert one["verdict"] == "infeasible" and one["proved"] and one["stuck"] > 0 and one["satisfied"] == 0, one
assert all(run["imunit"] for run in json.load(open("all.json"))["runs"])
PYTHON
