// A thread asks an operation to stop, which it then does, and main goes on.
#include <cassert>
#include <optional>
#include <thread>

#include <unifex/get_stop_token.hpp>
#include <unifex/inplace_stop_token.hpp>
#include <unifex/receiver_concepts.hpp>
#include <unifex/sync_wait.hpp>
#include <unifex/when_all.hpp>
#include <unifex/with_query_value.hpp>

namespace {

// Is done as soon as it is asked to stop.
struct Stoppable {
  template <template <typename...> class Variant, template <typename...> class Tuple>
  using value_types = Variant<Tuple<>>;
  template <template <typename...> class Variant>
  using error_types = Variant<>;
  static constexpr bool sends_done = true;

  template <typename Receiver>
  struct Operation {
    struct Stop {
      Operation& operation;
      void operator()() noexcept { unifex::set_done(std::move(operation.receiver)); }
    };
    using Token = unifex::stop_token_type_t<Receiver&>;

    Receiver receiver;
    std::optional<typename Token::template callback_type<Stop>> stop;

    explicit Operation(Receiver to) : receiver(std::move(to)) {}
    Operation(Operation&&) = delete;
    void start() noexcept { stop.emplace(unifex::get_stop_token(receiver), Stop{*this}); }
  };

  template <typename Receiver>
  Operation<unifex::remove_cvref_t<Receiver>> connect(Receiver&& receiver) const {
    return Operation<unifex::remove_cvref_t<Receiver>>(std::forward<Receiver>(receiver));
  }
};

}  // namespace

int main() {
  unifex::inplace_stop_source source;
  std::thread stopper([&] { source.request_stop(); });
  const auto result = 
      unifex::sync_wait(unifex::with_query_value(unifex::when_all(Stoppable{}), unifex::get_stop_token, source.get_token()));
  stopper.join();
  assert(!result);
}
