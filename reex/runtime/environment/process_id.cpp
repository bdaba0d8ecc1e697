#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"

namespace reex {

namespace {

pid_t g_process = 0; // the zygote, which is the process that the test started in
pid_t g_parent = 0;
pid_t g_forker = 0;   // in a process that the test forked: the worker that forked it
unsigned g_first = 0; // number of the process's first thread: main, or the one that has forked it

pid_t kernel_process() { return static_cast<pid_t>(raw_syscall(SYS_getpid)); }

} // namespace

void remember_process() {
  g_process = kernel_process();
  g_parent = static_cast<pid_t>(raw_syscall(SYS_getppid));
}

void remember_forker(pid_t worker, unsigned thread) {
  g_forker = worker;
  g_first = thread;
}

pid_t process_id() { return g.controlled ? g_process : kernel_process(); }

pid_t thread_id(const Fiber& fiber) { return process_id() + static_cast<pid_t>(fiber.id - g_first); }

int thread_with_id(pid_t id) {
  const int number = id - process_id() + static_cast<int>(g_first);
  return number >= 0 && number < static_cast<int>(g.created) ? number : -1;
}

} // namespace reex

using namespace reex;

REEX_EXPORT pid_t getpid() noexcept { return process_id(); }
REEX_EXPORT pid_t __getpid() noexcept { return process_id(); }
REEX_EXPORT pid_t getppid() noexcept {
  if (g.controlled) return g_parent;
  const auto parent = static_cast<pid_t>(raw_syscall(SYS_getppid));
  return g.forked_off && parent == g_forker ? g_process : parent;
}
REEX_EXPORT pid_t gettid() noexcept { return g.current == nullptr ? process_id() : thread_id(*g.current); }

// The kernel knows the peer by the number of the worker that has made the connection.
REEX_EXPORT int getsockopt(int descriptor, int level, int option, void* __restrict value,
                           socklen_t* __restrict size) noexcept {
  will_write_buffer(value, REEX_CALLER);
  reads_object(size, REEX_CALLER);
  const long result = raw_syscall(SYS_getsockopt, descriptor, level, option, as_long(value), as_long(size));
  if (result < 0) {
    errno = static_cast<int>(-result);
    return -1;
  }
  writes_buffer(value, static_cast<long>(*size), REEX_CALLER);
  writes_object(size, REEX_CALLER);
  pid_t peer = 0; // the first member of ucred
  if (level == SOL_SOCKET && option == SO_PEERCRED && g.controlled && *size >= sizeof peer) {
    memcpy(&peer, value, sizeof peer);
    if (peer == kernel_process()) memcpy(value, &g_process, sizeof g_process);
  }
  return 0;
}
