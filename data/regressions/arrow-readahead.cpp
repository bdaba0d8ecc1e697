// A generator that reads ahead is asked for its first element while a thread says that there is none.
#include <arrow/util/async_generator.h>
#include <cassert>
#include <optional>
#include <thread>

int main() {
  using Element = std::optional<int>;
  std::thread source;
  {
    arrow::ReadaheadGenerator<Element> generator(
        [&]() -> arrow::Future<Element> {
          if (source.joinable()) return arrow::AsyncGeneratorEnd<Element>();
          auto first = arrow::Future<Element>::Make();
          source = std::thread([first]() mutable { first.MarkFinished(arrow::IterationTraits<Element>::End()); });
          return first;
        },
        1);
    const arrow::Result<Element> result = generator().result();
    assert(result.ok() && !result->has_value());
  }
  source.join();
}
