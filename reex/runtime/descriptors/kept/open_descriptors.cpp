#include "reex/runtime/descriptors/kept/open_descriptors.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

constexpr std::size_t k_room = 32 << 10;
char g_text[k_room];

// Reads /proc/self/fdinfo of the descriptor.
const char* read_information(int number) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fdinfo/%d", number);
  g_text[0] = 0;
  const long file = raw_syscall(SYS_open, as_long(name), O_RDONLY | O_CLOEXEC);
  if (file < 0) return g_text;
  std::size_t used = 0;
  for (long got = 1; got > 0 && used < k_room - 1; used += static_cast<std::size_t>(got > 0 ? got : 0))
    got = raw_syscall(SYS_read, file, as_long(g_text + used), static_cast<long>(k_room - 1 - used));
  raw_syscall(SYS_close, file);
  g_text[used] = 0;
  return g_text;
}

// Whether it is the same file as one of the standard streams for output.
bool is_output(const struct stat& about) {
  for (int number = STDOUT_FILENO; number <= STDERR_FILENO; ++number) {
    struct stat output = {};
    if (raw_syscall(SYS_fstat, number, as_long(&output)) == 0 && output.st_ino == about.st_ino &&
        output.st_dev == about.st_dev)
      return true;
  }
  return false;
}

Contents::Message* make_message(const char* data, std::size_t size) {
  const long memory = raw_syscall(SYS_mmap, 0, static_cast<long>(sizeof(Contents::Message) + size),
                                  PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory < 0 && memory > -4096) return nullptr;
  auto* message = reinterpret_cast<Contents::Message*>(memory);
  message->next = nullptr;
  message->size = size;
  memcpy(message->data(), data, size);
  return message;
}

} // namespace

void each_open_descriptor(void (*visit)(int number)) {
  const long folder = raw_syscall(SYS_open, as_long("/proc/self/fd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(dirent64) static char entries[k_room];
  for (long size; (size = raw_syscall(SYS_getdents64, folder, as_long(entries), sizeof entries)) > 0;)
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const int number = atoi(entry->d_name);
      if (entry->d_name[0] != '.' && number != folder) visit(number);
    }
  raw_syscall(SYS_close, folder);
}

std::uint64_t descriptors_sum() {
  static std::uint64_t sum = 0;
  sum = 0;
  each_open_descriptor([](int number) {
    struct stat about = {};
    raw_syscall(SYS_fstat, number, as_long(&about));
    if (is_output(about)) return; // nobody reads it
    const auto add = [](std::uint64_t word) { sum = (sum ^ word) * 0x9e3779b97f4a7c15 + (sum >> 29); };
    add(static_cast<std::uint64_t>(number));
    add(static_cast<std::uint64_t>(about.st_size));
    for (const char* at = read_information(number); *at != 0; ++at) add(static_cast<unsigned char>(*at));
  });
  return sum;
}

std::uint64_t told_of(int number, const char* key, int base, std::uint64_t otherwise) {
  const char* found = strstr(read_information(number), key);
  return found == nullptr ? otherwise : strtoull(found + strlen(key), nullptr, base);
}

void each_watch(int epoll, void (*visit)(const Watch& watch)) {
  Watch watch{.epoll = epoll, .target = -1, .events = 0, .data = 0};
  unsigned long long data = 0;
  const char* line = read_information(epoll);
  while ((line = strstr(line, "tfd:")) != nullptr) {
    if (sscanf(line, "tfd: %d events: %x data: %llx", &watch.target, &watch.events, &data) == 3) {
      watch.data = data;
      visit(watch);
    }
    ++line;
  }
}

void each_file_watch(int inotify, void (*visit)(int inotify, std::uint64_t watch)) {
  constexpr char k_key[] = "inotify wd:";
  for (const char* line = read_information(inotify); (line = strstr(line, k_key)) != nullptr;) {
    line += sizeof k_key - 1;
    visit(inotify, strtoull(line, nullptr, 16));
  }
}

void each_record_lock(int number, void (*visit)(int number, const struct flock& lock)) {
  const char* line = read_information(number);
  while ((line = strstr(line, "lock:")) != nullptr) {
    char type[8], end[24];
    long long start = 0;
    if (sscanf(line, "lock: %*s POSIX %*s %7s %*s %*s %lld %23s", type, &start, end) == 3) {
      struct flock lock {};
      lock.l_type = strcmp(type, "READ") == 0 ? F_RDLCK : F_WRLCK;
      lock.l_whence = SEEK_SET;
      lock.l_start = start;
      lock.l_len = strcmp(end, "EOF") == 0 ? 0 : strtoll(end, nullptr, 10) - start + 1;
      visit(number, lock);
    }
    ++line;
  }
}

bool is_anonymous(int number, const char* name) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  char target[64] = {};
  raw_syscall(SYS_readlink, as_long(link), as_long(target), sizeof target - 1);
  constexpr char k_prefix[] = "anon_inode:";
  return strncmp(target, k_prefix, sizeof k_prefix - 1) == 0 &&
         strcmp(target + sizeof k_prefix - 1, name) == 0;
}

Contents take_contents(int number, bool socket) {
  static char buffer[256 << 10];
  Contents contents;
  Contents::Message** last = &contents.first;
  while (is_ready(number, POLLIN)) {
    const long got = socket ? raw_syscall(SYS_recvfrom, number, as_long(buffer), sizeof buffer, MSG_DONTWAIT)
                            : raw_syscall(SYS_read, number, as_long(buffer), sizeof buffer);
    contents.ended = got == 0;
    if (got <= 0) break;
    *last = make_message(buffer, static_cast<std::size_t>(got));
    if (*last == nullptr) break;
    last = &(*last)->next;
  }
  return contents;
}

void put_contents(int number, const Contents& contents, bool socket) {
  for (const Contents::Message* message = contents.first; message != nullptr; message = message->next) {
    const long data = as_long(message->data());
    const long size = static_cast<long>(message->size);
    if (socket)
      reex_kept_call(SYS_sendto, number, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    else
      reex_kept_call(SYS_write, number, data, size);
  }
}

} // namespace reex
