// Producers, as many consumers, and a buffer of one item: all of them come to their end.
//
//     test [PAIRS]   the number of producers, and of consumers (4)
#include <cstdlib>
#include <memory>
#include <vector>

#include "boundedbuffer/BufferImpl.h"
#include "boundedbuffer/Consumer.h"
#include "boundedbuffer/Producer.h"

using namespace boundedbuffer;

namespace {

void testAllComeToTheirEnd(int pairs) {
  constexpr int items = 1;
  BufferImpl buf(1);
  std::vector<std::unique_ptr<Producer>> producers;
  std::vector<std::unique_ptr<Consumer>> consumers;
  for (int i = 0; i < pairs; ++i) {
    producers.push_back(std::make_unique<Producer>(buf, items));
    consumers.push_back(std::make_unique<Consumer>(buf, items));
    producers.back()->start();
    consumers.back()->start();
  }
  for (const auto& producer : producers) producer->join();
  for (const auto& consumer : consumers) consumer->join();
}

} // namespace

int main(int argc, char** argv) { testAllComeToTheirEnd(argc > 1 ? std::atoi(argv[1]) : 4); }
