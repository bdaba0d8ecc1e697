// Main waits for all callbacks.
#define RCU_MB
#include <urcu.h>

static void called(rcu_head*) {}

int main() {
  rcu_register_thread();
  static rcu_head head;
  call_rcu(&head, called);
  rcu_barrier();
  rcu_unregister_thread();
}
