#include "reex/runtime/memory/memory_error.h"

#include <csignal>
#include <cstdio>
#include <cstring>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/memory/heap.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

struct BlockStacks {
  const void* block;
  BlockEvent allocated;
  BlockEvent freed;
};

constexpr unsigned k_blocks = 1u << 14;
// By address; a new block overwrites another one with the same hash. Only detailed workers use the table, and
// they make one execution.
BlockStacks g_blocks[k_blocks];
char g_message[sizeof(Ending::message)];

BlockStacks& stacks_of(const void* block) {
  return g_blocks[reinterpret_cast<std::uintptr_t>(block) / 16 * 0x9e3779b97f4a7c15 >> 50];
}

BlockEvent here() {
  BlockEvent event{.known = true, .thread = g.current->id, .depth = 0, .first_pc = 0};
  event.depth = static_cast<std::uint8_t>(record_stack(event.first_pc));
  return event;
}

const char* verb_of(FindingAct act) {
  switch (act) {
  case FindingAct::write:
    return "writes";
  case FindingAct::atomic_read:
    return "atomically reads";
  case FindingAct::atomic_write:
    return "atomically writes";
  case FindingAct::freed:
    return "frees";
  default:
    return "reads";
  }
}

struct Act {
  char text[64];
};

Act act_text(FindingAct act, unsigned size) {
  Act text{"uses a synchronization object in"};
  const bool as_object =
      act == FindingAct::used || act == FindingAct::initialized || act == FindingAct::destroyed;
  if (size != 0 && !as_object)
    snprintf(text.text, sizeof text.text, "%s %u byte%s of", verb_of(act), size, size == 1 ? "" : "s");
  return text;
}

void hand_over(const HeapBlock& block) {
  TraceBlock& report = g.control->trace.block;
  report = {.address = reinterpret_cast<std::uintptr_t>(block.start),
            .size = block.size,
            .allocated = {},
            .freed = {}};
  const BlockStacks& known = stacks_of(block.start);
  if (known.block != block.start) return;
  report.allocated = known.allocated;
  report.freed = known.freed;
}

[[noreturn]] void end(End kind, void* memory, const char* what) {
  g.active = false;
  const HeapBlock block = heap_block_of(memory);
  if (g.detail && block.start != nullptr) hand_over(block);
  end_execution(kind, 0, what);
}

} // namespace

void use_after_free(const FreedAccess& access) {
  g.active = false;
  const HeapBlock block = heap_block_of(reinterpret_cast<void*>(access.address));
  snprintf(g_message, sizeof g_message,
           "thread %u %s freed memory: at byte %zu of a block of %zu bytes that thread %u freed",
           g.current->id, act_text(access.act, access.size).text,
           access.address - reinterpret_cast<std::uintptr_t>(block.start), block.size, access.freed_by);
  end(End::use_after_free, reinterpret_cast<void*>(access.address), g_message);
}

void use_after_destroy(const char* kind, const char* what) {
  g.active = false;
  snprintf(g_message, sizeof g_message, "thread %u uses a %s that was destroyed (%s)", g.current->id, kind,
           what);
  end_execution(End::use_after_destroy, 0, g_message);
}

void use_after_unmap(const char* kind, const char* what) {
  g.active = false;
  snprintf(g_message, sizeof g_message, "SIGSEGV: thread %u uses a %s in memory that was unmapped (%s)",
           g.current->id, kind, what);
  end_execution(End::signalled, SIGSEGV, g_message);
}

void double_free(void* memory) {
  g.active = false;
  const HeapBlock block = heap_block_of(memory);
  char who[32] = "that was";
  if (const int thread = freed_by(block.start); thread >= 0)
    snprintf(who, sizeof who, "that thread %d", thread);
  snprintf(g_message, sizeof g_message, "thread %u frees a block of %zu bytes %s freed before", g.current->id,
           block.size, who);
  end(End::double_free, memory, g_message);
}

void invalid_free(void* memory) {
  end(End::invalid_free, memory, "free(): the address is not the start of an allocated block");
}

void stack_use_after_return(const DeadStackAccess& access) {
  g.active = false;
  snprintf(g_message, sizeof g_message, "thread %u %s the stack of thread %u%s", g.current->id,
           act_text(access.act, access.size).text, access.owner,
           access.has_ended ? ", which has ended" : ": the function that had the memory has returned");
  end_execution(End::stack_use_after_return, 0, g_message);
}

void remember_allocated(const void* memory) {
  Inside inside;
  stacks_of(memory) = {memory, here(), {}};
}

void remember_freed(const void* memory) {
  Inside inside;
  BlockStacks& known = stacks_of(memory);
  if (known.block != memory) known = {memory, {}, {}};
  known.freed = here();
}

} // namespace reex
