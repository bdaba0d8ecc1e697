// A thread completes an operation that could be cancelled, while main is still about to return from its start.
#include <cassert>
#include <exception>
#include <thread>
#include <utility>

#include <unifex/cancellable.hpp>
#include <unifex/get_stop_token.hpp>
#include <unifex/inplace_stop_token.hpp>
#include <unifex/receiver_concepts.hpp>
#include <unifex/sender_concepts.hpp>

namespace {

template <typename Receiver>
struct Operation {
  Receiver receiver;
  std::thread& worker;

  void start() noexcept {
    worker = std::thread([this] {
      if (unifex::try_complete(this)) unifex::set_value(std::move(receiver), 42);
    });
  }
  void stop() noexcept {
    if (unifex::try_complete(this)) unifex::set_done(std::move(receiver));
  }
};

struct Sender {
  template <template <typename...> class Variant, template <typename...> class Tuple>
  using value_types = Variant<Tuple<int>>;
  template <template <typename...> class Variant>
  using error_types = Variant<std::exception_ptr>;
  static constexpr bool sends_done = true;

  std::thread& worker;

  template <typename Receiver>
  friend auto tag_invoke(unifex::tag_t<unifex::connect>, Sender&& self, Receiver&& receiver) noexcept {
    return Operation<unifex::remove_cvref_t<Receiver>>{std::forward<Receiver>(receiver), self.worker};
  }
};

struct Result {
  unifex::inplace_stop_token token;
  int& value;

  void set_value(int to) noexcept { value = to; }
  void set_done() noexcept {}
  void set_error(std::exception_ptr) noexcept {}
  friend unifex::inplace_stop_token tag_invoke(unifex::tag_t<unifex::get_stop_token>, const Result& result) noexcept {
    return result.token;
  }
};

}  // namespace

int main() {
  unifex::inplace_stop_source source;
  std::thread worker;
  int value = 0;
  auto operation = unifex::connect(unifex::cancellable{Sender{worker}}, Result{source.get_token(), value});
  unifex::start(operation);
  worker.join();
  assert(value == 42);
}
