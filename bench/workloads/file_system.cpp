// W11: `filesystem` from the paper on dynamic partial-order reduction (Flanagan and Godefroid, 2005), with
// fourteen threads. Each takes a free block for its inode. Two of them want the same block.
#include <mutex>
#include <thread>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_threads = 14;
  constexpr int k_blocks = 26;
  constexpr int k_inodes = 32;
  if (is_faulty(count, arguments)) return k_no_such_version;
  static std::mutex inode_lock[k_inodes];
  static std::mutex block_lock[k_blocks];
  static int inode[k_inodes];
  static bool busy[k_blocks];
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i)
    threads.emplace_back([i] {
      const std::lock_guard own(inode_lock[i]);
      for (int block = i * 2 % k_blocks; inode[i] == 0; block = (block + 1) % k_blocks) {
        const std::lock_guard lock(block_lock[block]);
        if (busy[block]) continue;
        busy[block] = true;
        inode[i] = block + 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  int taken = 0;
  for (const bool one : busy) taken += one;
  require(taken == k_threads);
}
