#!/usr/bin/env bash
# shared_library.sh INCLUDE COMPILER...: a schedule of the program holds threads at events of a shared library, also where
# both hide their symbols; and the names of its events are known.
set -euo pipefail
include="$1"
shift
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

cat >"$folder/library.cpp" <<'CPP'
#include <reex/imunit.h>
__attribute__((visibility("default"))) void in_library() { REEX_EVENT("Library.event"); }
CPP
cat >"$folder/main.cpp" <<'CPP'
#include <pthread.h>
#include <reex/imunit.h>
void in_library();
static int value = 0;
static void* body(void*) {
  REEX_THREAD("worker");
  REEX_EVENT(doubling);
  value *= 2;
  in_library();
  return nullptr;
}
int main() {
  reex::imunit::Schedule schedule("set->doubling@worker, Library.event@worker->last");
  pthread_t thread;
  pthread_create(&thread, nullptr, body, nullptr);
  value = 21;
  REEX_EVENT(set);
  REEX_EVENT(last);
  const bool right = value == 42;
  pthread_join(thread, nullptr);
  if (!schedule.ok()) std::fprintf(stderr, "%s\n", schedule.report().c_str());
  return schedule.ok() && right ? 0 : 1;
}
CPP
for compiler in "$@"; do
  for flag in -fvisibility=default -fvisibility=hidden; do
    "$compiler" -std=c++17 -O1 "$flag" -I "$include" -fPIC -shared "$folder/library.cpp" -o "$folder/library.so"
    "$compiler" -std=c++17 -O1 "$flag" -I "$include" -pthread "$folder/main.cpp" "$folder/library.so" -o "$folder/main"
    "$folder/main" || { echo "$compiler $flag: the events of the library are not seen"; exit 1; }
  done
done
