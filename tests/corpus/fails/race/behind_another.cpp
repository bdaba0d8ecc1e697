// Racing accesses that only some schedules reach; each comes after another one.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> turn{0};
int a = 0, b = 0, c = 0, d = 0;

void work(int id) {
  turn.store(id);
  if (turn.load() != id) a = id;
  turn.store(id + 3);
  if (turn.load() < 3) b = a + 1;
  const int seen = turn.load();
  if (seen != id + 3) c = b + id;
  if (c != 0 && turn.load() == id + 3) d = c;
}

int main() {
  std::thread one(work, 0), two(work, 1), three(work, 2);
  one.join();
  two.join();
  three.join();
  assert(d == 0);
}
