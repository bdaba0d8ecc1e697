// Main closes a pipe into which a thread writes more than there is room for.
#include <Poco/Exception.h>
#include <Poco/Pipe.h>

#include <csignal>
#include <string>
#include <thread>

int main() {
  std::signal(SIGPIPE, SIG_IGN);
  Poco::Pipe pipe;
  std::thread writer([&] {
    const std::string much(100000, '.');
    try {
      pipe.writeBytes(much.data(), static_cast<int>(much.size()));
    } catch (const Poco::Exception&) { // closed
    }
  });
  pipe.close();
  writer.join();
}
