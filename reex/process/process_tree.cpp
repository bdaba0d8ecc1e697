#include "reex/process/process_tree.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace reex {
namespace {

namespace fs = std::filesystem;

struct ProcessStat {
  char state = 'X';
  pid_t parent = 0;
  pid_t group = 0;
  unsigned long long ticks = 0; // of the processor
  unsigned long long start = 0;

  bool is_alive() const { return state != 'Z' && state != 'X'; }
};

// The name comes first, in parentheses, and may hold anything.
std::optional<ProcessStat> stat_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  ProcessStat stat;
  std::string line;
  // All of it. Reading fails, without an exception, where the process has ended.
  std::getline(file, line, '\0');
  const std::size_t end = line.rfind(") ");
  if (end == std::string::npos) return {};
  std::istringstream fields(line.substr(end + 2));
  fields >> stat.state >> stat.parent >> stat.group;
  std::string skipped;
  for (int i = 6; i < 14; ++i) fields >> skipped;
  unsigned long long of_kernel = 0;
  fields >> stat.ticks >> of_kernel;
  stat.ticks += of_kernel;
  for (int i = 16; i < 22; ++i) fields >> skipped;
  fields >> stat.start;
  return fields ? std::optional(stat) : std::nullopt;
}

std::vector<pid_t> numbers_in(const fs::path& folder) {
  std::vector<pid_t> numbers;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
    const std::string name = at->path().filename().string();
    pid_t number = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && rest == name.data() + name.size()) numbers.push_back(number);
  }
  return numbers;
}

// As far as the kernel lists them. `listed`: whether it does.
std::vector<pid_t> listed_children(pid_t parent, bool* listed = nullptr) {
  const fs::path tasks = fs::path("/proc") / std::to_string(parent) / "task";
  std::vector<pid_t> children;
  for (const pid_t task : numbers_in(tasks)) {
    std::ifstream file(tasks / std::to_string(task) / "children");
    if (listed != nullptr) *listed = *listed || file.is_open();
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

std::vector<pid_t> children_of(pid_t parent) {
  bool listed = false;
  std::vector<pid_t> children = listed_children(parent, &listed);
  return listed ? children : numbers_in("/proc"); // whose parent is asked for below
}

} // namespace

std::optional<pid_t> youngest_child(pid_t parent) {
  std::optional<pid_t> youngest;
  unsigned long long start = 0;
  for (const pid_t child : children_of(parent)) {
    const std::optional<ProcessStat> stat = stat_of(child);
    if (!stat || stat->parent != parent || !stat->is_alive()) continue;
    if (youngest && stat->start < start) continue; // equal: the later in the list is the younger one
    youngest = child;
    start = stat->start;
  }
  return youngest;
}

bool signal_child(pid_t process, pid_t parent, int signal) {
  const int held = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (held < 0) return false;
  const std::optional<ProcessStat> stat = stat_of(process);
  const bool sent =
      stat && stat->parent == parent && ::syscall(SYS_pidfd_send_signal, held, signal, nullptr, 0) == 0;
  close(held);
  return sent;
}

namespace {

// Adds what the process and its descendants do.
void add_activity(pid_t process, unsigned generations, Activity& all) {
  const std::optional<ProcessStat> stat = stat_of(process);
  if (!stat || !stat->is_alive()) return;
  all.processor += std::chrono::nanoseconds(std::chrono::seconds(1)) * stat->ticks / sysconf(_SC_CLK_TCK);
  all.waits = all.waits && stat->state == 'S';
  if (generations == 0) return;
  for (const pid_t child : listed_children(process)) add_activity(child, generations - 1, all);
}

} // namespace

Activity activity_of(pid_t process) {
  constexpr unsigned k_generations = 8;
  Activity all{.process = process, .processor = {}, .waits = true};
  add_activity(process, k_generations, all);
  return all;
}

std::optional<long> system_call_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/syscall");
  long number = -1;
  if (!(file >> number) || number < 0) return {}; // "running" is no number
  return number;
}

double machine_load() {
  std::ifstream file("/proc/loadavg");
  double mean = 0;
  double running = 0;
  file >> mean >> mean >> mean >> running;
  const double others = running - 1; // without the process that asks
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return file && processors > 0 ? others / static_cast<double>(processors) : 1;
}

std::vector<pid_t> children_now(pid_t parent) {
  std::vector<pid_t> children = children_of(parent);
  std::erase_if(children, [parent](pid_t child) {
    const std::optional<ProcessStat> stat = stat_of(child);
    return !stat || stat->parent != parent;
  });
  return children;
}

bool is_alive(pid_t process) {
  const std::optional<ProcessStat> stat = stat_of(process);
  return stat && stat->is_alive();
}

bool is_group_alive(pid_t group) {
  const std::vector<pid_t> all = numbers_in("/proc");
  return std::any_of(all.begin(), all.end(), [&](pid_t process) {
    const std::optional<ProcessStat> stat = stat_of(process);
    return stat && stat->group == group && stat->is_alive();
  });
}

} // namespace reex
