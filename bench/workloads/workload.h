// Common code of the workloads. The argument, `correct` or `faulty`, selects the version; a violated
// requirement aborts. The same sources run under any tool that supports pthreads and C++ atomics.
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
