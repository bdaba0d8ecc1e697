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

// Of three sizes: in one register, in two, and in memory.
template <int Longs>
struct Value {
  long part[Longs] = {};
};
// In memory, part by part.
struct Parts {
  long part[6];
};
struct Values {
  Value<1> one;
  Value<2> two;
  Value<4> four;
  Parts parts;
  std::mutex mutex;
};

template <class Type>
__attribute__((noinline)) Type returned(long part) {
  return {{part}};
}
template <class Type>
__attribute__((noinline)) long sum_of(Type value) {
  return value.part[0];
}

// Each writes one of the parts, and nothing before.
__attribute__((noinline)) long opaque(long value) { return value; }
__attribute__((noinline)) Parts on_branches(long value) {
  const long other = -value;
  Parts parts;
  if (value > 2)
    parts.part[0] = value;
  else
    parts.part[1] = other;
  return parts;
}
__attribute__((noinline)) Parts at_index(long index) {
  Parts parts;
  parts.part[index] = index;
  return parts;
}
__attribute__((noinline)) Parts between_calls(long value) {
  Parts parts;
  long sum = opaque(value), a = opaque(sum), b = opaque(a), c = opaque(b), d = opaque(c), e = opaque(d);
  sum += opaque(a + b * c - d * e) + a + b + c + d + e;
  parts.part[2] = sum;
  return parts;
}

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
  Values values;
  Values* const seen_by_both = &values;
  if (name == "returned") twice_at_once([=] { seen_by_both->one = returned<Value<1>>(1); });
  if (name == "returned two") twice_at_once([=] { seen_by_both->two = returned<Value<2>>(1); });
  if (name == "returned four") twice_at_once([=] { seen_by_both->four = returned<Value<4>>(1); });
  if (name == "on branches") twice_at_once([=] { new (&seen_by_both->parts) Parts(on_branches(1)); });
  if (name == "at an index") twice_at_once([=] { new (&seen_by_both->parts) Parts(at_index(3)); });
  if (name == "between calls") twice_at_once([=] { new (&seen_by_both->parts) Parts(between_calls(1)); });
  const auto race_with = [=](auto sum) {
    std::thread other(
        [=] { seen_by_both->one.part[0] = seen_by_both->two.part[0] = seen_by_both->four.part[0] = 1; });
    const long value = sum();
    other.join();
    return value;
  };
  if (name == "passed") return race_with([=] { return sum_of(seen_by_both->one); }) > 1;
  if (name == "passed two") return race_with([=] { return sum_of(seen_by_both->two); }) > 1;
  if (name == "passed four") return race_with([=] { return sum_of(seen_by_both->four); }) > 1;
  if (name == "none") {
    twice_at_once([=] {
      const std::lock_guard lock(seen_by_both->mutex);
      seen_by_both->one = returned<Value<1>>(sum_of(seen_by_both->one) + 1);
      seen_by_both->two = returned<Value<2>>(sum_of(seen_by_both->two) + sum_of(seen_by_both->four));
    });
    if (sum_of(values.one) != 2 || sum_of(values.two) != 0) return 2;
    twice_at_once([&] {
      const std::lock_guard lock(local.mutex);
      ++local.first;
    });
    if (local.first != 2) return 2;
  }
  return crypt_checksalt("") == -1 ? 2 : 0;
}
