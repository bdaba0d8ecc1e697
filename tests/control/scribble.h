// Damage to a control block, by seed: what a test with a wild pointer, or an evil one, may do to it. Used
// inside a test under control and, on a block of its own, by the test of the readers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "reex/shared/control.h"

// The damage is done behind the back of reex: its accesses are not instrumented.
#define REEX_UNSEEN __attribute__((no_sanitize("thread")))

namespace reex::control_test {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15 + 1) {}
  REEX_UNSEEN std::uint64_t next() { // splitmix64
    std::uint64_t x = m_state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  REEX_UNSEEN std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  // A number that is wrong in an interesting way.
  REEX_UNSEEN std::uint64_t number() {
    constexpr std::uint64_t k_numbers[] = {0,          1,          2,          3,          0x7f,
                                           0xff,       0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                           0xffffffff, ~0ull,      ~0ull >> 1, 1ull << 31, 1ull << 32,
                                           1ull << 20, 1ull << 24, 1ull << 28, 1ull << 26, 4096};
    const std::uint64_t choice = below(24);
    return choice < 20 ? k_numbers[choice] + (below(4) == 0 ? below(3) - 1 : 0) : next();
  }

private:
  std::uint64_t m_state;
};

struct Part {
  std::size_t offset;
  std::size_t size;
};

// The whole block, where a damage of everything would take too much memory: the first bytes of each record.
REEX_UNSEEN inline Part part_of(ControlBlock& block, unsigned which) {
  const auto part = [&](const auto& record) {
    const auto offset =
        static_cast<std::size_t>(reinterpret_cast<const char*>(&record) - reinterpret_cast<char*>(&block));
    return Part{offset, sizeof record < 4096 ? sizeof record : 4096};
  };
  switch (which) {
  case 0:
    return part(block.config);
  case 1:
    return part(block.provenance);
  case 2:
    return part(block.status);
  case 3:
    return part(block.ending);
  case 4:
    return part(block.pcs);
  case 5:
    return part(block.operations);
  case 6:
    return part(block.known);
  case 7:
    return part(block.failure);
  case 8:
    return part(block.findings);
  case 9:
    return part(block.promoted);
  case 10:
    return part(block.plan);
  case 11:
    return part(block.saved);
  case 12:
    return part(block.guide);
  case 13:
    return part(block.search);
  case 14:
    return part(block.own);
  case 15:
    return part(block.check);
  case 16:
    return part(block.trace);
  case 17:
    return part(block.outcomes);
  case 18:
    return part(block.frontier.node);
  case 19:
    return part(block.frontier.undo_log);
  case 20:
    return part(block.findings.record);
  case 21:
    return part(block.trace.step);
  case 22:
    return part(block.outcomes.record);
  case 23:
    return part(block.search.head);
  case 24:
    return part(block.unexplored);
  case 25:
    return part(block.audit);
  case 26:
    return part(block.imunit);
  default:
    return part(block.magic);
  }
}
inline constexpr unsigned k_parts = 28;

// A place that the parent reads, with a value that it must not believe.
REEX_UNSEEN inline void aim(ControlBlock& block, Dice& dice, std::int32_t stranger) {
  const std::uint64_t number = dice.number();
  const auto small = static_cast<std::uint32_t>(number);
  constexpr std::int32_t k_pids[] = {1, -1, 0, 2};
  const auto fill = [](char* text, std::size_t size) REEX_UNSEEN {
    for (std::size_t i = 0; i < size; ++i) reinterpret_cast<volatile char*>(text)[i] = 'A';
  };
  switch (dice.below(36)) {
  case 0:
    block.status.worker_pid.store(stranger);
    break;
  case 1:
    block.status.worker_pid.store(k_pids[dice.below(4)]);
    break;
  case 2:
    fill(block.status.reason, sizeof block.status.reason);
    break;
  case 3:
    fill(block.status.refusal, sizeof block.status.refusal);
    block.status.refused.store(1);
    break;
  case 4:
    block.status.finish = static_cast<Finish>(number);
    break;
  case 5:
    block.status.isolation = static_cast<IsolationMode>(number);
    break;
  case 6:
    *reinterpret_cast<volatile std::uint8_t*>(&block.status.ready) = static_cast<std::uint8_t>(number);
    break;
  case 7:
    block.status.stuck_depth = small;
    block.status.step_limited.store(1);
    break;
  case 8:
    block.status.schedules.store(number);
    break;
  case 9:
    block.status.doorbell.store(small);
    break;
  case 10:
    block.status.modules_known.store(small);
    break;
  case 11:
    fill(block.ending.message, sizeof block.ending.message);
    break;
  case 12:
    block.failure.state.store(1);
    block.failure.output_length = number;
    block.failure.failed = true;
    break;
  case 13:
    block.failure.output_offset = number;
    block.failure.error_length = dice.number();
    break;
  case 14:
    block.failure.index = small;
    block.failure.serial = static_cast<std::uint32_t>(dice.next());
    break;
  case 15:
    block.failure.state.store(small);
    break;
  case 16:
    block.findings.count = small;
    break;
  case 17:
    block.findings.handed = small;
    break;
  case 18:
    block.promoted.count = small;
    break;
  case 19:
    block.saved.count = small;
    break;
  case 20:
    block.guide.taken_count = small;
    break;
  case 21:
    block.trace.steps = small;
    break;
  case 22:
    block.trace.pcs_used = small;
    block.trace.threads = static_cast<std::uint32_t>(dice.number());
    break;
  case 23:
    block.outcomes.count = small;
    break;
  case 24:
    block.outcomes.text_used = number;
    block.outcomes.record[0].text_length = number;
    break;
  case 25:
    block.outcomes.record[0].decisions_count = small;
    break;
  case 26:
    block.pcs.request.store(number);
    break;
  case 27:
    block.own.waiting.store(1);
    break;
  case 28:
    block.search.lock.owner.store(small);
    break;
  case 29:
    block.search.nodes_used.store(small);
    break;
  case 30:
    block.search.head[0][dice.below(3)] = small;
    block.search.top_level[0] = 2;
    break;
  case 31: // a list of schedules that has no end
    block.frontier.node[1].next = 1;
    block.search.head[0][0] = block.search.head[0][1] = 1;
    break;
  case 32:
    block.frontier.undo_log.count = static_cast<std::uint32_t>(1 + dice.below(3));
    for (unsigned i = 0; i < 3; ++i)
      block.frontier.undo_log.entry[i] = {static_cast<std::int64_t>(dice.next() >> dice.below(60)),
                                          dice.next()};
    break;
  case 33:
    block.frontier.undo_log.count = small;
    break;
  case 34:
    block.check.step = small;
    block.check.steps = static_cast<std::uint32_t>(dice.number());
    break;
  default:
    block.config.keep_going ^= small;
    break;
  }
}

REEX_UNSEEN inline void scribble(ControlBlock& block, Dice& dice, std::int32_t stranger) {
  auto* const bytes = reinterpret_cast<volatile unsigned char*>(&block);
  for (std::uint64_t more = 1 + dice.below(3); more-- > 0;) {
    const Part part = part_of(block, static_cast<unsigned>(dice.below(k_parts)));
    switch (dice.below(6)) {
    case 0: // the record as a whole
      for (std::size_t i = 0; i < part.size; ++i)
        bytes[part.offset + i] = static_cast<unsigned char>(dice.next());
      break;
    case 1: { // a word
      const std::size_t at = part.offset + dice.below(part.size < 512 ? part.size : 512) / 8 * 8;
      const std::uint64_t word = dice.number();
      for (unsigned i = 0; i < 8; ++i) bytes[at + i] = static_cast<unsigned char>(word >> (8 * i));
      break;
    }
    case 2: // all ones
      for (std::size_t i = 0; i < part.size; ++i) bytes[part.offset + i] = 0xff;
      break;
    default:
      aim(block, dice, stranger);
    }
  }
}

} // namespace reex::control_test
