// The end of the process. The runtime has its own list of exit handlers, so that it can run them in every
// execution and restore them: __cxa_atexit (static destructors and atexit), on_exit, __cxa_finalize, and the
// return from main. snapshot_handlers and restore_handlers deal with the list. exit_process sets g_exit_step
// before each use. g_main and g_loader_fini are set once.
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/stacks.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/primitives/stream_locks.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/worker/exit.h"

namespace reex {

namespace {

enum class HandlerKind : std::uint8_t { none, cxa, on_exit };

struct Handler {
  HandlerKind kind;
  void* function;
  void* argument;
  void* module;
};

constexpr unsigned k_handlers = 4096;

Handler g_handlers[k_handlers];
unsigned g_handler_count = 0;
Handler g_handlers_snapshot[k_handlers];
unsigned g_handlers_snapshot_count = 0;

std::uint32_t g_exit_step = 0; // g.step when the exit handlers began

int (*g_main)(int, char**, char**) = nullptr;
void (*g_loader_fini)() = nullptr;

// Handlers run in the order of their registration.
void note_use_of_list() {
  fingerprint_words(Operation::library_write, &g_handler_count, sizeof g_handler_count);
}

int add_handler(const Handler& handler) {
  if (g_handler_count == k_handlers) return -1;
  note_use_of_list();
  g_handlers[g_handler_count++] = handler;
  return 0;
}

void run(const Handler& handler, int status) {
  if (handler.kind == HandlerKind::cxa)
    reinterpret_cast<void (*)(void*, int)>(handler.function)(handler.argument, status);
  else if (handler.kind == HandlerKind::on_exit)
    reinterpret_cast<void (*)(int, void*)>(handler.function)(status, handler.argument);
}

// The handler that was registered last runs first. A handler may register more.
void run_handlers(void* module, int status) {
  for (unsigned i = g_handler_count; i-- > 0;) {
    if (g_handlers[i].kind == HandlerKind::none || (module != nullptr && g_handlers[i].module != module))
      continue;
    const Handler handler = g_handlers[i];
    g_handlers[i].kind = HandlerKind::none;
    const unsigned before = g_handler_count;
    run(handler, status);
    note_use_of_list(); // which others may have changed meanwhile
    if (g_handler_count > before) i = g_handler_count;
  }
}

int wrapped_main(int count, char** arguments, char** environment) {
  g_fibers[0].entry_frame = static_cast<char*>(__builtin_frame_address(0));
  g_fibers[0].entry = reinterpret_cast<std::uintptr_t>(&wrapped_main);
  exit(g_main(count, arguments, environment));
}

} // namespace

void snapshot_handlers() {
  memcpy(g_handlers_snapshot, g_handlers, g_handler_count * sizeof(Handler));
  g_handlers_snapshot_count = g_handler_count;
}

void restore_handlers() {
  memcpy(g_handlers, g_handlers_snapshot, g_handlers_snapshot_count * sizeof(Handler));
  g_handler_count = g_handlers_snapshot_count;
}

void exit_process(int status) {
  if (g.exiting >= 0 && g.exiting != g.current->id) { // another thread exits already: this one ends
    become_finished(*g.current);
    leave_finished(*g.current);
  }
  g.exiting = g.current->id;
  g_exit_step = g.step;
  libc().call_tls_dtors();
  note_use_of_list();
  run_handlers(nullptr, status);
  if (g_loader_fini != nullptr) g_loader_fini();
  // Other threads may have run since a visible operation of a handler. So what they do before the very end is
  // a choice of its own.
  if (g.step > g_exit_step) visible(Operation::process_exit, nullptr, nullptr, nullptr);
  {
    Inside inside;
    unlock_streams();
    libc().fflush(nullptr);
  }
  if (g.controlled) {
    report_unjoined();
    end_execution(End::exited, status & 0xff, nullptr);
  }
  raw_syscall(SYS_exit_group, status & 0xff);
  __builtin_unreachable();
}

} // namespace reex

using namespace reex;

REEX_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments,
                                  void (*init)(), void (*fini)(), void (*loader_fini)(), void* stack_end) {
  g_main = main;
  g_loader_fini = loader_fini;
  g_main_stack_end = static_cast<char*>(stack_end);
  g_main_stack_low = reinterpret_cast<std::uintptr_t>(stack_end) - k_main_stack;
  return libc().start_main(wrapped_main, count, arguments, init, fini, nullptr, stack_end);
}

REEX_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
  return add_handler({HandlerKind::cxa, reinterpret_cast<void*>(function), argument, module});
}

REEX_EXPORT int on_exit(void (*function)(int, void*), void* argument) noexcept {
  return add_handler({HandlerKind::on_exit, reinterpret_cast<void*>(function), argument, nullptr});
}

// libc's own forgets the module's handlers of fork, and knows no others.
REEX_EXPORT void __cxa_finalize(void* module) {
  run_handlers(module, 0);
  if (module != nullptr) libc().cxa_finalize(module);
}

REEX_EXPORT void exit(int status) noexcept {
  REEX_POINT(Operation::process_exit, nullptr);
  exit_process(status);
}

REEX_EXPORT void _exit(int status) noexcept {
  REEX_POINT(Operation::process_exit, nullptr);
  if (g.controlled) end_execution(End::exited, status & 0xff, nullptr);
  raw_syscall(SYS_exit_group, status & 0xff);
  __builtin_unreachable();
}

REEX_EXPORT void _Exit(int status) noexcept { _exit(status); }
REEX_EXPORT void quick_exit(int status) noexcept { _exit(status); }
