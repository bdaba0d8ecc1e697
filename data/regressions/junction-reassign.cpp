// A key that was erased is assigned anew while another thread moves the entries to a larger table.
#include <junction/ConcurrentMap_Leapfrog.h>

#include <cassert>
#include <thread>

using Map = junction::ConcurrentMap_Leapfrog<turf::u64, void*>;

static int values[16];

int main() {
  Map map(8);
  turf::u64 key = 1;
  for (; key <= 8; ++key) map.assign(key, &values[key]);
  map.erase(1);
  std::thread other([&] { map.assign(9, &values[9]); });
  map.assign(1, &values[10]);
  other.join();
  assert(map.get(1) == &values[10]);
  assert(map.get(9) == &values[9]);
  junction::DefaultQSBR.flush();
}
