// A request waits for its answer, which another thread gives, and goes on with the next one.
#include <olp/core/client/Condition.h>
#include <thread>

static bool request(std::thread& network) {
  olp::client::Condition answered;
  network = std::thread([&answered] { answered.Notify(); });
  return answered.Wait();
}
int main() {
  std::thread network;
  const bool good = request(network);
  network.join();
  return good ? 0 : 1;
}
