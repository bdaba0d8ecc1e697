#!/usr/bin/env bash
# check_unity.sh SOURCE: checks that the files of each folder can be compiled together, as the preset `release` does it
# (cmake/unity.cmake). It only parses them.
set -euo pipefail
source="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cmake -S "$source" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DREEX_UNITY=ON -DREEX_TESTS=OFF -DREEX_BENCH=OFF \
  >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
python3 - "$work" <<'PY'
import json, shlex, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

commands = [one for one in json.load(open(sys.argv[1] + "/compile_commands.json")) if "/Unity/" in one["file"]]
if len(commands) < 20:
    sys.exit(f"only {len(commands)} folders are compiled together")

def failed(one):
    words = shlex.split(one["command"])
    at = words.index("-o")
    run = subprocess.run(words[:at] + words[at + 2:] + ["-fsyntax-only"], cwd=one["directory"], capture_output=True, text=True)
    if run.returncode:
        print(run.stderr)
    return run.returncode != 0

with ThreadPoolExecutor(2) as pool:
    sys.exit(any(list(pool.map(failed, commands))))
PY
