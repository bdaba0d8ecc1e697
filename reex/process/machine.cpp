#include "reex/process/machine.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "reex/process/descriptor.h"
#include "reex/search/table_memory.h"
#include "reex/shared/address_space.h"

namespace reex {
namespace {

constexpr std::size_t k_gigabyte = std::size_t{1} << 30;

// The limit of the shell on addresses, if there is one.
std::optional<std::size_t> address_limit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return limit.rlim_cur;
}

[[noreturn]] void refuse_address_limit(std::size_t limit) {
  constexpr std::size_t k_megabyte = std::size_t{1} << 20;
  const std::string allowed = limit < k_gigabyte ? std::to_string(limit / k_megabyte) + " MB"
                                                 : std::to_string(limit / k_gigabyte) + " GB";
  throw MachineError("the address space is limited to " + allowed +
                     ", and reex needs about 100 GB of addresses (and little memory): ulimit -v unlimited");
}

bool grants(std::size_t size, int sharing) {
  void* const space =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return false;
  munmap(space, size);
  return true;
}

// At the start of a large page, for the table in the block.
void* map_at_large_page(int file, std::size_t size) {
  void* const room =
      mmap(nullptr, size + k_large_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return MAP_FAILED;
  char* const begin = static_cast<char*>(room);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % k_large_page;
  void* const memory =
      mmap(begin + before, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file, 0);
  const int error = errno;
  if (memory == MAP_FAILED) {
    munmap(room, size + k_large_page);
  } else {
    if (before != 0) munmap(begin, before);
    munmap(begin + before + size, k_large_page - before);
  }
  errno = error;
  return memory;
}

// What is mapped, for the handler.
struct Range {
  std::atomic<char*> begin{nullptr};
  std::size_t size = 0;
};
constexpr unsigned k_ranges = 64;
Range g_ranges[k_ranges];
std::atomic<bool> g_no_room{false};

// A page that finds no room on the disk is replaced by memory, so that the run can end as it should.
extern "C" void on_bus_error(int number, siginfo_t* details, void*) {
  constexpr std::size_t k_page = 4096;
  auto* const address = static_cast<char*>(details->si_addr);
  for (const Range& range : g_ranges) {
    char* const begin = range.begin.load();
    if (begin == nullptr || address < begin || address >= begin + range.size) continue;
    char* const page = begin + static_cast<std::size_t>(address - begin) / k_page * k_page;
    g_no_room.store(true);
    if (mmap(page, k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page)
      return;
  }
  std::signal(number, SIG_DFL);
}

void watch(void* memory, std::size_t size) {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
  for (Range& range : g_ranges) {
    if (range.begin.load() != nullptr) continue;
    range.size = size;
    range.begin.store(static_cast<char*>(memory));
    return;
  }
}

} // namespace

std::string remedy_for(const std::error_code& error) {
  if (error.category() != std::generic_category() && error.category() != std::system_category()) return "";
  switch (error.value()) {
  case EMFILE:
    return "allow more open files, as ulimit -n 1024";
  case ENFILE:
    return "the machine has too many open files: end other programs";
  case EAGAIN:
    return "allow more processes with ulimit -u, or end some";
  case ENOMEM:
    return "leave reex more memory, and no limit: ulimit -v unlimited";
  case EFBIG:
    return "allow larger files: ulimit -f unlimited";
  case ENOSPC:
  case EDQUOT:
    return "make room on the disk, or choose another folder with -o DIR";
  default:
    return "";
  }
}

std::string with_remedy(const std::system_error& error) {
  const std::string remedy = remedy_for(error.code());
  return remedy.empty() ? error.what() : std::string(error.what()) + ": " + remedy;
}

void check_address_space() {
  if (const auto limit = address_limit(); limit && *limit < k_least_addresses) refuse_address_limit(*limit);
}

bool grants_heap() { return grants(k_arena_size, MAP_PRIVATE); }
bool grants_access_records() { return grants(k_record_addresses + k_least_addresses, MAP_SHARED); }

bool grants_control_file() {
  const Descriptor file(memfd_create("reex", MFD_CLOEXEC));
  return file && make_sparse(*file, sizeof(ControlBlock));
}

bool make_sparse(int file, std::size_t size) {
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit lifted = before;
  lifted.rlim_cur = lifted.rlim_max;
  setrlimit(RLIMIT_FSIZE, &lifted);
  const bool made = ftruncate(file, static_cast<off_t>(size)) == 0;
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &before);
  errno = error;
  return made;
}

void* map_shared(int file, std::size_t size) {
  void* memory = map_at_large_page(file, size);
  if (memory == MAP_FAILED) {
    const int error = errno;
    if (const auto limit = address_limit(); limit && error == ENOMEM) refuse_address_limit(*limit);
    throw MachineError(with_remedy({error, std::generic_category(), "cannot map shared memory"}));
  }
  // The block is a file full of holes: reading ahead would fill pages with zeros that nobody looks at.
  madvise(memory, size, MADV_RANDOM);
  watch(memory, size);
  return memory;
}

void unmap_shared(void* memory, std::size_t size) {
  for (Range& range : g_ranges)
    if (range.begin.load() == memory) range.begin.store(nullptr);
  munmap(memory, size);
}

bool is_full(const std::string& path) {
  constexpr std::size_t k_least = 1 << 20;
  struct statvfs system = {};
  return !path.empty() && statvfs(std::filesystem::path(path).parent_path().c_str(), &system) == 0 &&
         std::size_t{system.f_bavail} * system.f_frsize < k_least;
}

void forget_lack_of_room() { g_no_room.store(false); }

bool ran_out_of_room() { return g_no_room.load(); }

std::string no_room_text(const std::string& path) {
  return "no room is left on the disk of " + std::filesystem::path(path).parent_path().string() +
         ": make room, or choose another folder with -o DIR";
}

} // namespace reex
