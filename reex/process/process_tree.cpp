#include "reex/process/process_tree.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
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
  unsigned long long start = 0;

  bool is_alive() const { return state != 'Z' && state != 'X'; }
};

// The name comes first, in parentheses, and may hold anything.
std::optional<ProcessStat> stat_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  ProcessStat stat;
  const std::string line((std::istreambuf_iterator<char>(file)), {});
  const std::size_t end = line.rfind(") ");
  if (end == std::string::npos) return {};
  std::istringstream fields(line.substr(end + 2));
  fields >> stat.state >> stat.parent >> stat.group;
  std::string skipped;
  for (int i = 6; i < 22; ++i) fields >> skipped;
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

std::vector<pid_t> children_of(pid_t parent) {
  const fs::path tasks = fs::path("/proc") / std::to_string(parent) / "task";
  std::vector<pid_t> children;
  bool listed = false;
  for (const pid_t task : numbers_in(tasks)) {
    std::ifstream file(tasks / std::to_string(task) / "children");
    listed = listed || file.is_open();
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
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
