// A writer waits for the readers: one that has entered in the epoch before leaves, another one has come.
extern "C" {
#include <ck_epoch.h>
}

#include <atomic>
#include <thread>

int main() {
  static ck_epoch_t epoch;
  static ck_epoch_record_t early, late, writing;
  ck_epoch_init(&epoch);
  ck_epoch_register(&epoch, &early);
  ck_epoch_register(&epoch, &late);
  ck_epoch_register(&epoch, &writing);
  std::atomic<int*> shared{new int(1)};
  ck_epoch_begin(&early, nullptr);
  ck_epoch_poll(&writing);
  std::thread leaver([&] { ck_epoch_end(&early, nullptr); });
  std::thread reader([&] {
    ck_epoch_begin(&late, nullptr);
    volatile int value = *shared.load();
    (void)value;
    ck_epoch_end(&late, nullptr);
  });
  int* const old = shared.exchange(new int(2));
  ck_epoch_synchronize(&writing);
  delete old;
  leaver.join();
  reader.join();
  delete shared.load();
}
