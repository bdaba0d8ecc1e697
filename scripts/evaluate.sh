#!/usr/bin/env bash
# Compares the heuristics on the subjects of data/, and writes the evaluation.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/evaluate.sh [--reex PATH] [--work DIR] [--output DIR] [--seeds N] [--schedules N] [--budget TIME]
                           [--regressions DIR] [SUBJECT...]

Runs `reex compare` on each subject of data/ (or on those that are named), and writes OUTPUT/evaluation.md and
OUTPUT/evaluation.html from the JSON of the comparisons; the HTML holds all their runs. What was interrupted goes on
with the same command.

With --regressions, each folder DIR/NAME whose NAME is among the regressions of data/published.json takes part, too: a git
repository, correct at HEAD~1 and faulty at HEAD, built, with the test at DIR/NAME/build/test. data/regressions/README.md
says how they are made.

  --reex       the reex to use (default: this tree's build)
  --work       where the subjects are built and their JSON is kept (build/evaluation)
  --output     docs
  --seeds      randomized orders of each strategy (3)
  --schedules  the limit of a run (10000)
  --budget     the limit of a run in time (5s)
  --regressions  a folder of repositories
TEXT
}

fail() { printf 'evaluate: %s\n' "$1" >&2; exit 2; }

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
command="scripts/evaluate.sh${*:+ $*}"
reex='' work="$root/build/evaluation" output="$root/docs" seeds=3 schedules=10000 budget=5s regressions=''
subjects=()
while (($#)); do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --reex | --work | --output | --seeds | --schedules | --budget | --regressions)
      (($# > 1)) || fail "$1 needs a value"
      declare "${1#--}=$2"
      shift 2 ;;
    -*) fail "unknown option '$1'" ;;
    *) subjects+=("$1"); shift ;;
  esac
done
for candidate in "$root/build/cli/reex" "$root/build-developer/cli/reex"; do
  if [[ -z "$reex" && -x "$candidate" ]]; then reex="$candidate"; fi
done
[[ -n "$reex" ]] || fail 'no reex was found: build it, or give --reex PATH'
reex="$(realpath "$reex")"
mapfile -t known < <("$root/data/subject" --list)
((${#subjects[@]})) || subjects=("${known[@]}")
for subject in "${subjects[@]}"; do
  printf '%s\n' "${known[@]}" | grep -Fx -- "$subject" >/dev/null || fail "there is no subject '$subject': see data/subject list"
done
mkdir -p "$work" "$output"
work="$(cd "$work" && pwd -P)"
output="$(cd "$output" && pwd -P)"

# The options that a subject needs, as a limit on the steps of a test that does not end.
options_of() {
  python3 -c 'import json, sys; print("\n".join(json.load(open(sys.argv[1])).get("options", [])))' "$1"
}

# What table I is made of, beside those that always take part.
contestants=all,LA+FA+FS,LA+FA+FS+idle,heuristic:auto+idle

reports=()
for subject in "${subjects[@]}"; do
  if [[ ! -x "$work/$subject/build/test" ]]; then
    rm -rf "${work:?}/$subject"
    "$root/data/subject" "$subject" "$work/$subject" --reex "$reex"
  fi
  mapfile -t options < <(options_of "$root/data/$subject/expected.json")
  ((${#options[@]})) && [[ -z "${options[0]}" ]] && options=()
  printf '== %s\n' "$subject" >&2
  (cd "$work/$subject" &&
    "$reex" compare --base HEAD~1 --label "$subject" --seeds "$seeds" --schedules "$schedules" --budget "$budget" --contestants "$contestants" \
      "${options[@]}" --format "json:$work/$subject.json,html:$work/$subject.html" build/test) || fail "$subject: status $?"
  reports+=("$work/$subject.json")
done
compare_regression() { # DIR
  local name
  name="$(basename "$1")"
  printf '== %s\n' "$name" >&2
  (cd "$1" &&
    "$reex" compare --base HEAD~1 --label "$name" --seeds "$seeds" --schedules "$schedules" --budget "$budget" --contestants "$contestants" \
      --format "json:$work/$name.json,html:$work/$name.html" build/test) || fail "$name: status $?"
  reports+=("$work/$name.json")
}
if [[ -n "$regressions" ]]; then
  mapfile -t known < <(python3 -c 'import json, sys; print("\n".join(json.load(open(sys.argv[1]))["regressions"]))' "$root/data/published.json")
  for name in "${known[@]}"; do
    if [[ -x "$regressions/$name/build/test" ]]; then compare_regression "$regressions/$name"; fi
  done
fi
"$reex" compare --evaluation --label "$command" --published "$root/data/published.json" \
  --format "text,markdown:$output/evaluation.md,html:$output/evaluation.html" "${reports[@]}"
