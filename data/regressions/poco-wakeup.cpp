// A thread that is about to wait for a notification ends when all are woken up.
#include <Poco/Notification.h>
#include <Poco/NotificationQueue.h>
#include <cassert>
#include <thread>

int main() {
  Poco::NotificationQueue queue;
  int taken = 0;
  std::thread worker([&] {
    while (Poco::Notification::Ptr next = queue.waitDequeueNotification()) ++taken;
  });
  queue.enqueueNotification(new Poco::Notification);
  while (!queue.empty()) std::this_thread::yield();
  queue.wakeUpAll();
  worker.join();
  assert(taken == 1);
}
