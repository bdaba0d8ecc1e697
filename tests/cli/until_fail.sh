#!/usr/bin/env bash
# until_fail.sh REEX: `reex run --until-fail` runs any command until it fails, says what it saw, and leaves nothing behind.
set -euo pipefail
reex="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
complain() { status=1; printf 'until_fail: %s\n' "$1"; cat output; }

# expect STATUS TEXT WORDS...: reex run --until-fail WORDS ends with this status and says this
expect() {
  local wanted="$1" text="$2" got=0
  shift 2
  "$reex" run --until-fail "$@" >output 2>&1 || got=$?
  ((got == wanted)) || complain "wanted status $wanted, got $got: $*"
  grep -qE -- "$text" output || complain "wanted '$text': $*"
}

expect 1 'run 1, after .*: exit status 3$' -- sh -c 'exit 3'
grep -q 'FAILED sh .*1 of 1 run in .*100 %.*natively' output || complain 'the rate'
grep -q 'perturbation: none' output || complain 'the first run is not disturbed'
expect 1 'signal 11' -- sh -c 'kill -SEGV $$'

# It fails in the fourth run. What this one printed is shown, on both streams.
cat >fourth <<'SH'
#!/bin/sh
echo >>count
seen=$(wc -l <count)
seq 1000
echo "run number $seen"
[ "$seen" -lt 4 ] || { echo 'that was it' >&2; exit 9; }
SH
chmod +x fourth
expect 1 'run 4, after .*: exit status 9$' -- ./fourth
grep -q '^run number 4$' output && grep -q '^that was it$' output || complain 'the output of the failed run'
grep -q '^run number 3$' output && complain 'the output of another run'
(($(wc -l <output) < 60)) || complain 'more than the end of the output'
grep -qE '1 of 4 runs in .* \(25 %\)' output || complain 'the rate of one in four'
grep -qF 'reex run --until-fail --seed 0 -- ./fourth' output || complain 'how to repeat it'

# Without a failure there is no claim.
expect 0 'NO FAILURE FOUND in true: no failure in 5 runs .*natively: this proves nothing' --schedules 5 -- true
grep -q PASSED output && complain 'PASSED'
expect 3 'no failure in 5 runs' --schedules 5 --strict -- true
expect 0 'no failure in 7 runs' --schedules 7 -j 3 -- true
expect 0 'no failure in [0-9]+ runs?' --budget 500ms -- true
expect 3 'NOTHING WAS SEEN .*no run came to an end' --budget 300ms -- sleep 60
grep -q '1 run was under way' output || complain 'the run that was under way'

# A run that hangs ends at the limit, with all that it started.
expect 1 'still running after 0.3 s' --time-limit 300ms -- sh -c 'echo waiting; sleep 54321 & sleep 54321'
grep -q '^waiting$' output || complain 'the output of a run that hangs'
expect 0 'no failure in 1 run' --schedules 1 -- sh -c 'sleep 54321 >/dev/null 2>&1 &'
for _ in 1 2 3 4 5 6 7 8 9 10; do pgrep -f 'sleep 5432[1]' >/dev/null || break; sleep 0.1; done
pgrep -f 'sleep 5432[1]' >/dev/null && complain 'a process was left behind'

# On to the next failure.
echo 'echo >>alternating; exit $(($(wc -l <alternating) % 2))' >alternate
expect 1 '3 of 6 runs in .* \(50 %\)' --schedules 6 -k 0 -- sh alternate
rm alternating
expect 1 '2 of 3 runs' -k 2 -- sh alternate

# It is disturbed indeed, and by the seed alone.
disturbed() {
  rm -f places
  "$reex" run --until-fail --seed "$1" --schedules 12 -q -- \
    sh -c 'echo "$(grep Cpus_allowed: /proc/self/status) $(nice)" >>places' >output 2>&1
  cat places
}
one="$(disturbed 1)"
[[ "$(disturbed 1)" = "$one" ]] || complain 'the same seed disturbs in another way'
[[ "$(disturbed 2)" != "$one" ]] || complain 'another seed disturbs in the same way'
(($(sort -u <<<"$one" | wc -l) > 3)) || complain "all runs are alike: $one"

# An interruption says what was done.
"$reex" run --until-fail -- sleep 0.05 >output 2>&1 &
pid=$!
sleep 1.5
kill -INT "$pid"
got=0
wait "$pid" || got=$?
((got == 130)) || complain "after an interruption the status is $got"
grep -qE 'no failure in [0-9]+ runs? in' output || complain 'after an interruption, what was done'

expect 2 'cannot be executed .No such file' -- ./missing
expect 2 'needs a command'
expect 2 'takes no --strategy' --strategy icb -- true
got=0
"$reex" run --time-limit 3s true >output 2>&1 || got=$?
((got == 2)) && grep -q -- '--until-fail' output || complain '--time-limit alone'
exit "$status"
