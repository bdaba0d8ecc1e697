#!/usr/bin/env bash
# known_races.sh REEX: a race that an earlier run of the base has shown stops no push, and each other race of the
# change does.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# program LIMIT LOCK UNLOCK: an old race on `hits`, called under a condition; `counter` has a lock.
program() {
  cat >counter.cpp <<TEXT
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int hits;
static int counter;
static void note() {
  ++hits;
}
static void* count(void*) {
  for (int i = 0; i < 2; ++i) {
    if (i $1)
      note();
    $2
    ++counter;
    $3
  }
  return nullptr;
}
int main() {
  pthread_t one, two;
  pthread_create(&one, nullptr, count, nullptr);
  pthread_create(&two, nullptr, count, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
}
TEXT
}

project known
program '> 0' 'pthread_mutex_lock(&mutex);' 'pthread_mutex_unlock(&mutex);'
commit 'with a race'
build
push 1 origin main
says 'data race on .?hits' 'everything is new to a remote that has nothing'
git push -q --no-verify origin main 2>"$work/out" || fail 'push --no-verify'

program '>= 1' 'pthread_mutex_lock(&mutex);' 'pthread_mutex_unlock(&mutex);'
commit 'decides about the race'
build
mv .reex/races "$work/races"
push 1 origin main
says 'data race on .?hits' 'it is not known that the race is old'
says 'which may be older: git checkout [0-9a-f]+, build, and run reex' 'the way to tell'
rm -rf .reex/races
mv "$work/races" .reex/races
push 0 origin main
says 'PASSED counter: .* data races?'

# The line has another place, and what the base showed is known of this one.
sed -i '1i // a comment' counter.cpp
sed -i 's/>= 1/!= 0/' counter.cpp
commit 'decides again, one line further down'
build
push 0 origin main
says 'PASSED counter: .* data races?'

# Another race beside it, and the old one on a line of the change.
program '> 0' '' ''
commit 'without the lock'
build
push 1 origin main
says 'data race on .?counter'
says_not "may be older" "a race whose lock the change takes away is told to be old"
git reset -q --hard HEAD~1
sed -i 's/  ++hits;/  hits += 2;/' counter.cpp
commit 'another access of the race'
build
push 1 origin main
says 'data race on .?hits' 'the change has written the access'
says_not "may be older" "a race of the change is told to be old"

# Another way to it.
git reset -q --hard HEAD~1
sed -i 's/^    ++counter;/    ++counter; note();/' counter.cpp
commit 'another call'
build
push 1 origin main
says 'data race on .?hits' 'called from elsewhere'
