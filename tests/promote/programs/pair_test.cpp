#include <thread>

#include <gtest/gtest.h>

#include "pair.h"

TEST(Pair, MovesBothWays) {
  Pair pair;
  std::thread forth([&] { pair.forth(); });
  std::thread back([&] { pair.back(); });
  forth.join();
  back.join();
}
