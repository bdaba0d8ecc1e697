#include "tests/model/unseen.h"

namespace reex::model {

int Unseen::load() const { return __atomic_load_n(&value, __ATOMIC_SEQ_CST); }

void Unseen::store(int desired) { __atomic_store_n(&value, desired, __ATOMIC_SEQ_CST); }

int Unseen::fetch_add(int increment) { return __atomic_fetch_add(&value, increment, __ATOMIC_SEQ_CST); }

int Unseen::exchange(int desired) { return __atomic_exchange_n(&value, desired, __ATOMIC_SEQ_CST); }

bool Unseen::compare_exchange_strong(int& expected, int desired) {
  return __atomic_compare_exchange_n(&value, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

} // namespace reex::model
