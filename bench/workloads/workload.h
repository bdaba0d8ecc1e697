// What the workloads share: one argument, `correct` or `faulty`, says which version runs, and a violated
// requirement aborts. The same sources run under any tool that takes pthreads and C++ atomics.
#pragma once

#include <cstdlib>
#include <cstring>

inline constexpr int k_no_such_version = 77;

inline bool is_faulty(int count, char** arguments) {
  return count > 1 && std::strcmp(arguments[1], "faulty") == 0;
}

inline void require(bool holds) {
  if (!holds) std::abort();
}
