#!/usr/bin/env bash
# doctor.sh REEX GTEST_BINARY PROGRAMS: `reex doctor` names what the machine and a test lack, each with a remedy, in
# lines of at most 80 columns, and ends with 0 only if nothing is missing. PROGRAMS is the folder of the programs of
# tests/runtime.
set -euo pipefail
reex="$1" gtest="$2" programs="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
git init -q .
failures=0
fail() { failures=$((failures + 1)); printf 'FAILED: %s\n' "$1"; sed 's/^/  | /' out; }

# doctor STATUS ARGUMENTS...: leaves the checks in the file "out", each on one line, behind it its remedy.
doctor() {
  local status="$1" got=0
  shift
  "$reex" doctor "$@" >printed 2>&1 </dev/null || got=$?
  awk '/^  (ok|note|missing) /{printf "%s%s", (n++ ? "\n" : ""), $0; next} /^          /{sub(/^ +/, " "); printf "%s", $0; next} {print (n ? "\n" : "") $0; n = 0}' printed >out
  [[ $got == "$status" ]] || fail "status $got of doctor $*, wanted $status"
}
says() { grep -qE "^  ($1) +$2" out || fail "no line '$1 $2'"; }
never() { ! grep -qE "^  ($1) +$2" out || fail "a line '$1 $2'"; }

# The machine, as it is and with limits.
doctor 0
never missing ''
for check in 'kernel: Linux' 'runtime library: /' 'instrumentation library: /' 'addresses: ' 'open files: ' 'processes: ' \
  'file size: ' "disk: .* free for $work/.reex" 'seccomp: ' 'files: ' 'changed pages: ' 'compiler: .*\([^)]*[0-9]' \
  'libclang: [0-9]+\.[0-9.]+'; do
  says 'ok|note' "$check"
done
says ok "analysis cache: nothing yet; it will be in $work/.reex/cache"
[[ ! -e .reex ]] || fail 'doctor leaves a folder'
mkdir -p .reex/cache/ab
printf '%5000s' '' >.reex/cache/ab/one
doctor 0
says ok "analysis cache: 5 KB in 1 file in $work/.reex/cache; above 64 MB, what was not used for long is removed"
rm -r .reex
# limited LIMIT STATUS: only the standard streams are open.
limited() {
  local got=0
  (
    for open in /proc/self/fd/*; do
      [[ ${open##*/} -le 2 ]] || eval "exec ${open##*/}>&-"
    done
    eval "$1"
    exec "$reex" doctor
  ) 2>&1 </dev/null | cat >printed || got=$?
  tr -s ' \n' ' ' <printed | sed 's/ \(ok\|note\|missing\) /\n  \1 /g' >out
  [[ $got == "$2" ]] || fail "status $got under $1, wanted $2"
}
limited 'ulimit -v 1000000' 2
says missing 'addresses: limited to 1.0 GB.* -> ulimit -v unlimited'
limited 'ulimit -v 200000000' 2
says missing 'addresses: .*no test can pass -> ulimit -v unlimited'
limited 'ulimit -f 1000' 2
says missing 'file size: .* -> ulimit -f unlimited'
limited 'ulimit -n 8' 0
says note 'open files: up to 8: .* -> ulimit -n 1024'
limited 'ulimit -n 7' 2
says missing 'open files: up to 7, .* -> ulimit -n 1024'
touch file
doctor 2 -o file
says missing "disk: $work/file .*-o DIR"
ln -s elsewhere .reex
doctor 2
says missing 'disk: .* symbolic link.* -> '
rm .reex

# Tests.
doctor 0 "$programs/plain"
says note 'hooks: none.* -> .*reex flags --compile'
never 'ok|note|missing' 'its code'
doctor 0 "$programs/mixed"
says ok 'hooks: '
says note 'its code: without hooks: libuninstrumented.so;.* -> compile it'
says ok 'tests: no GoogleTest'
doctor 0 "$programs/mixed_object"
says note 'its code: without hooks: library.cpp in mixed_object;.* -> compile it'
doctor 0 "$programs/locks"
says ok 'its code: all of it has hooks'
says ok 'debug information: DWARF [45] of .* source files, by '
doctor 0 "$gtest"
says ok 'tests: GoogleTest, [0-9]+ tests, [0-9]+ disabled'
# A name that a shell would take apart.
odd="a 'b\$(touch taken); touch taken; c"
strip -o "$odd" "$programs/mixed"
doctor 0 "./$odd"
says note 'debug information: none.* -> compile it with -g'
says note 'its code: without hooks: libuninstrumented.so;'
[[ ! -e taken ]] || fail 'a shell has read the path'

# Sums of the sources: of one that is as it was, one that changed, and one that is gone.
echo 'int main() {}' >main.cpp
clang++ -gdwarf-5 main.cpp -o summed
doctor 0 ./summed
says ok 'debug information: DWARF 5 of 1 source file, by .*clang.*; with MD5 sums of all of them'
says ok 'sources: '
echo 'int main() { return 1; }' >main.cpp
doctor 0 ./summed
says note 'sources: .*another version of main.cpp.* -> build it again'
rm main.cpp
doctor 0 ./summed
says note 'sources: 1 file is not here, .*main.cpp first'
printf '#include <cassert>\nint main(int n, char**) { assert(n > 0); }\n' >main.cpp
g++ -g main.cpp -o asserting
g++ -g -DNDEBUG main.cpp -o unasserting
doctor 0 ./asserting
never note 'assertions: '
doctor 0 ./unasserting
says note 'assertions: none of those in .*main.cpp: .* -> build it without -DNDEBUG'
echo 'int main() {}' >main.cpp
clang++ -gdwarf-4 main.cpp -o unsummed
doctor 0 ./unsummed
says ok 'debug information: DWARF 4 .*without their MD5 sums'

# A library that is gone.
echo 'void f() {}' | clang++ -x c++ -shared -fPIC - -o libgone.so
echo 'void f(); int main() { f(); }' | clang++ -x c++ - -x none ./libgone.so -o lost
mv libgone.so hidden.so
doctor 2 ./lost
says missing 'libraries: the loader does not .*libgone.so.* -> '

# What is not a test ends with one line, as in a run.
doctor 2 nothing
[[ $(<printed) == 'reex: there is no test binary nothing'* && $(wc -l <printed) == 1 ]] || fail 'no such binary'
doctor 2 one two
[[ $(wc -l <printed) == 1 ]] || fail 'two operands'

# Only a word that is longer, such as a path, makes a line longer than 80 columns.
cd /
"$reex" doctor "$programs/mixed" >"$work/out"
while IFS= read -r line; do
  ((${#line} <= 80)) || [[ ${line#"${line%%[! ]*}"} != *' '* ]] || fail "too long: $line"
done < <(grep -v '^/' "$work/out")
exit "$((failures != 0))"
