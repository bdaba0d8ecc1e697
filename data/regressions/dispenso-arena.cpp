// Two threads make room in an arena whose buffers hold two objects, and write what they got.
#include <cassert>
#include <thread>

#include <dispenso/concurrent_object_arena.h>

int main() {
  dispenso::ConcurrentObjectArena<int> arena(2);
  auto work = [&](int value) {
    for (int i = 0; i < 2; ++i) {
      arena[arena.grow_by(1)] = value;
    }
  };
  std::thread one(work, 1);
  std::thread two(work, 2);
  one.join();
  two.join();
  int sum = 0;
  for (size_t i = 0; i < arena.size(); ++i) {
    sum += arena[i];
  }
  assert(sum == 6);
}
