// Two threads stop a manager of timers.
#include <thrift/concurrency/ThreadFactory.h>
#include <thrift/concurrency/TimerManager.h>

#include <cassert>
#include <memory>
#include <thread>

using apache::thrift::concurrency::ThreadFactory;
using apache::thrift::concurrency::TimerManager;

int main() {
  TimerManager timers;
  timers.threadFactory(std::make_shared<ThreadFactory>());
  timers.start();
  std::thread other([&] { timers.stop(); });
  timers.stop();
  assert(timers.state() == TimerManager::STOPPED);
  other.join();
}
