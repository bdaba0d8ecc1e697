// Each thread waits in a loop for the word that the other one gives after its own wait.
#include <atomic>
#include <thread>

std::atomic<bool> client_ready{false};
std::atomic<bool> server_ready{false};

int main() {
  std::thread server([] {
    while (!client_ready.load()) std::this_thread::yield();
    server_ready.store(true);
  });
  while (!server_ready.load()) {
  }
  client_ready.store(true);
  server.join();
  return 0;
}
