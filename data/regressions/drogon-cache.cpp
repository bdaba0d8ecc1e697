// A cache goes in another thread while the timer of its loop ticks.
#include <drogon/CacheMap.h>
#include <trantor/net/EventLoop.h>

#include <memory>
#include <string>
#include <thread>

int main() {
  trantor::EventLoop loop;
  auto cache = std::make_unique<drogon::CacheMap<std::string, int>>(&loop, 0.001F, 1, 2);
  cache->insert("key", 1, 1);
  std::thread other([&] {
    cache.reset();
    loop.queueInLoop([&] { loop.quit(); });
  });
  loop.loop();
  other.join();
}
