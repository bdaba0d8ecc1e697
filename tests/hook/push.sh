#!/usr/bin/env bash
# push.sh REEX: what a push says and does: a pass, a failure, deletions, several references, the budget.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

project one
push 0 -u origin main
says 'reex: main at .*: everything is new: no remote has any of it'
says 'PASSED'
there one main "$(git rev-parse HEAD)"

# A fault stops the push, with the report, and says how to push nevertheless.
before="$(git rev-parse HEAD)"
counter wrong
commit 'forget the mutex'
build
push 1 origin main
says 'FAILED'
says 'reex replay|/reex replay' 'the replay command'
says 'reex: the push is stopped, because a test fails: git push --no-verify sends it nevertheless'
says 'what the remote has'
says 'reex: no compile_commands.json: the sources are parsed with' 'what the analysis lacked'
there one main "$before"
# From a subfolder, and by another name of the same commit.
mkdir -p deep/er
(cd deep/er && push 1 origin HEAD:refs/heads/other)
there one other ''
push 0 --no-verify origin main
says_not 'reex:'
there one main "$(git rev-parse HEAD)"

# Deletions, a push of nothing, and one of what is there already.
push 0 origin main
says_not 'reex:'
git --git-dir="$work/one.git" branch old main
push 0 origin --delete old
says_not 'reex:'
push 0 origin main:refs/heads/again
says 'reex: main brings nothing new'
there one again "$(git rev-parse HEAD)"
push 0 origin main~1:main --force
says 'brings nothing new'

# An object that is no commit.
git tag text "$(git hash-object -w counter.cpp)"
push 0 origin text
says 'reex: tag text is no commit'

# Two references, one inside the other: both are answered for by what is checked out, from the older base.
counter right
commit 'the mutex again'
git branch lower
printf '// a comment\n' >>counter.cpp
commit 'a comment'
build
push 0 origin lower main
says 'reex: lower at'
says 'reex: main at'
[[ "$(grep -c PASSED "$work/out")" = 1 ]] || fail 'explored once'
there one lower "$(git rev-parse lower)"

# A commit that is not on the disk is not tested, which is said. By the setting it stops the push.
git checkout -q -b side HEAD~1
counter wrong
commit 'on the side'
git checkout -q main
build
push 0 origin side
says 'reex: side \([0-9a-f]+\) is not tested: counter.cpp on the disk is another than in it; check it out, build, and push'
says 'reex: the push goes on, although not all was tested'
there one side "$(git rev-parse side)"
git --git-dir="$work/one.git" branch -qD side
git update-ref -d refs/remotes/origin/side
git config reex.hook.on-error block
push 1 origin side
says 'the push is stopped, because not all was tested \(hook.on-error is block\): git push --no-verify'
there one side ''

# What is not committed is no part of the push either.
printf '// not committed\n' >>counter.cpp
build
git commit -q --allow-empty -m empty
push 1 origin main
says 'counter.cpp on the disk is another than in it; commit or stash that, build, and push again'
git checkout -q counter.cpp
git config --unset reex.hook.on-error

# What the budget leaves is said, and does not stop the push.
build
REEX_HOOK_BUDGET=1ms push 0 origin main
says 'counter: the budget of 1 ms \(hook.budget\) ended before'
for number in $(seq 13); do printf '[[test]]\nname = "%s"\nbinary = "build/counter"\narguments = ["%s"]\n' "t$number" "$number"; done >.reex.toml
git add .reex.toml
git commit -q -m 'many tests'
REEX_HOOK_BUDGET=1ms push 0 origin main
says 'the budget of 1 ms \(hook.budget\) ended before the turn of 1[23] tests came, which are not tested: t'
says ' and [23] more$'
git checkout -q HEAD~1 -- .reex.toml
git commit -q --allow-empty -m more
REEX_HOOK_BUDGET=10m push 0 origin main
says 'hook.budget is 10 min: servers close a connection'

# Settings that are not understood stop the push: reex cannot know what they say of errors.
git commit -q --allow-empty -m 'and more'
REEX_HOOK_ON_ERROR=perhaps push 1 origin main
says "reex: REEX_HOOK_ON_ERROR: 'perhaps' is not known: give one of warn, block"

# By hand.
printf 'nonsense\n' | "$reex" hook run >"$work/out" 2>&1 || fail 'an error is no reason to stop'
says 'is not a line as git gives it'
"$reex" hook run </dev/null || fail 'nothing to read'
zeros=0000000000000000000000000000000000000000
printf '%s\n' "refs/heads/x ${zeros}000000000000000000000000 refs/heads/x ${zeros}000000000000000000000001" |
  "$reex" hook run >"$work/out" 2>&1
says 'uses SHA-256'
[[ "$(wc -l <"$work/out")" = 2 ]] || fail 'SHA-256 is refused in one line'
