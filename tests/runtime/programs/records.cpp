// Accesses of one instruction to neighbouring elements share a record of the race detector. Arguments: the
// scenario, the size of an element, and the element that the other thread writes.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

alignas(16) unsigned char g_bytes[32]; // four records' words

template <typename Element>
volatile Element* elements() {
  return reinterpret_cast<volatile Element*>(g_bytes);
}

template <typename Element>
[[gnu::noinline]] void write_one(int index) {
  elements<Element>()[index] = 1;
}

template <typename Element>
[[gnu::noinline]] void write_from(int first, int end) {
  for (int i = first; i < end; ++i) elements<Element>()[i] = 2;
}

template <typename Element>
[[gnu::noinline]] void read_from(int first, int end) {
  for (int i = first; i < end; ++i) static_cast<void>(elements<Element>()[i]);
}

template <typename Element>
void run(const char* scenario, int index) {
  constexpr int k_count = sizeof g_bytes / sizeof(Element);
  std::thread one; // from now on there are records
  if (std::strcmp(scenario, "written") == 0) {
    one = std::thread([] { write_from<Element>(1, k_count - 1); });
  } else if (std::strcmp(scenario, "read") == 0) {
    one = std::thread([] { read_from<Element>(1, k_count - 1); });
  } else { // all, before the other thread begins; and one of them again, beside it
    one = std::thread([] {});
    write_from<Element>(0, k_count);
    read_from<Element>(0, k_count);
  }
  std::thread two([index] { write_one<Element>(index); });
  if (std::strcmp(scenario, "again") == 0) write_from<Element>(2, 3);
  one.join();
  two.join();
}

} // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const int index = std::atoi(arguments[3]);
  switch (std::atoi(arguments[2])) {
  case 1:
    run<std::uint8_t>(arguments[1], index);
    break;
  case 2:
    run<std::uint16_t>(arguments[1], index);
    break;
  case 4:
    run<std::uint32_t>(arguments[1], index);
    break;
  default:
    run<std::uint64_t>(arguments[1], index);
    break;
  }
}
