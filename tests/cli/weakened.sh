#!/usr/bin/env bash
# weakened.sh REEX: a race is of the change if a memory order of the change is too weak to prevent it.
set -euo pipefail
reex="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  sed 's/^/  | /' out 2>/dev/null || true
}

# explore STATUS OLD NEW: the change of test.cpp that replaces the word OLD by NEW
explore() {
  local got=0
  sed -i "s/$2/$3/" test.cpp
  git diff --quiet && fail "nothing was changed: $2"
  # shellcheck disable=SC2046
  g++ -std=c++20 -O1 $("$reex" flags --compile) test.cpp -o test $("$reex" flags --link)
  "$reex" -o . --base HEAD --wait-for-impact --budget 20s ./test >out 2>&1 </dev/null || got=$?
  [[ "$got" = "$1" ]] || fail "$3: status $got, expected $1"
  git checkout -q test.cpp
}
says() { tr -s ' \n' ' ' <out | grep "$1" >/dev/null || fail "it is not said: $1"; }

cat >test.cpp <<'CPP'
#include <atomic>
#include <thread>
constexpr auto k_given = std::memory_order_release;
constexpr auto k_counted = std::memory_order_seq_cst;
int g_slot = 0;
int g_legacy = 0;
std::atomic<int> g_state{0};
std::atomic<int> g_count{0};
void give() { g_state.store(1, k_given); } // give
void tell() {
  std::atomic_thread_fence(std::memory_order_release); // fence
  g_state.store(2, std::memory_order_relaxed);
}
void count() { g_count.fetch_add(1, std::memory_order_seq_cst); } // count
int main(int arguments, char**) {
  std::thread writer([&] {
    g_slot = 1;
#ifdef FENCED
    tell();
#else
    give();
#endif
    if (arguments > 9) g_legacy = 1;
    LEGACY;
    count();
  });
  std::thread reader([] {
    LEGACY;
    count();
    if (g_state.load(std::memory_order_acquire) != 0) g_slot = 2;
  });
  writer.join();
  reader.join();
}
CPP
sed -i '1i #define LEGACY static_cast<void>(0)' test.cpp
printf '[{"directory": "%s", "file": "test.cpp", "command": "c++ -std=c++20 -c test.cpp"}]\n' "$work" >compile_commands.json
git init -q .
git add test.cpp
git -c user.name=a -c user.email=a@b commit -qm base

explore 1 'g_state.store(1, k_given)' 'g_state.store(1, std::memory_order_relaxed)'
says 'data race'
says 'atomic store of the change, which does not order the two \* test.cpp:1'
explore 0 'give() { g_state.store(1, k_given); }' 'give() { g_state.store(1, std::memory_order_seq_cst); }'

# A fence, on the path.
sed -i '1i #define FENCED' test.cpp
git -c user.name=a -c user.email=a@b commit -qam fenced
explore 1 'fence(std::memory_order_release); .. fence' 'fence(std::memory_order_relaxed); \/\/ fence'
says 'atomic fence of the change, which does not order the two'

# A race that was there before, whose accesses an atomic operation of the change cannot order.
sed -i 's/define LEGACY .*/define LEGACY ++g_legacy/' test.cpp
git -c user.name=a -c user.email=a@b commit -qam legacy
explore 0 'fetch_add(1, std::memory_order_seq_cst)' 'fetch_add(2, std::memory_order_seq_cst)'
says 'no failure: neither an access nor an operation that could order them is of the change'

# A write that is now left out: who finds the state set does not set it again, and gives its item to nobody.
cat >test.cpp <<'CPP'
#include <atomic>
#include <thread>
std::atomic<int> g_state{0};
std::atomic<int> g_done{0};
int g_items[2];
void give() {
  int old = g_state.load(std::memory_order_relaxed);
  do {
    // look
  } while (!g_state.compare_exchange_strong(old, 1, std::memory_order_release, std::memory_order_relaxed));
}
int main() {
  const auto produce = [](int me) {
    g_items[me] = 1;
    give();
    g_done.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread one(produce, 0);
  std::thread two(produce, 1);
  while (g_done.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
  g_state.fetch_sub(1, std::memory_order_acquire);
  const int sum = g_items[0] + g_items[1];
  one.join();
  two.join();
  return sum == 2 ? 0 : 1;
}
CPP
git -c user.name=a -c user.email=a@b commit -qam given
explore 0 '\/\/ look' '\/\/ one looks'
explore 1 '\/\/ look' 'if (old == 1) return;'
says 'atomic compare-exchange, perhaps left out by the change, would order the two test.cpp:10'

# The same, where an exchange that fails is all that looks.
sed -i 's/int old = g_state.load(std::memory_order_relaxed)/int old = 0/' test.cpp
git -c user.name=a -c user.email=a@b commit -qam tried
explore 0 '\/\/ look' '\/\/ one looks'
explore 1 '\/\/ look' 'if (old == 1) return;'
says 'atomic compare-exchange, perhaps left out by the change, would order the two test.cpp:10'

((failures == 0))
