// The program assumes an order of two threads that print.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

std::atomic<int> lines{0};

int main() {
  std::thread header([] {
    std::printf("header\n");
    lines.fetch_add(1);
  });
  std::thread body([] {
    assert(lines.load() == 1);
    std::printf("body\n");
  });
  header.join();
  body.join();
  return 0;
}
