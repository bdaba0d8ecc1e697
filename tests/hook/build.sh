#!/usr/bin/env bash
# build.sh REEX: binaries that are out of date, and the project's build command.
set -euo pipefail
# shellcheck source=tests/hook/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

project one
push 0 origin main

# Out of date, and nothing says how to build.
printf '// more\n' >>counter.cpp
commit 'more'
push 0 origin main
says 'reex: counter is not tested: it was built before counter.cpp was written: build it again'
says 'the push goes on, although not all was tested'
touch build/CMakeCache.txt
git commit -q --allow-empty -m next
push 0 origin main
says_not 'PASSED'
says "was written: cmake --build $work/one/build"

# The project says how: it is done, and what it prints is seen. The variables of git are not there.
printf 'build = "sh build.sh"\n[[test]]\nname = "counter"\nbinary = "build/counter"\n' >.reex.toml
printf 'echo building; env | grep ^GIT_ >build/variables; cat >build/input; %s\n' "$build_line" >build.sh
commit 'how to build'
push 0 origin main
says 'reex: the tests are older than the sources: sh build.sh'
says '^(remote: )?building'
says 'PASSED'
for variable in $(git rev-parse --local-env-vars); do
  ! grep -q "^$variable=" build/variables || fail "the build sees $variable"
done
[[ ! -s build/input ]] || fail 'the build has the input of the hook'
# It is not done again, where nothing is newer.
git commit -q --allow-empty -m 'nothing new'
push 0 origin main
says_not 'building'
says 'PASSED|passed .* by the hook'
# A binary that is not there is built.
rm build/counter
git commit -q --allow-empty -m 'nothing again'
push 0 origin main
says 'building'
says 'PASSED|passed'

# A build that fails is an error, and no failure of the test.
printf '#error no\n' >>counter.cpp
commit 'does not compile'
push 0 origin main
says 'reex: the build failed \(status 1\)'
says 'although not all was tested'
git commit -q --allow-empty -m 'still not'
git config reex.hook.on-error block
push 1 origin main
says 'not all was tested \(hook.on-error is block\)'

# A build that takes what changed, and finds a fault.
counter wrong
commit 'forget the mutex'
push 1 origin main
says 'building'
says 'because a test fails'

# A test that does not start, a missing test, a program without threads.
git config --unset reex.hook.on-error
check() { # STATUS-OF-REEX WORDS
  git commit -q --allow-empty -m "$2"
  git config reex.hook.on-error warn
  push 0 origin main
  says "$2"
  says 'although not all was tested'
  git update-ref refs/remotes/origin/main HEAD~1
  git --git-dir="$work/one.git" update-ref refs/heads/main HEAD~1
  git config reex.hook.on-error block
  printf 'refs/heads/main %s refs/heads/main %s\n' "$(git rev-parse HEAD)" "$(git rev-parse HEAD~1)" >"$work/lines"
  local got=0
  "$reex" hook run -- origin address <"$work/lines" >"$work/out" 2>&1 || got=$?
  [[ "$got" = "$1" ]] || fail "$2: status $got, expected $1"
}
git rm -qf .reex.toml build.sh
git commit -qm 'nothing of the project'
git config reex.test build/none
check 2 'there is no test binary .*/build/none'
git config reex.test build/fails
printf 'int main() { return 1; }\n' | g++ -g -x c++ - -o build/fails
check 4 'the test does not start'
git config reex.test build/alone
printf 'int main() {}\n' | g++ -g -x c++ - -o build/alone
check 5 'started no second thread|showed no threads under control'

# A library of the project is part of the test: a source of it that is newer than the library, and one that is
# not committed.
git config --unset reex.test
git config reex.hook.on-error warn
printf '[[test]]\nname = "counter"\nbinary = "build/counter"\n' >.reex.toml
printf 'int next(int value) { return value + 1; }\n' >next.cpp
counter right
sed -i '1i int next(int);' counter.cpp
sed -i 's/++counter;/counter = next(counter);/' counter.cpp
# The words of `reex flags` are divided.
# shellcheck disable=SC2046
with_library() {
  g++ -g -shared -fPIC $("$reex" flags --compile) next.cpp -o build/libnext.so $("$reex" flags --link)
  g++ -g $("$reex" flags --compile) counter.cpp -o build/counter -Lbuild -lnext '-Wl,-rpath,$ORIGIN' $("$reex" flags --link)
}
with_library
commit 'a library'
push 0 origin main
says 'PASSED'
printf '// more\n' >>next.cpp
commit 'more of the library'
push 0 origin main
says 'counter is not tested: it was built before next.cpp was written'
with_library
printf '// and more\n' >>next.cpp
with_library
git commit -q --allow-empty -m 'nothing of the library'
push 0 origin main
says 'is not tested: next.cpp on the disk is another than in it'
