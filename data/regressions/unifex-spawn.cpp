// A future of what another thread does is dropped.
#include <unifex/async_scope.hpp>
#include <unifex/v2/async_scope.hpp>
#include <unifex/just.hpp>
#include <unifex/scheduler_concepts.hpp>
#include <unifex/single_thread_context.hpp>
#include <unifex/spawn_future.hpp>
#include <unifex/sync_wait.hpp>

int main() {
  unifex::single_thread_context context;
  unifex::v2::async_scope scope;
  { auto future = unifex::spawn_future(unifex::schedule(context.get_scheduler()), scope); }
  unifex::sync_wait(scope.join());
}
