// Two writers are stalled, and two threads free the memory that they wait for.
#include <rocksdb/write_buffer_manager.h>
#include <condition_variable>
#include <mutex>
#include <thread>

class Stall : public rocksdb::StallInterface {
 public:
  void Write(rocksdb::WriteBufferManager& manager) {
    if (!manager.ShouldStall()) return;
    blocked = true;
    manager.BeginWriteStall(this);
    Block();
  }
  void Block() override {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [this] { return !blocked; });
  }
  void Signal() override {
    std::lock_guard<std::mutex> lock(mutex);
    blocked = false;
    condition.notify_one();
  }

 private:
  std::mutex mutex;
  std::condition_variable condition;
  bool blocked = false;
};

int main() {
  rocksdb::WriteBufferManager manager(100, nullptr, true);
  manager.ReserveMem(150);
  Stall first, second;
  std::thread writers[] = {std::thread([&] { first.Write(manager); }), std::thread([&] { second.Write(manager); })};
  std::thread freeing([&] { manager.FreeMem(60); });
  manager.FreeMem(90);
  freeing.join();
  for (std::thread& writer : writers) writer.join();
}
