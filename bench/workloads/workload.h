// Common code of the workloads. The first argument, `correct` or `faulty`, selects the version; the second
// one is the number of threads, where there may be more than usual. A violated requirement aborts. The same
// sources run under any tool that supports pthreads and C++ atomics.
#pragma once

#include <cstdlib>
#include <cstring>

inline constexpr int k_no_such_version = 77;

inline bool is_faulty(int count, char** arguments) {
  return count > 1 && std::strcmp(arguments[1], "faulty") == 0;
}

inline int threads_of(int count, char** arguments, int usual) {
  return count > 2 ? std::atoi(arguments[2]) : usual;
}

inline void require(bool holds) {
  if (!holds) std::abort();
}
