#!/usr/bin/env bash
# bases.sh REEX: with what a pushed commit is compared.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# since COMMIT WORDS: the base that the last push was told with
since() { says ", compared with $(git rev-parse "$1" | cut -c1-10): $2\$"; }

project one
push 0 origin main
says 'everything is new: no remote has any of it'

# An update: what the remote has; after a forced push: where the two parted.
git commit -q --allow-empty -m second
push 0 origin main
since HEAD~1 'what the remote has'
git commit -q --amend --allow-empty -m 'second, amended'
push 0 --force origin main
since HEAD~1 'the merge base with what the remote has'

# What the remote has is not here: somebody else has pushed. The branch is found by the remote's HEAD, as it is known.
git clone -q "$work/one.git" "$work/other"
(cd "$work/other" && git commit -q --allow-empty -m theirs && git push -q origin main)
git commit -q --allow-empty -m ours
push 1 origin main
says 'fetch first|rejected'
push 0 --force origin main
since HEAD~1 'the parent of the first commit that no remote has'

# A new branch. Nothing says what the remote's main branch is: the first commit that no remote has.
git checkout -q -b topic
git commit -q --allow-empty -m topic-1
git commit -q --allow-empty -m topic-2
push 0 origin topic
since HEAD~2 'the parent of the first commit that no remote has'
# The remote's HEAD is known. A local branch main, which is ahead of it, is not meant.
git remote set-head origin main
git branch -f main topic
git checkout -q -b topic2
git commit -q --allow-empty -m topic-3
push 0 origin topic2
since origin/main 'the merge base with origin/main'
# reex.base is a branch of the remote, too.
git config reex.base topic
git checkout -q -b topic3
git commit -q --allow-empty -m topic-4
push 0 origin topic3
since origin/topic 'the merge base with origin/topic'
git config reex.base origin/topic2
git checkout -q -b topic4
git commit -q --allow-empty -m topic-5
push 0 origin topic4
since origin/topic2 'the merge base with origin/topic2'
git config reex.base main2
git branch main2
git checkout -q -b topic5
git commit -q --allow-empty -m topic-6
push 0 origin topic5
says 'reex: reex.base: no remote has a branch main2, as far as is known here'
says 'although not all was tested'
git config --unset reex.base

# By an address instead of a name; a tag; a history of its own.
git checkout -q -b topic6
git commit -q --allow-empty -m topic-7
push 0 "$work/one.git" topic6
since HEAD~1 'the parent of the first commit that no remote has'
git commit -q --allow-empty -m topic-8
git tag -a -m v1 v1
push 0 origin v1
says 'reex: tag v1 at'
git checkout -q --orphan alone
git commit -qm alone
push 0 origin alone
says 'everything is new: no remote has any of it'
git checkout -q --orphan other
git commit -qm 'other alone'
push 0 --force origin other:alone
says 'everything is new: it has nothing in common with what the remote has'
