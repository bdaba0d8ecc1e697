#!/usr/bin/env bash
# Makes a million executions of a few schedules, with restores. After the first thousand, no new line may occur in the
# schedule log, and the memory in use must stay the same. Otherwise the exit status is 1.
#   scripts/soak.sh [BUILD_FOLDER] [EXECUTIONS]
set -euo pipefail
build=${1:-build}
executions=${2:-1000000}
reex=$(find "$build" -name reex -type f -perm -1 | head -n 1)
program=$build/tests/runtime/programs/isolation
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkfifo "$folder/log"
awk -v want="$executions" 'NR <= 1000 { seen[$0] } !($0 in seen) { ++new }
  END { printf "%d executions logged, %d differ from the first thousand\n", NR, new; exit new > 0 || NR != want }' \
  "$folder/log" &
comparison=$!
mark=soak-$$
"$reex" -q -o "$folder" --outcomes --strategy random --bound 0 --isolation restore --schedules "$executions" \
  --schedule-log "$folder/log" "$program" -- allocates_and_throws "$mark" >"$folder/report" 2>&1 &
run=$!

resident() { # the kilobytes that all processes of the run use
  local sum=0 process size
  for process in $(pgrep -f "$mark"); do
    size=$(awk '/^VmRSS:/ { print $2 }' "/proc/$process/status" 2>/dev/null || true)
    sum=$((sum + ${size:-0}))
  done
  echo "$sum"
}
sleep 2
early=$(resident)
late=$early
while kill -0 "$run" 2>/dev/null; do
  now=$(resident)
  if kill -0 "$run" 2>/dev/null && [ "$now" -gt 0 ]; then late=$now; fi
  sleep 1
done
wait "$run" || { cat "$folder/report"; exit 1; }
wait "$comparison" || exit 1
echo "resident: $early KB after two seconds, $late KB at the end"
[ "$late" -lt $((early + 4096)) ]
