// A callback removes another one, while main removes the first.
#include <Poco/BasicEvent.h>
#include <Poco/Delegate.h>

#include <thread>

struct Remover {
  Poco::BasicEvent<int>& event;
  Remover* other = nullptr;

  void onEvent(int&) {
    if (other) event -= Poco::delegate(other, &Remover::onEvent);
  }
};

int main() {
  Poco::BasicEvent<int> event;
  Remover second{event};
  Remover first{event, &second};
  event += Poco::delegate(&first, &Remover::onEvent);
  event += Poco::delegate(&second, &Remover::onEvent);
  std::thread notifier([&] {
    int value = 0;
    event.notify(nullptr, value);
  });
  event -= Poco::delegate(&first, &Remover::onEvent);
  notifier.join();
}
