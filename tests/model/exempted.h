// A variable of a generated program whose functions are exempted from -fsanitize=thread. reex's assembler
// gives them hooks (reex/hooks/assembler/users_assembly.h), but for those of namespace reex: each access is a
// visible operation. The loads and stores are plain.
#pragma once

namespace stored {

struct Exempted {
  int value;

  [[gnu::noinline, gnu::no_sanitize("thread")]] int load() const {
    return *static_cast<const volatile int*>(&value);
  }
  [[gnu::noinline, gnu::no_sanitize("thread")]] void store(int desired) {
    *static_cast<volatile int*>(&value) = desired;
  }
  [[gnu::noinline, gnu::no_sanitize("thread")]] int fetch_add(int increment) {
    return __atomic_fetch_add(&value, increment, __ATOMIC_SEQ_CST);
  }
  [[gnu::noinline, gnu::no_sanitize("thread")]] int exchange(int desired) {
    return __atomic_exchange_n(&value, desired, __ATOMIC_SEQ_CST);
  }
  [[gnu::noinline, gnu::no_sanitize("thread")]] bool compare_exchange_strong(int& expected, int desired) {
    int seen = expected;
    return __atomic_compare_exchange_n(&value, &seen, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
};

} // namespace stored
