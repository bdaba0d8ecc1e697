#include "cli/subject/machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "cli/subject/binary.h"
#include "reex/hooks/flags.h"
#include "reex/process/descriptor.h"
#include "reex/process/machine.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

Health needed(bool there) { return there ? Health::good : Health::missing; }

std::string gigabytes(unsigned long long bytes) {
  return fmt::format("{:.1f} GB", static_cast<double>(bytes) / (1ULL << 30));
}

// Nothing if there is no limit.
std::optional<rlim_t> limit_of(__rlimit_resource resource) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return limit.rlim_cur;
}

Check check_kernel() {
  utsname name = {};
  uname(&name);
  const std::string machine = name.machine;
  return {"kernel", needed(machine == "x86_64"),
          fmt::format("{} {}, {}", name.sysname, name.release, machine), "reex runs on x86-64 Linux only"};
}

Check check_file(const std::string& name, const fs::path& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  return {name, needed(found), found ? path.string() : path.string() + " is missing",
          "build or install reex again"};
}

Check check_addresses() {
  const auto limit = limit_of(RLIMIT_AS);
  const std::string found = limit ? "limited to " + gigabytes(*limit) : "not limited";
  try {
    check_address_space();
  } catch (const MachineError&) {
    return {"addresses", Health::missing, found + ": too few for a test under control",
            "ulimit -v unlimited: reex needs about 100 GB of addresses, and little memory"};
  }
  if (!grants_heap())
    return {"addresses", Health::missing, found + ", but the kernel grants no 64 GB for a heap",
            "sysctl vm.overcommit_memory=0, and no limit of a container on addresses"};
  if (!grants_access_records())
    return {"addresses", Health::missing,
            found + ": too few to look for data races and uses of freed memory, so that no test can pass",
            "ulimit -v unlimited, and sysctl vm.overcommit_memory=0"};
  return {"addresses", Health::good, found + ": enough for tests and to look for data races", ""};
}

// Whether there are enough addresses, check_addresses() has asked.
Check check_overcommit() {
  constexpr int k_strict = 2;
  std::ifstream file("/proc/sys/vm/overcommit_memory");
  int mode = 0;
  if (!(file >> mode)) return {"overcommit", Health::note, "not known", "mount /proc"};
  return {"overcommit", mode == k_strict ? Health::note : Health::good,
          fmt::format("vm.overcommit_memory is {}", mode) +
              (mode == k_strict ? ": addresses count as though they were memory" : ""),
          "sysctl vm.overcommit_memory=0"};
}

// What a run with one worker opens beside what is open now; a run with more opens about as many for each.
Check check_open_files() {
  constexpr unsigned k_for_one_worker = 5;
  constexpr unsigned k_ample = 64;
  const auto limit = limit_of(RLIMIT_NOFILE);
  if (!limit) return {"open files", Health::good, "not limited", ""};
  unsigned free = 0;
  for (rlim_t number = 0; number < *limit && free < k_ample; ++number)
    free += fcntl(static_cast<int>(number), F_GETFD) < 0 ? 1 : 0;
  const Health health = free < k_for_one_worker ? Health::missing
                        : free < k_ample        ? Health::note
                                                : Health::good;
  std::string found = fmt::format("up to {}", *limit);
  if (health == Health::missing) found += fmt::format(", of which only {} are free", free);
  if (health == Health::note) found += ": enough for one worker, and few for -j";
  return {"open files", health, found, "ulimit -n 1024"};
}

// Starts that many children at once, at most. They wait, and are gone when this returns.
unsigned children_possible(unsigned wanted) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return wanted; // not the fault of the limit on processes
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  std::vector<pid_t> children;
  while (children.size() < wanted) {
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      close(ends[1]);
      char byte = 0;
      while (read(ends[0], &byte, 1) > 0) {
      }
      _exit(0);
    }
    children.push_back(child);
  }
  write_end.reset();
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  return static_cast<unsigned>(children.size());
}

// A test under control is two processes, and a thread for each of the test's.
Check check_processes() {
  constexpr unsigned k_least = 4;
  constexpr unsigned k_ample = 16;
  const unsigned possible = children_possible(k_ample);
  return {"processes",
          possible < k_least   ? Health::missing
          : possible < k_ample ? Health::note
                               : Health::good,
          possible < k_ample ? fmt::format("no more than {} can be started", possible)
                             : "enough can be started",
          "ulimit -u 4096, or a higher limit on processes for the container"};
}

Check check_file_size() {
  const auto limit = limit_of(RLIMIT_FSIZE);
  const std::string found = limit ? "limited to " + gigabytes(*limit) : "not limited";
  if (!grants_control_file())
    return {"file size", Health::missing, found + ": too little for the state of a run, a sparse file",
            "ulimit -f unlimited"};
  return {"file size", limit ? Health::note : Health::good,
          limit ? found + ": a test or a report may meet it" : found, "ulimit -f unlimited"};
}

// The folder, or the next one above that is there.
fs::path existing(const fs::path& folder) {
  std::error_code error;
  fs::path there = fs::absolute(folder, error).lexically_normal();
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  return there;
}

Check check_disk(const std::string& folder) {
  constexpr unsigned long long k_ample = 1ULL << 30;
  const char* const remedy = "make room, or choose another folder with -o DIR";
  std::error_code error;
  const fs::path wanted = fs::absolute(folder, error).lexically_normal() / ".reex";
  const fs::path there = existing(wanted);
  if (fs::is_symlink(fs::symlink_status(wanted, error)))
    return {"disk", Health::missing, wanted.string() + " is a symbolic link, which reex does not follow",
            "remove the link, or choose another folder with -o DIR"};
  if (!fs::is_directory(there, error) || access(there.c_str(), W_OK | X_OK) != 0)
    return {"disk", Health::missing, there.string() + " cannot be written",
            "choose another folder with -o DIR"};
  struct statvfs system = {};
  if (statvfs(there.c_str(), &system) != 0)
    return {"disk", Health::note, there.string() + " does not say what room it has", remedy};
  const auto room = static_cast<unsigned long long>(system.f_bavail) * system.f_frsize;
  const Health health = is_full(wanted.string()) ? Health::missing
                        : room < k_ample         ? Health::note
                                                 : Health::good;
  return {"disk", health, fmt::format("{} are free for {}", gigabytes(room), wanted.string()), remedy};
}

// What earlier analyses of changes have left, so that the next one need not parse the same again.
Check check_cache(const std::string& folder) {
  constexpr unsigned k_limit_megabytes = 64; // as impact/facts_cache.h has it
  std::error_code error;
  const fs::path cache = fs::absolute(folder, error).lexically_normal() / ".reex" / "cache";
  std::uintmax_t bytes = 0;
  std::size_t files = 0;
  for (fs::recursive_directory_iterator one(cache, error), end; !error && one != end; one.increment(error)) {
    std::error_code gone; // another run may remove it at this moment
    if (!one->is_regular_file(gone)) continue;
    const std::uintmax_t size = one->file_size(gone);
    if (gone) continue;
    bytes += size;
    ++files;
  }
  if (files == 0) return {"analysis cache", Health::good, "nothing yet; it will be in " + cache.string(), ""};
  return {"analysis cache", Health::good,
          fmt::format("{} KB in {} in {}; above {} MB, what was not used for long is removed",
                      (bytes + 1023) >> 10, counted(files, "file"), cache.string(), k_limit_megabytes),
          ""};
}

} // namespace

Checks check_machine(const std::string& folder) {
  const Layout files = layout(own_executable());
  return {check_kernel(),
          check_file("runtime library", files.runtime),
          check_file("instrumentation library", files.hooks),
          check_addresses(),
          check_overcommit(),
          check_open_files(),
          check_processes(),
          check_file_size(),
          check_disk(folder),
          check_cache(folder)};
}

} // namespace reex
