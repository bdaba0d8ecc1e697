// Two threads publish through one sequencer, and a third one waits for what they publish.
#include "Disruptor/BlockingWaitStrategy.h"
#include "Disruptor/MultiProducerSequencer.h"

#include <cassert>
#include <thread>

using namespace Disruptor;

int main() {
  auto sequencer = std::make_shared<MultiProducerSequencer<int>>(4, std::make_shared<BlockingWaitStrategy>());
  auto barrier = sequencer->newBarrier({});
  int events[4] = {0, 0, 0, 0};
  auto publish = [&] {
    const auto sequence = sequencer->next();
    events[sequence] = 1;
    sequencer->publish(sequence);
  };
  std::thread first(publish), second(publish);
  for (int next = 0; next < 2; ++next)
    while (barrier->waitFor(next) < next) std::this_thread::yield();
  assert(events[0] + events[1] == 2);
  first.join();
  second.join();
}
