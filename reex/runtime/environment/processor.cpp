#include "reex/runtime/environment/processor.h"

#include <sched.h>
#include <sys/syscall.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {

unsigned processor_number() {
  const cpu_set_t* const of =
      g.controlled && g.current != nullptr ? &g.current->own.scheduling.processors : nullptr;
  const int count = of == nullptr ? 0 : CPU_COUNT(of);
  if (count == 0) {
    unsigned number = 0;
    raw_syscall(SYS_getcpu, as_long(&number), 0, 0);
    return number;
  }
  unsigned before = g.current->id % static_cast<unsigned>(count);
  unsigned number = 0;
  while (!CPU_ISSET(number, of) || before-- != 0) ++number;
  return number;
}

} // namespace reex

using namespace reex;

namespace {

// Natively the thread could be on another processor, or share this one with another thread.
void note_processor_of_several(const void* pc) {
  if (g.active && g.live > 1 && CPU_COUNT(&g.current->own.scheduling.processors) > 1) note_processor(pc);
}

} // namespace

REEX_EXPORT int sched_getcpu() noexcept {
  note_processor_of_several(REEX_CALLER);
  return static_cast<int>(processor_number());
}

REEX_EXPORT int getcpu(unsigned* processor, unsigned* node) noexcept {
  note_processor_of_several(REEX_CALLER);
  will_write_buffer(processor, REEX_CALLER);
  will_write_buffer(node, REEX_CALLER);
  if (processor != nullptr) *processor = processor_number();
  if (node != nullptr) *node = 0;
  writes_object(processor, REEX_CALLER);
  writes_object(node, REEX_CALLER);
  return 0;
}
