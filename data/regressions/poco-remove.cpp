// An observer is removed while another thread posts what it observes.
#include <Poco/AutoPtr.h>
#include <Poco/NObserver.h>
#include <Poco/Notification.h>
#include <Poco/NotificationCenter.h>
#include <thread>

struct Counter {
  Poco::NotificationCenter& center;
  int seen = 0;

  void handle(const Poco::AutoPtr<Poco::Notification>&) {
    if (center.hasObservers()) ++seen;
  }
};

int main() {
  Poco::NotificationCenter center;
  Counter counter{center};
  const Poco::NObserver<Counter, Poco::Notification> observer(counter, &Counter::handle);
  center.addObserver(observer);
  std::thread poster([&] { center.postNotification(new Poco::Notification); });
  center.removeObserver(observer);
  poster.join();
}
