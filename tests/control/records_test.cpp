// The readers of the records by themselves: over random damage each returns checked values or throws
// DamagedMemory. Built with the address and the undefined-behaviour sanitizer.
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "reex/records/audit.h"
#include "reex/records/config.h"
#include "reex/records/damaged_memory.h"
#include "reex/records/ending.h"
#include "reex/records/findings.h"
#include "reex/records/imunit.h"
#include "reex/records/match_table.h"
#include "reex/records/outcomes.h"
#include "reex/records/profile.h"
#include "reex/records/provenance.h"
#include "reex/records/recovery.h"
#include "reex/records/report.h"
#include "reex/records/schedules.h"
#include "reex/records/search.h"
#include "reex/records/self_check.h"
#include "reex/records/status.h"
#include "reex/records/trace.h"
#include "reex/records/unexplored.h"
#include "tests/control/scribble.h"

namespace reex::control_test {
namespace {

constexpr unsigned k_default_seeds = 3000;

class Block {
public:
  Block() : m_descriptor(memfd_create("reex-test", MFD_CLOEXEC)) {
    empty();
    // Aligned as its type asks for.
    void* const place = reinterpret_cast<void*>(std::uintptr_t{5} << 44); // NOLINT: an address
    void* const memory = mmap(place, sizeof(ControlBlock), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, m_descriptor, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory");
    m_block = static_cast<ControlBlock*>(memory);
  }
  ~Block() {
    munmap(m_block, sizeof(ControlBlock));
    close(m_descriptor);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void empty() {
    if (ftruncate(m_descriptor, 0) != 0 || ftruncate(m_descriptor, sizeof(ControlBlock)) != 0)
      throw std::runtime_error("no memory");
  }
  ControlBlock& operator*() { return *m_block; }
  int descriptor() const { return m_descriptor; }

private:
  int m_descriptor;
  ControlBlock* m_block = nullptr;
};

// A block as a short run leaves it.
void fill(ControlBlock& block) {
  block.magic = k_control_magic;
  block.search.nodes_used.store(65);
  block.search.started = true;
  block.own.workers = 1;
  block.status.ready = true;
  block.status.schedules.store(7);
  block.trace.length = block.trace.steps = 3;
  block.trace.threads = 2;
  block.trace.pcs_used = 6;
  for (unsigned i = 0; i < 3; ++i)
    block.trace.step[i] = {.object = 64,
                           .first_pc = 2 * i,
                           .thread = 1,
                           .from = 0,
                           .depth = 2,
                           .operation = Operation::mutex_lock,
                           .leave = Leave::preempted,
                           .enabled = 2,
                           .woken = 0};
  block.findings.count = 2;
  block.findings.record[0].side[0].pc = block.findings.record[1].side[0].pc = 4096;
  block.outcomes.count = 1;
  block.outcomes.text_used = 24;
  block.outcomes.record[0].count = 7;
  block.outcomes.record[0].text_length = 5;
  std::memcpy(block.outcomes.text, "12345", 5);
  block.frontier.undo_log.count = 1;
  const auto* place = reinterpret_cast<const char*>(&block.search.level);
  const auto* home = reinterpret_cast<const char*>(&block.frontier.undo_log);
  block.frontier.undo_log.entry[0] = {(place - home) * 32 + 3, 1};
}

// True: all was well.
template <typename Read>
bool well(const Read& read) {
  try {
    read();
    return true;
  } catch (const DamagedMemory&) {
    return false;
  }
}

unsigned read_all(Block& memory) {
  ControlBlock& block = *memory;
  unsigned damaged = 0;
  const auto attempt = [&](const auto& read) { damaged += well(read) ? 0 : 1; };
  attempt([&] { read_config(block.config); });
  attempt([&] { read_provenance(block.provenance); });
  attempt([&] { read_status(block.status); });
  attempt([&] { read_ending(block.ending); });
  attempt([&] { answer(block.pcs, 4096, {}); });
  attempt([&] { read_operation_counts(block.operations); });
  attempt([&] { read_failure_count(block.known, 3); });
  attempt([&] { read_report_state(block.failure); });
  attempt([&] { read_report(block.failure, block.outcomes, &block, memory.descriptor()); });
  attempt([&] { read_new_findings(block.findings); });
  attempt([&] { read_unexplored(block.unexplored); });
  attempt([&] { read_imunit(block.imunit); });
  attempt([&] { read_imunit_text(block.imunit); });
  attempt([&] { read_promoted(block.promoted); });
  attempt([&] { add_promoted(block.promoted, 4096); });
  attempt([&] { read_decisions(block.saved); });
  attempt([&] { read_turns(block.guide); });
  attempt([&] { read_search_progress(block.search); });
  attempt([&] { read_estimate(block.search); });
  attempt([&] { read_limit(block.search); });
  attempt([&] { read_claims(false, {.bound = 2}, block.search, block.frontier); });
  attempt([&] { read_execution(block.own); });
  attempt([&] { read_profile(block.own.sampling); });
  attempt([&] { read_self_check(block.check); });
  attempt([&] { read_length(block.check); });
  attempt([&] { read_prints_other(block.check); });
  attempt([&] { read_audit(block.audit); });
  attempt([&] { read_trace(block.trace); });
  attempt([&] {
    OutcomeReader outcomes(block.outcomes, &block, memory.descriptor());
    for (OutcomeCopy copy; outcomes.next(copy);) {
    }
  });
  attempt([&] { recover_search(block, block, 0); });
  attempt([&] { abandon_search(block, 0); });
  return damaged;
}

unsigned seeds() {
  const char* wanted = std::getenv("REEX_READER_SEEDS");
  return wanted == nullptr ? k_default_seeds : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

TEST(Records, OfASoundBlockAreRead) {
  Block memory;
  fill(*memory);
  EXPECT_EQ(read_all(memory), 0u);
  EXPECT_EQ((*memory).search.level, 1u); // undone
  EXPECT_EQ((*memory).frontier.undo_log.count, 0u);
}

TEST(Records, OfADamagedBlockAreRefused) {
  Block memory;
  unsigned refused = 0;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    memory.empty();
    fill(*memory);
    Dice dice(seed);
    scribble(*memory, dice, 1);
    const std::uint64_t magic = (*memory).magic;
    const std::uint64_t steps = (*memory).config.max_steps;
    refused += read_all(memory) != 0 ? 1 : 0;
    ASSERT_EQ((*memory).magic, magic) << seed; // what is undone lies elsewhere
    ASSERT_EQ((*memory).config.max_steps, steps) << seed;
  }
  EXPECT_GT(refused, seeds() / 3);
}

TEST(Records, NoUndoWritesOutsideOfTheBlock) {
  Block memory;
  Dice dice(1);
  unsigned refused = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    fill(*memory);
    UndoEntry& entry = (*memory).frontier.undo_log.entry[0];
    entry = {static_cast<std::int64_t>(dice.next() >> dice.below(40)) * (dice.below(2) == 0 ? 1 : -1), 1};
    const std::int64_t distance = UndoLog::distance_of(entry);
    const bool inside = distance < 0 && -distance < static_cast<std::int64_t>(sizeof(ControlBlock));
    const bool done = well([&] { recover_search(*memory, *memory, 0); });
    ASSERT_TRUE(inside || !done) << distance;
    refused += done ? 0 : 1;
  }
  EXPECT_GT(refused, 0u);
}

} // namespace
} // namespace reex::control_test
