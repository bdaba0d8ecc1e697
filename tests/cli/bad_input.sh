#!/usr/bin/env bash
# bad_input.sh REEX GTEST_BINARY: checks that bad input gives one line that says what to do, and the right exit status.
set -euo pipefail
reex="$1" gtest="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/cli/expect.sh
. "$here/expect.sh"
cd "$work"

expect 2 'no test binary was given' "$reex"
expect 2 'no test binary ./missing' "$reex" ./missing
expect 2 'no program' "$reex" "$work"
echo text >script && chmod +x script
expect 2 'no program.*not an ELF' "$reex" ./script
expect 2 'no test binary missing' "$reex" run -- missing argument
expect 2 'no heuristic' "$reex" --heuristic NONE "$gtest"
expect 2 'needs a change' "$reex" --heuristic LOA "$gtest"
expect 2 'no place: give FILE:LINE' "$reex" impact --base HEAD --why queue.h
expect 2 'no bound' "$reex" --bound many "$gtest"
expect 2 'no time' "$reex" --budget soon "$gtest"
expect 2 'not known.*sync, racy, all' "$reex" --accesses some "$gtest"
expect 2 'not known.*off, report, changed, fail' "$reex" --races maybe "$gtest"
expect 2 'not known.*icb' "$reex" --strategy best "$gtest"
expect 2 'not known.*icb, dfs, random, pct, pos, urw, surw' "$reex" --strategy PCT "$gtest"
expect 2 'option of pct, not of auto: give --strategy pct' "$reex" --depth 3 "$gtest"
expect 2 'option of pct, not of pos' "$reex" --strategy pos --depth 3 "$gtest"
expect 2 'not a whole number from 1 to 64' "$reex" --strategy pct --depth 0 "$gtest"
expect 2 'not a whole number from 1 to 64' "$reex" --strategy pct --depth 65 "$gtest"
expect 2 'option of surw and auto, not of pct' "$reex" --strategy pct --interesting shared "$gtest"
expect 2 'not known.*shared, impacted' "$reex" --strategy surw --interesting all "$gtest"
expect 2 'needs a change' "$reex" --strategy surw --interesting impacted "$gtest"
expect 2 'Basic says nothing' "$reex" --strategy surw --interesting impacted --base HEAD --heuristic Basic "$gtest"
expect 2 'REEX_DEPTH' env REEX_DEPTH=deep "$reex" "$gtest"
expect 2 'not known.*none' "$reex" --reduction dpor "$gtest"
expect 2 'no option --frob' "$reex" --frob "$gtest"
# Misspelled names, and what was meant.
expect 2 'did you mean replay\?' "$reex" relpay one.reex
expect 2 'did you mean --budget\?' "$reex" --budgte 3s "$gtest"
expect 2 'bound is no option of replay: reex replay --help' "$reex" replay --bound 3 one.reex
expect 2 'did you mean random\?' "$reex" --strategy ranodm "$gtest"
expect 2 'did you mean LOA\?' "$reex" --heuristic LOAA "$gtest"
expect 2 'are not heuristics: give up to 4 different ones but Basic' "$reex" --base HEAD --heuristic LOA+loa "$gtest"
expect 2 'are not heuristics' "$reex" --base HEAD --heuristic LOA+Basic "$gtest"
expect 2 'are not heuristics' "$reex" --base HEAD --heuristic CA+CS+MA+MS+LA "$gtest"
expect 2 'are not heuristics' "$reex" --base HEAD --heuristic Basic+idle "$gtest"
expect 2 'needs a change' "$reex" --heuristic auto "$gtest"
expect 2 'needs a change' "$reex" --heuristic auto+idle "$gtest"
expect 2 'needs a change' "$reex" --heuristic LOA+FS "$gtest"
expect 2 'neither a heuristic nor a strategy: did you mean random\?' "$reex" --portfolio LOA,rondom "$gtest"
expect 2 'did you mean always\?' "$reex" --color alwys "$gtest"
expect 2 'did you mean heuristics\?' "$reex" list heuristcs
expect 2 'did you mean Plain.One\?' "$reex" --filter Plain.Once "$gtest"
expect 2 'REEX_BUGDET: .*did you mean REEX_BUDGET\?' env REEX_BUGDET=3s "$reex" "$gtest"
expect 2 'REEX_FILTER: filter is an option and no setting' env REEX_FILTER=A.B "$reex" "$gtest"
expect 6 'git repository' env REEX_BASE=no_such "$reex" "$(type -P true)"
expect 2 'the value is empty' "$reex" --base '' "$gtest"
expect 2 'the value is empty' "$reex" --format '' "$gtest"
expect 2 'needs a value' "$reex" "$gtest" --bound
expect 2 'after --' "$reex" "$gtest" another
expect 2 'no format' "$reex" --format xml "$gtest"
expect 2 'standard output' "$reex" --format text,json:- "$gtest"
expect 2 'matches no test' "$reex" --filter 'No.Such' "$gtest"
expect 2 'no GoogleTest binary' "$reex" --filter 'A.B' "$(type -P true)"
expect 2 'contradict' "$reex" --all --base HEAD "$gtest"
expect 2 'git config|REEX_BOUND' env REEX_BOUND=many "$reex" "$gtest"
expect 2 'needs a change' "$reex" impact
expect 2 'one of --compile and --link' "$reex" flags
expect 2 'tests TEST_BINARY' "$reex" list everything

expect 2 'is no shard' "$reex" --shard 3 "$gtest"
expect 2 'from 1 to 8' "$reex" --shard 0/8 "$gtest"
expect 2 'from 1 to 8' "$reex" --shard 9/8 "$gtest"
expect 2 'no variable of a job array' "$reex" --shard auto "$gtest"
expect 2 'PBS_ARRAY_INDEX does not say how many' env PBS_ARRAY_INDEX=1 "$reex" --shard auto "$gtest"
expect 2 'leave --portfolio out' "$reex" --shard 1/2 --portfolio icb,pos "$gtest"
expect 2 'more shards than --schedules' "$reex" --shard 1/2 --schedules 1 "$gtest"
expect 2 'strategies that learn' "$reex" --profile new.profile --strategy icb "$gtest"
expect 2 'leave --portfolio out' "$reex" --profile new.profile --portfolio icb,pos "$gtest"
expect 2 'set together' env GTEST_TOTAL_SHARDS=2 "$reex" "$gtest"
expect 2 'GTEST_SHARD_INDEX=2 is no task' env GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=2 "$reex" "$gtest"
expect 2 'cannot read missing.json' "$reex" --promote-from missing.json "$gtest"
expect 2 'needs the JSON reports' "$reex" merge
expect 2 'cannot read missing.json' "$reex" merge missing.json
expect 2 'no JSON report' "$reex" merge script
echo '{"format":1,"reex":"0.1"}' >short.json
expect 2 'damaged' "$reex" merge short.json
echo '{"format":2,"reex":"9.9"}' >later.json
expect 2 'another format' "$reex" merge later.json

expect 6 'git repository' "$reex" --base HEAD "$(type -P true)"
expect 6 'git repository' "$reex" --repo "$work" --base HEAD "$gtest"
expect 6 'git repository' "$reex" impact --base HEAD
git init -q repository
git -C repository -c user.name=n -c user.email=e commit -q --allow-empty -m first
expect 6 'nowhere' "$reex" --repo repository --base nowhere "$gtest"
expect 6 'cannot be read' "$reex" --repo repository --diff missing.diff "$gtest"
expect 6 'nowhere' env REEX_REPO=repository REEX_BASE=nowhere "$reex" "$gtest"
git -C repository config reex.bond 3
expect 2 'git config reex.bond: .*did you mean reex.bound\?' "$reex" --repo repository "$gtest"
git -C repository config --unset reex.bond
echo 'bugdet = "3s"' >repository/.reex.toml
expect 2 'repository/.reex.toml:1:1: .*did you mean budget\?' "$reex" --repo repository "$gtest"
echo 'budget = "soon"' >repository/.reex.toml
expect 2 "repository/.reex.toml:1:10: budget: 'soon' is no time" "$reex" --repo repository --budget 3s "$gtest"
rm repository/.reex.toml

expect 2 'one schedule file' "$reex" replay
expect 2 'cannot read' "$reex" replay missing.reex
expect 2 'not a schedule file' "$reex" replay script
echo '{"format":"reex-schedule","version":99,"reex":"9.9"}' >later.reex
expect 2 'version 99.*versions 1 and 2' "$reex" replay later.reex
echo '{"format":"reex-schedule","version":1,"reex":"0.1"}' >short.reex
expect 2 'damaged' "$reex" replay short.reex

# Programs that run, but not under control.
echo 'int main() {}' >main.cpp
g++ main.cpp -o program
if g++ -static main.cpp -o static 2>/dev/null; then
  expect 5 'statically' "$reex" ./static
fi
printf '#!/bin/sh -e\nexec true\n' >started.sh && chmod +x started.sh
expect 5 'script for /bin/sh -e: give the program' "$reex" ./started.sh
printf '#!/bin/sh\n\n# started - temporary wrapper script for .libs/started\n# Generated by libtool\n' >libtool.sh
expect 5 'libtool --mode=execute reex ./libtool.sh gives' "$reex" ./libtool.sh
g++ -fsanitize=address main.cpp -o address
expect 5 'fsanitize=address' "$reex" ./address
g++ -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1 main.cpp -o musl
expect 5 'musl' "$reex" ./musl
objcopy --add-section .go.buildinfo=main.cpp program go
expect 5 'Go program' "$reex" ./go
cp program privileged && chmod u+s privileged
expect 5 'set-user-ID' "$reex" ./privileged
mkdir -p folder && cp static folder/only_in_path 2>/dev/null || cp musl folder/only_in_path
PATH="$work/folder:$PATH" expect 5 "$work/folder/only_in_path" "$reex" run -- only_in_path argument

exit $((failures > 0))
