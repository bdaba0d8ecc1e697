#include "reex/explorer/control_memory.h"

#include <cerrno>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace reex {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

} // namespace

ControlMemory::ControlMemory() : m_descriptor(memfd_create("reex", 0)) {
  if (m_descriptor < 0) fail("cannot create shared memory");
  if (ftruncate(m_descriptor, sizeof(ControlBlock)) != 0) fail("cannot size shared memory");
  void* memory = mmap(nullptr, sizeof(ControlBlock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      m_descriptor, 0);
  if (memory == MAP_FAILED) fail("cannot map shared memory");
  // The file reads as zero, which is the initial state of all but these.
  m_control = static_cast<ControlBlock*>(memory);
  m_control->magic = k_control_magic;
  m_control->size = sizeof(ControlBlock);
  m_control->search.nodes_used = 1;
  m_control->own.workers = 1;
  m_control->status.irreversible_call = -1;
}

ControlMemory::~ControlMemory() {
  if (m_control != nullptr) munmap(m_control, sizeof(ControlBlock));
  if (m_descriptor >= 0) close(m_descriptor);
}

void give_way() { sched_yield(); }

void ControlMemory::wait(std::uint32_t seen, int milliseconds) const {
  const timespec limit{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  ::syscall(SYS_futex, &m_control->status.doorbell, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

} // namespace reex
