#!/usr/bin/env bash
# command_settings.sh REEX: settings of one push, by `git -c` and `--config-env`, reach the hook.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# push_with STATUS GIT-OPTIONS... -- ARGUMENTS...
push_with() {
  local expected="$1" got=0
  local -a options=()
  shift
  while [[ "$1" != -- ]]; do options+=("$1") && shift; done
  shift
  git "${options[@]}" push "$@" >"$work/out" 2>&1 </dev/null || got=1
  [[ "$got" = "$expected" ]] || fail "git ${options[*]} push $* gave $got, expected $expected"
}
more() { git commit -q --allow-empty -m "$1"; }

project one
push_with 0 -c reex.bound=1 -- origin main
says 'PASSED.* bound 1|bound 1.*PASSED|at most 1 preemption'
rm -rf .reex/receipts

more 'the budget of this push'
push_with 0 -c reex.hook.budget=1ms -- origin main
says 'counter: the budget of 1 ms \(hook.budget\) ended before'

# Above the files of the configuration, and below nothing but a variable.
more 'above the files'
git config reex.hook.budget 2ms
push_with 0 -c reex.hook.budget=1ms -- origin main
says 'the budget of 1 ms'
git config --unset reex.hook.budget

more 'by a variable of the environment'
SHORT=1ms push_with 0 --config-env=reex.hook.budget=SHORT -- origin main
says 'the budget of 1 ms'

more 'by numbered variables'
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=reex.hook.budget GIT_CONFIG_VALUE_0=1ms push_with 0 -- origin main
says 'the budget of 1 ms'

# Names that are not known, values that are not understood, an error that is to stop the push.
more 'a name'
push_with 1 -c reex.bond=1 -- origin main
says 'reex: git config reex.bond: there is no such setting: did you mean reex.bound'
push_with 1 -c reex.bound=many -- origin main
says 'reex: git config reex.bound: '
push_with 1 -c reex.hook.on-error=block -c reex.base=nowhere -- origin main:refs/heads/new
says 'hook.on-error is block'
# The test of this push.
rm .reex.toml
commit 'no file'
push_with 0 -c reex.test=build/counter -- origin main
says 'PASSED'
# The test itself sees none of it.
cat >env.cpp <<'TEXT'
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static void* nothing(void*) { return nullptr; }
int main() {
  assert(getenv("GIT_CONFIG_PARAMETERS") == nullptr);
  pthread_t one;
  pthread_create(&one, nullptr, nothing, nullptr);
  pthread_join(one, nullptr);
}
TEXT
commit 'a test of the environment'
sh -c "${build_line//counter/env}"
push_with 0 -c reex.test=build/env -- origin main
says 'PASSED'
