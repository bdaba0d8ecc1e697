// Two threads add to a map, each to a bucket that is full.
#include <array>

#include <xenium/detail/port.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/vyukov_hash_map.hpp>

#include <cassert>
#include <thread>

using Map = xenium::vyukov_hash_map<int, int, xenium::policy::reclaimer<xenium::reclamation::epoch_based2<>>>;

int main() {
  Map map(128);
  for (int i = 0; i < 3; ++i) {
    map.emplace(128 * i, i);
    map.emplace(128 * i + 1, i);
  }
  std::thread one([&] { map.emplace(384, 3); });
  std::thread two([&] { map.emplace(385, 3); });
  one.join();
  two.join();
  Map::accessor value;
  assert(map.try_get_value(384, value) && map.try_get_value(385, value));
}
