// Calls what seems to be libc++.
#include <thread>

extern "C" void
append_of_libcxx() __asm__("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc");

int main() {
  std::thread other([] {});
  append_of_libcxx();
  other.join();
}
