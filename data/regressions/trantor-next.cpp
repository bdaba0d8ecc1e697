// Two threads take loops from a pool of three.
#include <trantor/net/EventLoopThreadPool.h>

#include <cassert>
#include <thread>

int main() {
  trantor::EventLoopThreadPool pool(3);
  trantor::EventLoop* first = nullptr;
  trantor::EventLoop* second = nullptr;
  std::thread one([&] { first = pool.getNextLoop(); });
  std::thread two([&] { second = pool.getNextLoop(); });
  one.join();
  two.join();
  assert(first != second);
}
