#!/usr/bin/env bash
# evaluate_imunit.sh BUILD [REPORT [PROJECTS [WORK]]]: measures the inference of schedules on the sleep-based tests of data/imunit
# and, if PROJECTS is given (scripts/imunit_public.py), on those of public projects; and 1,000 native runs under load.
# Writes docs/imunit-evaluation.md (or REPORT). BUILD is a build folder with reex. It takes about an hour. WORK is a
# folder for what it makes; the figures of public projects and of native runs that are there are not made again.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$(cd "$1" && pwd)"
report="${2:-$root/docs/imunit-evaluation.md}"
projects="${3:-}"
reex="$build/cli/reex"
if [[ -n "${4:-}" ]]; then
  mkdir -p "$4"
  work="$(cd "$4" && pwd)"
  rm -rf "$work/sleeps" "$work/migrated" "$work/native"
else
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
fi
subjects=(queue synchronizers executors)

# compile FOLDER SUBJECT: the test in FOLDER, instrumented; it runs natively as well.
compile() {
  # shellcheck disable=SC2046 # flags are words
  g++ -std=c++20 -O1 -g $("$reex" flags --compile) -I"$root/include" -c "$1/$2_test.cpp" -o "$1/$2.o"
  # shellcheck disable=SC2046
  g++ "$1/$2.o" -o "$1/$2" $("$reex" flags --link) -lgtest_main -lgtest
}

mkdir "$work/sleeps" "$work/migrated"
cp "$root"/data/imunit/*.cpp "$root"/data/imunit/*.h "$work/sleeps"
cp "$root"/data/imunit/*.cpp "$root"/data/imunit/*.h "$work/migrated"
cd "$work/sleeps"
for subject in "${subjects[@]}"; do compile "$work/sleeps" "$subject"; done

# infer NAME OPTION...: the figures go to NAME.json
infer() {
  local name="$1" reports=()
  shift
  for subject in "${subjects[@]}"; do
    "$reex" imunit infer "$@" --format "json:$work/$name-$subject.json" "$work/sleeps/$subject" >/dev/null 2>&1 || true
    reports+=("$work/$name-$subject.json")
  done
  "$root/scripts/imunit_figures.py" "$root/data/imunit/truth.json" "$work/sleeps" "${reports[@]}" >"$work/$name.json"
}
infer open
infer printed --region printed
infer low --confidence 0.1
infer high --confidence 0.9
infer native --logs native:5

for subject in "${subjects[@]}"; do
  "$reex" imunit migrate "$work/sleeps/$subject" >"$work/$subject.diff" 2>/dev/null || true
  (cd "$work/migrated" && patch -s -p1 <"$work/$subject.diff")
  compile "$work/migrated" "$subject"
  "$reex" run -o "$work" --bound 2 --budget 30s --races report --color never --format "json:$work/migrated-$subject.json" \
    "$work/migrated/$subject" >/dev/null 2>&1 || true
  "$reex" run -o "$work" --bound 2 --budget 30s --races report --sleeps any --color never -k 0 \
    --format "json:$work/sleeps-$subject.json" "$work/sleeps/$subject" >/dev/null 2>&1 || true
done
if [[ -n "$projects" && ! -e "$work/public.json" ]]; then "$root/scripts/imunit_public.py" "$reex" "$projects" >"$work/public.json"; fi
if [[ ! -e "$work/native-runs.json" ]]; then
  mkdir "$work/native"
  for subject in "${subjects[@]}"; do cp "$work/migrated/$subject" "$work/native"; done
  "$root/scripts/imunit_native_runs.py" "$build" --tests "$work/native" >"$work/native-runs.json" || true
fi
"$root/scripts/imunit_page.py" "$work" "${subjects[@]}" >"$report"
