// A thread takes one of two elements; main takes the other one and puts its node into the queue again, so it is never empty.
extern "C" {
#include <ck_fifo.h>
}

#include <cassert>
#include <thread>

int main() {
  static ck_fifo_mpmc_t fifo;
  static ck_fifo_mpmc_entry_t nodes[3];
  static int values[3];
  ck_fifo_mpmc_init(&fifo, &nodes[0]);
  ck_fifo_mpmc_enqueue(&fifo, &nodes[1], &values[0]);
  ck_fifo_mpmc_enqueue(&fifo, &nodes[2], &values[1]);
  std::thread taker([&] {
    void* value = nullptr;
    ck_fifo_mpmc_entry_t* garbage = nullptr;
    const bool taken = ck_fifo_mpmc_dequeue(&fifo, &value, &garbage);
    assert(taken);
  });
  void* value = nullptr;
  ck_fifo_mpmc_entry_t* garbage = nullptr;
  const bool taken = ck_fifo_mpmc_dequeue(&fifo, &value, &garbage);
  assert(taken);
  ck_fifo_mpmc_enqueue(&fifo, garbage, &values[2]);
  taker.join();
}
