// Two threads notify one waiter each; a third one waits anew as soon as it is awake.
#include <async_simple/coro/ConditionVariable.h>
#include <async_simple/coro/Mutex.h>
#include <async_simple/coro/SyncAwait.h>
#include <cassert>
#include <thread>

namespace coro = async_simple::coro;

int main() {
  coro::Mutex mutex;
  coro::ConditionVariable<coro::Mutex> ready;
  int tickets = 0;
  int served = 0;
  auto take = [&]() -> coro::Lazy<> {
    co_await mutex.coLock();
    co_await ready.wait(mutex, [&] { return tickets > 0; });
    --tickets;
    ++served;
    mutex.unlock();
  };
  auto give = [&]() -> coro::Lazy<> {
    co_await mutex.coLock();
    ++tickets;
    mutex.unlock();
    ready.notifyOne();
  };
  std::thread one([&] { coro::syncAwait(take()); });
  std::thread two([&] { coro::syncAwait(take()); });
  std::thread giver([&] { coro::syncAwait(give()); });
  coro::syncAwait(give());
  giver.join();
  one.join();
  two.join();
  assert(served == 2 && tickets == 0);
}
