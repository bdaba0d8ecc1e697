// A canary is destroyed by another thread while main ceases to watch it.
#include <memory>
#include <thread>

#include <unifex/canary.hpp>

int main() {
  auto canary = std::make_unique<unifex::canary>();
  std::thread destroyer;
  {
    const auto watcher = canary->watch();
    destroyer = std::thread([&] { canary.reset(); });
  }
  destroyer.join();
}
