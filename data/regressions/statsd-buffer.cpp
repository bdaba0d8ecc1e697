// Two threads count with one client.
#include <cpp-statsd-client/StatsdClient.hpp>
#include <thread>

int main() {
  Statsd::StatsdClient client("127.0.0.1", 8125, "prefix");
  std::thread other([&] { client.increment("one"); });
  client.increment("two");
  other.join();
}
