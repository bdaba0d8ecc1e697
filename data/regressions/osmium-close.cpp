// A reader that has seen enough closes its queue while a thread still adds to it.
#include <osmium/io/detail/queue_util.hpp>

#include <cassert>
#include <thread>

int main() {
  using namespace osmium::io::detail;
  future_string_queue_type queue(1, "strings");
  std::thread producer([&] {
    add_to_queue(queue, std::string("first"));
    add_to_queue(queue, std::string("second"));
    add_to_queue(queue, std::string("third"));
  });
  {
    queue_wrapper<std::string> reader(queue);
    assert(reader.pop() == "first");
  }
  producer.join();
}
