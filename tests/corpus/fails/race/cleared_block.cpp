// A few bytes are cleared while another thread may read one of them. g++ would write out the call of memset.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

struct Three {
  long a, b, c;
};
Three shared{1, 2, 3};
std::atomic<int> users{1};

int main() {
  std::thread thread([] {
    users.fetch_sub(1);
    assert(shared.b == 2);
  });
  if (users.load() == 0) std::memset(&shared, 0, sizeof shared);
  thread.join();
}
