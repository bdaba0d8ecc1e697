// Races and one program without, each in main and a thread of its own, as tests have them. A compiler may
// inline all of it.
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

extern "C" int crypt_checksalt(const char* salt); // of libcrypt, which has no hooks

namespace {

struct Counters {
  long first = 0, second = 0;
  std::mutex mutex;
};

int global = 0;

template <class Work>
void twice_at_once(Work work) {
  std::thread other(work);
  work();
  other.join();
}

} // namespace

int main(int, char** arguments) {
  const std::string_view name = arguments[1];
  Counters local;
  if (name == "local") twice_at_once([&] { ++local.second; });
  if (name == "global") twice_at_once([] { ++global; });
  if (name == "vector") {
    std::vector<int> items;
    twice_at_once([&] { items.push_back(1); });
  }
  if (name == "memset") {
    char bytes[100] = {};
    std::thread other([&] { std::memset(bytes, 1, sizeof bytes); });
    char copy[100];
    std::memcpy(copy, bytes, sizeof bytes);
    other.join();
    if (copy[99] > 1) return 2;
  }
  if (name == "freed") {
    auto heap = std::make_unique<Counters>();
    std::thread other([&] { heap.reset(); });
    const Counters* seen = heap.get();
    const bool odd = seen != nullptr && seen->second != 0;
    other.join();
    if (odd) return 2;
  }
  if (name == "none") {
    twice_at_once([&] {
      const std::lock_guard lock(local.mutex);
      ++local.first;
    });
    if (local.first != 2) return 2;
  }
  return crypt_checksalt("") == -1 ? 2 : 0;
}
