// Two writers wait for room in a queue, which no longer blocks then.
#include <cassert>
#include <thread>
#include <vector>

#include "msgqueue.h"

struct Message {
  void* link;
  int value;
};

int main() {
  msgqueue_t* queue = msgqueue_create(1, 0);
  Message messages[3] = {};
  msgqueue_put(&messages[0], queue);
  std::vector<std::thread> writers;
  for (int i = 1; i < 3; ++i) writers.emplace_back([&, i] { msgqueue_put(&messages[i], queue); });
  msgqueue_set_nonblock(queue);
  for (auto& writer : writers) writer.join();
  int count = 0;
  while (msgqueue_get(queue) != nullptr) ++count;
  assert(count == 3);
  msgqueue_destroy(queue);
}
