// W10: `indexer` from the paper on dynamic partial-order reduction (Flanagan and Godefroid, 2005), with
// eleven threads, or another number. Each enters four messages into a table. No two of the eleven use the
// same entry.
#include <atomic>
#include <thread>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_usual = 11;
  constexpr int k_messages = 4;
  constexpr int k_size = 128;
  if (is_faulty(count, arguments)) return k_no_such_version;
  const int number = threads_of(count, arguments, k_usual);
  static std::atomic<int> table[k_size];
  std::vector<std::thread> threads;
  for (int thread = 0; thread < number; ++thread)
    threads.emplace_back([thread] {
      for (int message = 1; message <= k_messages; ++message) {
        const int entry = message * 11 + thread;
        int place = entry * 7 % k_size;
        int free = 0;
        while (!table[place].compare_exchange_strong(free, entry)) {
          place = (place + 1) % k_size;
          free = 0;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  int entered = 0;
  for (const std::atomic<int>& entry : table) entered += entry.load() != 0;
  require(entered == number * k_messages);
}
