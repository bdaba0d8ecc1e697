# shellcheck shell=bash
# For the tests of the hook: a project with one test in a repository of its own, a bare repository as its remote, and
# the words to check what a push says and does. A script begins with: . lib.sh REEX
reex="$1"
work="$(realpath "$(mktemp -d)")"
trap 'rm -rf "$work"' EXIT
for variable in $(git rev-parse --local-env-vars); do unset "$variable"; done
unset "${!REEX_@}" || true
export HOME="$work/home" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL="$work/home/.gitconfig" XDG_CONFIG_HOME="$work/home/.config"
mkdir -p "$HOME"
git config --global user.name tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main
git config --global advice.detachedHead false
git config --global protocol.file.allow always

fail() {
  printf 'FAILED: %s\n' "$1"
  [[ ! -e "$work/out" ]] || sed 's/^/  | /' "$work/out"
  exit 1
}

# The program: two threads count. `counter right` has a mutex; `counter wrong` forgets it.
counter() {
  local lock='pthread_mutex_lock(&mutex);' unlock='pthread_mutex_unlock(&mutex);'
  [[ "$1" = right ]] || lock='' unlock=''
  cat >counter.cpp <<TEXT
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void* count(void*) {
  for (int i = 0; i < 2; ++i) {
    $lock
    ++counter;
    $unlock
  }
  return nullptr;
}
int main() {
  pthread_t one, two;
  pthread_create(&one, nullptr, count, nullptr);
  pthread_create(&two, nullptr, count, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  pthread_mutex_lock(&mutex);
  assert(counter == 4);
  pthread_mutex_unlock(&mutex);
}
TEXT
}

# How a project builds its test, in one line, as .reex.toml may name it.
build_line="mkdir -p build && g++ -g $("$reex" flags --compile) counter.cpp -o build/counter $("$reex" flags --link)"
build() { sh -c "$build_line"; }

commit() {
  git add -A
  git commit -qm "$1"
}

# project NAME: makes NAME and its remote NAME.git, commits a counter that is right, builds it, and installs the hook.
project() {
  git init -q --bare "$work/$1.git"
  git init -q "$work/$1"
  cd "$work/$1"
  git remote add origin "$work/$1.git"
  printf '/build/\n' >.gitignore
  printf '[[test]]\nname = "counter"\nbinary = "build/counter"\n' >.reex.toml
  counter right
  commit first
  build
  "$reex" hook install 2>"$work/out" || fail "install in $1"
}

# push STATUS ARGUMENTS...: what it prints is in $work/out. 0 or 1: any failure of git push is 1.
push() {
  local expected="$1" got=0
  shift
  git push "$@" >"$work/out" 2>&1 </dev/null || got=1
  [[ "$got" = "$expected" ]] || fail "git push $* gave $got, expected $expected"
}

says() { grep -qE -- "$1" "$work/out" || fail "${2:-not said}: $1"; }
says_not() { ! grep -qE -- "$1" "$work/out" || fail "${2:-said}: $1"; }
# there REF COMMIT: what the remote has
there() { [[ "$(git --git-dir="$work/$1.git" rev-parse -q --verify "$2" || true)" = "${3:-}" ]] || fail "$1.git: $2 is not ${3:-absent}"; }
