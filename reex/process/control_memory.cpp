#include "reex/process/control_memory.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/futex.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "reex/process/machine.h"
#include "reex/process/packed_file.h"

namespace reex {
namespace {

constexpr std::chrono::seconds k_last_processes{5}; // of a killed run, to end

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::string new_file(const std::string& path) { return path + ".new"; }

// Whether another process has the file mapped.
bool is_mapped(const std::string& path) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(getpid()))
      continue;
    std::ifstream maps(entry.path() / "maps");
    for (std::string line; std::getline(maps, line);)
      if (line.ends_with(path)) return true;
  }
  return false;
}

// What a damaged file says about its table may be anything.
bool is_sound(const SeenState& seen) {
  const unsigned log = seen.where >> 1;
  return log >= k_least_seen_log && log <= k_most_seen_log;
}

SeenEntry* table_of(const SeenState& seen, SeenStore& store) { return store.table[seen.where & 1]; }

std::uint64_t place_in_file(const SeenState& seen) {
  return offsetof(ControlBlock, frontier.seen) + (seen.where & 1) * sizeof(SeenStore::table[0]);
}

} // namespace

ControlMemory::ControlMemory() : ControlMemory(memfd_create("reex", 0), "") {
  if (m_descriptor < 0) fail("cannot create shared memory");
  initialize();
}

ControlMemory::ControlMemory(int descriptor, std::string path)
    : m_descriptor(descriptor), m_path(std::move(path)) {}

ControlMemory::ControlMemory(ControlMemory&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_table(std::exchange(other.m_table, -1)),
      m_replaced(std::exchange(other.m_replaced, -1)), m_is_new(std::exchange(other.m_is_new, false)),
      m_path(std::move(other.m_path)), m_control(std::exchange(other.m_control, nullptr)) {}

// The lock belongs to the file, so two runs of the same test do not use it at once. The new file is locked
// before it takes the place of the old one.
ControlMemory ControlMemory::at(const std::string& path) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  ControlMemory memory(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644), path);
  memory.m_is_new = memory.m_descriptor >= 0;
  const int present = memory.m_is_new ? memory.m_descriptor
                                      : open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (present < 0) fail("cannot write " + path);
  if (flock(present, LOCK_EX | LOCK_NB) != 0) {
    memory.m_is_new = false; // it is the other run's
    if (present != memory.m_descriptor) close(present);
    return {};
  }
  if (!memory.m_is_new) {
    memory.m_replaced = present;
    const std::string made = new_file(path);
    unlink(made.c_str());
    memory.m_descriptor = open(made.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (memory.m_descriptor < 0 || flock(memory.m_descriptor, LOCK_EX | LOCK_NB) != 0)
      fail("cannot write " + made);
  }
  if (is_full(path) || !make_sparse(memory.m_descriptor, sizeof(ControlBlock))) return {};
  memory.initialize();
  return memory;
}

void ControlMemory::publish() {
  if (std::exchange(m_is_new, false)) m_control->magic = k_control_magic;
  if (m_replaced < 0) return;
  if (rename(new_file(m_path).c_str(), m_path.c_str()) != 0) fail("cannot write " + m_path);
  close(std::exchange(m_replaced, -1));
}

ControlMemory ControlMemory::left_at(const std::string& path) {
  ControlMemory memory(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC), path);
  if (memory.m_descriptor < 0) throw ResumeError("nothing was left to go on from");
  const auto start = std::chrono::steady_clock::now();
  while (flock(memory.m_descriptor, LOCK_EX | LOCK_NB) != 0 || is_mapped(path)) {
    if (std::chrono::steady_clock::now() - start > k_last_processes)
      throw ResumeError("the run to go on from is still under way");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (is_packed(memory.m_descriptor, sizeof(ControlBlock))) memory.unpack();
  struct stat file = {};
  if (fstat(memory.m_descriptor, &file) != 0 ||
      static_cast<std::size_t>(file.st_size) != sizeof(ControlBlock))
    throw ResumeError("what the interrupted run left is of another version of reex");
  memory.map();
  if (memory->magic != k_control_magic || memory->size != sizeof(ControlBlock))
    throw ResumeError("what the interrupted run left is of another version of reex");
  memory.load_table();
  return memory;
}

// As in at(), the new file is locked before it takes the place of the old one.
void ControlMemory::unpack() {
  const std::string made = new_file(m_path);
  unlink(made.c_str());
  const int sparse = open(made.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (sparse < 0 || flock(sparse, LOCK_EX | LOCK_NB) != 0 ||
      !unpack_file(m_descriptor, sparse, sizeof(ControlBlock)) || rename(made.c_str(), m_path.c_str()) != 0) {
    if (sparse >= 0) close(sparse);
    unlink(made.c_str());
    throw ResumeError(is_full(m_path) ? no_room_text(m_path) : "what the run left cannot be read");
  }
  close(std::exchange(m_descriptor, sparse));
}

void ControlMemory::map() {
  m_control = static_cast<ControlBlock*>(map_shared(m_descriptor, sizeof(ControlBlock)));
  map_table();
}

// Without it, or if the machine has none left, the table is in the file.
void ControlMemory::map_table() {
  if (m_path.empty()) return;
  SeenStore& table = m_control->frontier.seen;
  m_table = memfd_create("reex: seen", MFD_CLOEXEC);
  if (m_table < 0) return;
  if (make_sparse(m_table, sizeof table) &&
      mmap(&table, sizeof table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, m_table,
           0) == &table)
    return;
  close(std::exchange(m_table, -1));
}

// Of a run that has ended. Without the table, an audit cannot tell whether an end is known.
void ControlMemory::load_table() {
  SeenState& seen = m_control->search.seen;
  if (seen.where == 0) return;
  const bool is_stored = std::exchange(seen.stored, false) && is_sound(seen);
  if (is_stored && m_table < 0) return; // it stays where it is
  if (!is_stored || !transfer_all(false, m_descriptor, table_of(seen, m_control->frontier.seen),
                                  size_of_table(seen), place_in_file(seen))) {
    seen = {};
    m_control->search.audit.blind = true;
    return;
  }
  fallocate(m_descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(place_in_file(seen)),
            static_cast<off_t>(size_of_table(seen)));
}

// If it finds no room on the disk, the run that goes on has to do without it.
void ControlMemory::store_table() {
  SeenState& seen = m_control->search.seen;
  if (m_table < 0 || seen.where == 0 || !is_sound(seen)) return;
  seen.stored = transfer_all(true, m_descriptor, table_of(seen, m_control->frontier.seen),
                             size_of_table(seen), place_in_file(seen));
}

void ControlMemory::initialize() {
  if (!make_sparse(m_descriptor, sizeof(ControlBlock)))
    throw MachineError(
        errno == EFBIG
            ? "the size of files is limited, and reex needs a sparse one of 30 GB: ulimit -f unlimited"
            : with_remedy({errno, std::generic_category(), "cannot size shared memory"}));
  map();
  // The file reads as zero. That is the initial state of everything but these.
  if (!m_is_new) m_control->magic = k_control_magic;
  m_control->size = sizeof(ControlBlock);
  m_control->search.nodes_used = 1;
  m_control->own.workers = 1;
  m_control->config.search.shards = 1;
  m_control->status.irreversible_call = -1;
}

ControlMemory::~ControlMemory() {
  if (m_control != nullptr) {
    const bool is_state = !m_is_new && m_replaced < 0;
    if (is_state && m_control->status.finish != Finish::complete) store_table();
    unmap_shared(m_control, sizeof(ControlBlock));
  }
  [[maybe_unused]] const bool emptied = m_is_new && ftruncate(m_descriptor, 0) == 0;
  if (m_replaced >= 0) unlink(new_file(m_path).c_str());
  for (const int descriptor : {m_descriptor, m_table, m_replaced})
    if (descriptor >= 0) close(descriptor);
}

void give_way() { sched_yield(); }

bool advise(void* memory, std::size_t size, int advice) { return madvise(memory, size, advice) == 0; }

std::size_t available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word;)
    if (std::size_t kilobytes = 0; word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
  return 0;
}

void ControlMemory::wait(std::uint32_t seen, int milliseconds) const {
  const timespec limit{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  ::syscall(SYS_futex, &m_control->status.doorbell, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

} // namespace reex
