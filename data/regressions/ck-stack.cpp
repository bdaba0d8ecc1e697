// A thread pops an entry; main takes all there are and pushes the first one again.
extern "C" {
#include <ck_stack.h>
}

#include <cassert>
#include <thread>

static int length(ck_stack_entry_t* entry) {
  int count = 0;
  for (; entry != nullptr; entry = entry->next) count++;
  return count;
}

int main() {
  static ck_stack_t stack;
  static ck_stack_entry_t entries[2];
  ck_stack_init(&stack);
  ck_stack_push_mpmc(&stack, &entries[1]);
  ck_stack_push_mpmc(&stack, &entries[0]);
  int popped = 0;
  std::thread popper([&] {
    if (ck_stack_pop_mpmc(&stack) != nullptr) popped++;
  });
  ck_stack_entry_t* const all = ck_stack_batch_pop_mpmc(&stack);
  int kept = 0;
  if (all != nullptr) {
    kept = length(all->next);
    ck_stack_push_mpmc(&stack, all);
  }
  popper.join();
  assert(popped + kept + length(stack.head) == 2);
}
