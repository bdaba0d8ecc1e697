// A processor of coroutines is made, and is there until the end.
#include <oatpp/async/Processor.hpp>

int main() {
  static auto* const processor = new oatpp::async::Processor;
  return processor->getTasksCount();
}
