// A thread asks whether a list owns a callback while main removes the one before it.
#include <eventpp/callbacklist.h>

#include <cassert>
#include <thread>

int main() {
  eventpp::CallbackList<void()> list;
  const auto first = list.append([] {});
  const auto second = list.append([] {});
  std::thread asker([&] { assert(list.ownsHandle(second)); });
  list.remove(first);
  asker.join();
}
