// g_watched is set once, when the library is loaded.
#include "reex/runtime/environment/file_watch.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/shared/file_calls.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

namespace reex {
namespace {

bool g_watched = false;

constexpr unsigned k_room = 2 * std::size(k_file_calls) + 16;
sock_filter g_program[k_room];
unsigned short g_length = 0;

void emit(sock_filter instruction) {
  if (g_length < k_room) g_program[g_length++] = instruction;
}

void load(std::size_t offset) { emit(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset))); }
void answer(unsigned action) { emit(BPF_STMT(BPF_RET | BPF_K, action)); }

// Asks when the flags, in this argument, are those of a call that may change something.
void ask_by_flags(int call, unsigned argument) {
  emit(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 4));
  load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
  emit(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1));
  answer(SECCOMP_RET_USER_NOTIF);
  answer(SECCOMP_RET_ALLOW);
}

void write_program() {
  g_length = 0;
  load(offsetof(seccomp_data, arch));
  emit(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
  answer(SECCOMP_RET_ALLOW);
  load(offsetof(seccomp_data, nr));
  ask_by_flags(k_open_call, 1);
  ask_by_flags(k_openat_call, 2);
  for (const int call : k_file_calls) {
    emit(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
    answer(SECCOMP_RET_USER_NOTIF);
  }
  answer(SECCOMP_RET_ALLOW);
}

// The descriptor by which calls are told; negative: there is none.
long install() {
  write_program();
  const sock_fprog program{g_length, g_program};
  const auto set = [&](unsigned long flags) {
    return raw_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                       static_cast<long>(SECCOMP_FILTER_FLAG_NEW_LISTENER | flags), as_long(&program));
  };
  const auto set_any = [&] {
    const long listener = set(SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV); // from Linux 5.19 on
    return listener < 0 ? set(0) : listener;
  };
  if (const long listener = set_any(); listener >= 0) return listener; // as root
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? set_any() : -1;
}

bool send(int socket, int descriptor) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return raw_syscall(SYS_sendmsg, socket, as_long(&message), MSG_NOSIGNAL) == 1;
}

void ask(FileRequest request) {
  if (g_watched) reex_kept_call(SYS_unlinkat, k_file_request, 0, static_cast<long>(request));
}

} // namespace

void watch_files(int socket, bool has_others) {
  if (const long listener = install(); listener >= 0) {
    g_watched = send(socket, static_cast<int>(listener));
    raw_syscall(SYS_close, listener);
  }
  raw_syscall(SYS_close, socket);
  if (has_others) ask(FileRequest::start);
}

bool files_are_watched() { return g_watched; }
void begin_with_these_files() { ask(FileRequest::begin); }
void put_files_back() { ask(FileRequest::put_back); }
void put_files_back_and_wait() { ask(FileRequest::wait); }

} // namespace reex
