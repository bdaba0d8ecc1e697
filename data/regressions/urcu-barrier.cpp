// A thread waits for all callbacks while main frees the one thread that calls them.
#include <urcu/urcu-mb.h>

#include <thread>

int main() {
  urcu_mb_register_thread();
  call_rcu_data* caller = urcu_mb_create_call_rcu_data(0, -1);
  std::thread waiter([] {
    urcu_mb_register_thread();
    urcu_mb_barrier();
    urcu_mb_unregister_thread();
  });
  urcu_mb_call_rcu_data_free(caller);
  waiter.join();
  urcu_mb_unregister_thread();
}
