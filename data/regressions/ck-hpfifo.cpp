// A thread adds a node to a queue whose nodes are freed when no hazard pointer names them; main adds two and takes two.
extern "C" {
#include <ck_hp.h>
#include <ck_hp_fifo.h>
}

#include <cassert>
#include <cstdlib>
#include <thread>

static ck_hp_fifo_entry_t* node() {
  return static_cast<ck_hp_fifo_entry_t*>(std::calloc(1, sizeof(ck_hp_fifo_entry_t)));
}

int main() {
  static ck_hp_t hp;
  static ck_hp_record_t records[2];
  static void* pointers[2][2];
  static ck_hp_fifo_t fifo;
  static int values[3];
  ck_hp_init(&hp, 2, 1, std::free);
  for (int i = 0; i < 2; i++) ck_hp_register(&hp, &records[i], pointers[i]);
  ck_hp_fifo_init(&fifo, node());
  std::thread adder([&] {
    ck_hp_fifo_enqueue_mpmc(&records[1], &fifo, node(), &values[2]);
    ck_hp_clear(&records[1]);
  });
  const auto take = [&] {
    void* value = nullptr;
    ck_hp_fifo_entry_t* const old = ck_hp_fifo_dequeue_mpmc(&records[0], &fifo, &value);
    ck_hp_clear(&records[0]);
    if (old != nullptr) ck_hp_free(&records[0], &old->hazard, old, old);
    return old != nullptr;
  };
  for (int i = 0; i < 2; i++) ck_hp_fifo_enqueue_mpmc(&records[0], &fifo, node(), &values[i]);
  ck_hp_clear(&records[0]);
  const bool first = take();
  const bool second = take();
  assert(first && second);
  adder.join();
  const bool third = take();
  assert(third);
  ck_hp_fifo_entry_t* stub = nullptr;
  ck_hp_fifo_deinit(&fifo, &stub);
  std::free(stub);
}
