// ReadersWriters: a reader counts itself as active after it has left the monitor. So its increment may be
// lost, and a writer may enter. No thread ever ends. (The dissertation's Table 4.1.)
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class ReadersWriters {
public:
  void read() {
    before_read();
    do_read();
    after_read();
  }
  void write() {
    before_write();
    do_write();
    after_write();
  }

protected:
  virtual ~ReadersWriters() = default;
  virtual void do_read() = 0;
  virtual void do_write() = 0;

private:
  bool allow_reader() const { return m_waiting_writers == 0 && m_active_writers == 0; }
  bool allow_writer() const { return m_active_readers == 0 && m_active_writers == 0; }

  void before_read() {
    {
      std::unique_lock lock(m_monitor);
      ++m_waiting_readers;
      while (!allow_reader()) m_changed.wait(lock);
      --m_waiting_readers;
    }
    ++m_active_readers;
  }
  void after_read() {
    const std::lock_guard lock(m_monitor);
    --m_active_readers;
    m_changed.notify_all();
  }
  void before_write() {
    std::unique_lock lock(m_monitor);
    ++m_waiting_writers;
    while (!allow_writer()) m_changed.wait(lock);
    --m_waiting_writers;
    ++m_active_writers;
  }
  void after_write() {
    const std::lock_guard lock(m_monitor);
    --m_active_writers;
    m_changed.notify_all();
  }

  std::mutex m_monitor;
  std::condition_variable m_changed;
  int m_active_readers = 0;
  int m_active_writers = 0;
  int m_waiting_readers = 0;
  int m_waiting_writers = 0;
};

class Printer : public ReadersWriters {
protected:
  void do_read() override {
    {
      const std::lock_guard lock(m_lock);
      ++m_reading;
    }
    {
      const std::lock_guard lock(m_lock);
      if (m_x < 10) ++m_x;
      --m_reading;
    }
  }
  void do_write() override {
    const std::lock_guard lock(m_lock);
    assert(m_reading == 0);
    if (m_x > 0) --m_x;
  }

private:
  std::mutex m_lock;
  int m_reading = 0;
  int m_x = 0;
};

int main() {
  Printer printer;
  const auto reader = [&] {
    for (;;) printer.read();
  };
  const auto writer = [&] {
    for (;;) printer.write();
  };
  std::thread threads[] = {std::thread(reader), std::thread(reader), std::thread(writer),
                           std::thread(writer)};
  for (std::thread& thread : threads) thread.join();
  return 0;
}
