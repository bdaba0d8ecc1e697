// One thread runs a service until its timer has fired, and another one looks once whether there is something to do.
#include <boost/asio.hpp>
#include <atomic>
#include <thread>

int main() {
  boost::asio::io_service service;
  boost::asio::deadline_timer timer(service, boost::posix_time::milliseconds(10));
  std::atomic<int> count{0};
  timer.async_wait([&](const boost::system::error_code&) { ++count; });
  std::thread poller([&] { service.poll_one(); });
  service.run();
  poller.join();
  return count == 1 ? 0 : 1;
}
