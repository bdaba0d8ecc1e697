#!/usr/bin/env bash
# native_logs.sh REEX CXX: schedules from logs of native runs, of programs that are built without reex's flags.
# Sleeps last fifteen times as long, for machines with other work.
set -euo pipefail
reex="$1"
cxx="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "$1"
  cat output
  exit 1
}
# expect STATUS TEXT COMMAND...: the command ends with the status, and prints the text
expect() {
  local status="$1" text="$2" got=0
  shift 2
  "$@" >output 2>&1 || got=$?
  [[ "$got" == "$status" ]] || fail "status $got, and not $status: $*"
  grep -qF -- "$text" output || fail "it does not say '$text': $*"
}

cat >waits.cpp <<'CPP'
// A thread waits in the way that the argument names, until main, which sleeps first, ends its wait.
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <semaphore.h>
#include <unistd.h>

std::mutex mutex;
std::shared_mutex shared;
std::condition_variable changed;
bool ready = false;
sem_t semaphore;
std::promise<int> promise;
int ends[2];
std::string kind;

void wait_for_it() {
  if (kind == "mutex") std::lock_guard guard(mutex);
  if (kind == "rwlock") std::shared_lock guard(shared);
  if (kind == "condition") {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  }
  if (kind == "semaphore") sem_wait(&semaphore);
  if (kind == "future") promise.get_future().get();
  if (kind == "read") {
    char sign = 0;
    if (read(ends[0], &sign, 1) != 1) _exit(3);
  }
}

void let_it_go() {
  if (kind == "mutex") mutex.unlock();
  if (kind == "rwlock") shared.unlock();
  if (kind == "condition") {
    std::lock_guard guard(mutex);
    ready = true;
    changed.notify_one();
  }
  if (kind == "semaphore") sem_post(&semaphore);
  if (kind == "future") promise.set_value(1);
  if (kind == "read" && write(ends[1], "x", 1) != 1) _exit(3);
}

int main(int, char** argv) {
  kind = argv[1];
  sem_init(&semaphore, 0, 0);
  if (pipe(ends) != 0) return 3;
  if (kind == "mutex") mutex.lock();
  if (kind == "rwlock") shared.lock();
  std::thread waiter([&] {
    wait_for_it();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  let_it_go();
  waiter.join();
  return std::strcmp(argv[1], "failure") == 0 ? 3 : 0;
}
CPP
"$cxx" -std=c++17 -O1 -g waits.cpp -o waits -pthread
infer=("$reex" imunit infer -v --logs native:2 --scale 15)
for kind in mutex rwlock condition semaphore future read; do
  expect 0 "[startingWaitForIt1]->startingLetItGo1" "${infer[@]}" waits -- "$kind"
  grep -q "BLOCK_CALL, T1" output || fail "the $kind: it does not stand still"
  grep -q "waits.cpp:[0-9]*: replaced" output || fail "the $kind: the sleep stays"
done
# Under reex the same program is refused: nobody sees its statements.
expect 5 "build it so, or give --logs native:5" "$reex" imunit infer waits -- mutex

cat >queue.cpp <<'CPP'
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
public:
  void add(int value) {
    std::lock_guard guard(m_mutex);
    m_values.push_back(value);
    m_changed.notify_one();
  }
  int take() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_values.empty(); });
    const int value = m_values.front();
    m_values.pop_front();
    return value;
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<int> m_values;
};

int main() {
  Queue queue;
  std::thread adder([&] {
    queue.add(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    queue.add(2);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const int first = queue.take();
  const int second = queue.take();
  adder.join();
  return first == 1 && second == 2 ? 0 : 1;
}
CPP
"$cxx" -std=c++17 -O1 -g queue.cpp -o queue -pthread
expect 0 "finishedAdd1->startingTake1, [startingTake2]->startingAdd2" "${infer[@]}" queue
expect 0 '+  REEX_SCHEDULE("finishedAdd1->startingTake1, [startingTake2]->startingAdd2");' \
  "$reex" imunit migrate --logs native:2 --scale 15 queue

# What cannot be logged is told.
expect 1 "by itself ends with exit status 3 in 4 of 4 runs" "${infer[@]}" waits -- failure
"$cxx" -std=c++17 -g -static queue.cpp -o still -pthread
expect 5 "is linked statically" "${infer[@]}" still
echo 'int main() {}' >alone.cpp
"$cxx" -g alone.cpp -o alone
expect 2 "creates no thread" "${infer[@]}" alone
expect 2 "give exact, or native:5 for five runs" "$reex" imunit infer --logs often queue
expect 2 "'' is not a whole number" "$reex" imunit infer --logs native: queue
