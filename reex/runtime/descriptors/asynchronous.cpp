// Asynchronous input and output (aio_read and the others), as glibc makes it: by threads. Each request has a
// detached thread of its own, which waits for the earlier requests of its descriptor, makes the call, and
// tells of its end. The request's state is in the test's control block (aiocb), where glibc has it, too.
//
// Threads wait for the end of requests with a futex on the number of requests that have ended.
//
// In a process that the test forked libc goes on.
//
// The variables: they belong to one execution, whose number they carry.
#include <aio.h>
#include <cerrno>
#include <climits>
#include <csignal>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/primitives/futex.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/thread.h"

namespace reex {
namespace {

constexpr unsigned k_requests = 1024; // at once
constexpr int k_most_priority = 20;   // AIO_PRIO_DELTA_MAX
// A megabyte and more takes time: a gigabyte each second. Less may be done before anybody looks.
constexpr std::uint64_t k_noticeable = 1 << 20;
constexpr std::uint64_t k_nanoseconds_per_byte = 1;

// What lio_listio was asked to tell of, when all its requests have ended.
struct List {
  unsigned left = 0;
  sigevent event{};
};

// What is to be told of a request that has ended.
struct End {
  sigevent event{};
  List* list = nullptr;
};

struct Request {
  aiocb* block = nullptr; // null: not under way
  int operation = 0;      // LIO_READ, LIO_WRITE, or O_SYNC, O_DSYNC of aio_fsync
  bool is_fsync = false;
  bool runs = false;
  std::uint64_t number = 0; // in the order of submission
  List* list = nullptr;
  void* pc = nullptr; // of the call that has submitted it
  int canceller = -1; // the thread that is about to tell of its end
  End end{};          // then
};

Request g_requests[k_requests];
List g_lists[k_requests];
std::uint64_t g_submitted = 0;
int g_ended = 0; // the futex
std::uint32_t g_of_execution = 0;

int fail(int error) {
  errno = error;
  return -1;
}

// Each execution continues from here, if this is the test's first thread: what was written before would be
// that of another execution.
void begin_control() {
  if (!g.controlled) become_zygote();
  if (g_of_execution == g_execution) return;
  g_of_execution = g_execution;
  for (Request& request : g_requests) request = {};
  for (List& list : g_lists) list.left = 0;
  g_submitted = 0;
  g_ended = 0;
}

// 0, or -1 with errno: EAGAIN, EINTR, ETIMEDOUT.
int wait_for_an_end(int seen, const timespec* deadline, void* pc, void* frame) {
  const long arguments[] = {reinterpret_cast<long>(&g_ended),
                            FUTEX_WAIT_BITSET_PRIVATE,
                            seen,
                            reinterpret_cast<long>(deadline),
                            0,
                            static_cast<int>(FUTEX_BITSET_MATCH_ANY)};
  long result = 0;
  futex_call(arguments, pc, frame, result);
  return static_cast<int>(result);
}

void wake_waiters(void* pc, void* frame) {
  const long arguments[] = {reinterpret_cast<long>(&g_ended), FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0};
  long result = 0;
  futex_call(arguments, pc, frame, result);
}

void notify(const sigevent& event, void* pc, void* frame) {
  if (event.sigev_notify == SIGEV_THREAD) return notify_by_thread(event, g.current->own.blocked, pc, frame);
  if (event.sigev_notify != SIGEV_SIGNAL || !is_signal(event.sigev_signo)) return;
  siginfo_t details = details_from_test(event.sigev_signo, SI_ASYNCIO);
  details.si_value = event.sigev_value;
  Inside inside;
  send_signal(nullptr, event.sigev_signo, details);
}

// Between its submission and its end, which may come a little after the one that the block tells of.
bool is_under_way(const aiocb& block) {
  for (const Request& request : g_requests)
    if (request.block == &block) return true;
  return false;
}

// To be called before the requests are looked at or changed.
void reach_requests(void* pc, void* frame) {
  visible(Operation::atomic_rmw, &g_ended, pc, frame);
  acquire_from(&g_ended);
}

void requests_have_changed() {
  release_to(&g_ended);
  note_write(&g_ended);
}

// As a visible operation, which may be part of a loop.
int error_of(const aiocb& block, void* pc, void* frame) {
  auto* const word = const_cast<int*>(&block.__error_code);
  visible(Operation::atomic_load, word, pc, frame);
  const int error = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (error == EINPROGRESS)
    note_read(word, static_cast<std::uint64_t>(error));
  else
    acquire_from(word);
  return error;
}

// After reach_requests, and without a scheduling point: nobody finds the request under way any more.
End take_out(Request& request) {
  const End end{request.block->aio_sigevent, request.list};
  request.block = nullptr;
  ++g_ended;
  requests_have_changed();
  return end;
}

void set_result(aiocb& block, long result) {
  block.__return_value = result < 0 ? -1 : result;
  release_to(&block.__error_code);
  __atomic_store_n(&block.__error_code, result < 0 ? static_cast<int>(-result) : 0, __ATOMIC_SEQ_CST);
  note_write(&block.__error_code);
}

// The request's own event comes before that of its list.
void tell(const End& end, void* pc, void* frame) {
  wake_waiters(pc, frame);
  notify(end.event, pc, frame);
  if (end.list == nullptr) return;
  reach_requests(pc, frame);
  ++g_ended;
  const bool was_last = --end.list->left == 0;
  const sigevent event = end.list->event; // the list may be used again from here on
  requests_have_changed();
  wake_waiters(pc, frame);
  if (was_last) notify(event, pc, frame);
}

bool is_earlier(const Request& other, const Request& than) {
  return other.block != nullptr && other.block->aio_fildes == than.block->aio_fildes &&
         other.number < than.number;
}

bool must_wait(const Request& request) {
  for (const Request& other : g_requests)
    if (is_earlier(other, request)) return true;
  return false;
}

long transfer(const Request& request, void* frame) {
  const aiocb& block = *request.block;
  void* const data = const_cast<void*>(block.aio_buf);
  const int descriptor = block.aio_fildes;
  const auto call = [&](long number, long offset) {
    return controlled_call(
        {number,
         {descriptor, reinterpret_cast<long>(data), static_cast<long>(block.aio_nbytes), offset},
         request.pc,
         frame});
  };
  if (request.is_fsync)
    return controlled_call(
        {request.operation == O_DSYNC ? SYS_fdatasync : SYS_fsync, {descriptor}, request.pc, frame});
  const bool reads = request.operation == LIO_READ;
  const bool appends = !reads && (raw_syscall(SYS_fcntl, descriptor, F_GETFL) & O_APPEND) != 0;
  if (!reads) reads_buffer(data, static_cast<long>(block.aio_nbytes), request.pc);
  long result = appends ? -ESPIPE : call(reads ? SYS_pread64 : SYS_pwrite64, block.aio_offset);
  if (result == -ESPIPE) result = call(reads ? SYS_read : SYS_write, 0);
  if (reads) receives_buffer(data, result, request.pc);
  return result;
}

void take_time(const Request& request, void* frame) {
  const std::uint64_t bytes = request.is_fsync ? 0 : request.block->aio_nbytes;
  if (bytes >= k_noticeable)
    sleep_until(deadline_after(bytes * k_nanoseconds_per_byte), nullptr, request.pc, frame);
}

void* run_request(void* of_request) {
  Request& request = *static_cast<Request*>(of_request);
  const std::uint64_t number = request.number;
  g.current->own.blocked = ~k_never_blocked;
  void* const frame = REEX_FRAME;
  const auto is_mine = [&] { return request.block != nullptr && request.number == number; };
  void* const pc = request.pc;
  for (;;) {
    reach_requests(pc, frame);
    if (!is_mine()) return nullptr; // it was cancelled
    if (!must_wait(request)) break;
    note_read(&g_ended, static_cast<std::uint64_t>(g_ended));
    wait_for_an_end(g_ended, nullptr, pc, frame);
  }
  request.runs = true;
  requests_have_changed();
  take_time(request, frame);
  const long result = transfer(request, frame);
  visible(Operation::atomic_store, &request.block->__error_code, pc, frame);
  set_result(*request.block, result);
  reach_requests(pc, frame);
  tell(take_out(request), pc, frame);
  return nullptr;
}

Request* free_request() {
  for (Request& request : g_requests)
    if (request.block == nullptr && request.canceller < 0) return &request;
  return nullptr;
}

// 0, or an errno, which the control block has then, too.
int submit(aiocb& block, int operation, bool is_fsync, List* list, void* pc, void* frame) {
  if (is_fsync) block.aio_reqprio = 0; // as in glibc
  int error = block.aio_reqprio < 0 || block.aio_reqprio > k_most_priority ? EINVAL : 0;
  if (error == 0) {
    begin_control();
    reach_requests(pc, frame);
  }
  Request* const request = free_request();
  if (error == 0 && request == nullptr) error = EAGAIN;
  block.__error_code = error != 0 ? error : EINPROGRESS;
  block.__return_value = error != 0 ? -1 : 0;
  if (error != 0) return error;
  *request = {.block = &block,
              .operation = operation,
              .is_fsync = is_fsync,
              .number = ++g_submitted,
              .list = list,
              .pc = pc};
  requests_have_changed();
  pthread_t thread{};
  if (create_thread(&thread, nullptr, run_request, request, pc, frame) != 0) {
    request->block = nullptr;
    block.__return_value = -1;
    return block.__error_code = EAGAIN;
  }
  pthread_detach(thread);
  return 0;
}

int submit_one(aiocb* block, int operation, bool is_fsync, void* pc, void* frame) {
  const int error = submit(*block, operation, is_fsync, nullptr, pc, frame);
  return error == 0 ? 0 : fail(error);
}

int sync_later(int operation, aiocb* block, void* pc, void* frame) {
  if (operation != O_DSYNC && operation != O_SYNC) return fail(EINVAL);
  const long flags = raw_syscall(SYS_fcntl, block->aio_fildes, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) return fail(EBADF);
  return submit_one(block, operation, true, pc, frame);
}

int cancel_all(int descriptor, aiocb* block, void* pc, void* frame) {
  if (raw_syscall(SYS_fcntl, descriptor, F_GETFL) < 0) return fail(EBADF);
  if (block != nullptr && block->aio_fildes != descriptor) return fail(EINVAL);
  reach_requests(pc, frame);
  const int self = g.current->id;
  int result = AIO_ALLDONE;
  for (Request& request : g_requests) { // all at once: none begins meanwhile
    if (request.block == nullptr || request.block->aio_fildes != descriptor) continue;
    if (block != nullptr && request.block != block) continue;
    if (request.runs) {
      result = AIO_NOTCANCELED;
      continue;
    }
    if (result != AIO_NOTCANCELED) result = AIO_CANCELED;
    set_result(*request.block, -ECANCELED);
    request.canceller = self;
    request.end = take_out(request);
  }
  for (Request& request : g_requests) {
    if (request.canceller != self) continue;
    const End end = request.end;
    request.canceller = -1;
    tell(end, pc, frame);
  }
  return result;
}

// Until one of the blocks, or all of them, have ended. 0, or an errno.
template <typename Done>
int wait_until_done(const Done& done, const timespec* deadline, void* pc, void* frame) {
  const CancellationPoint point;
  for (;;) {
    reach_requests(pc, frame);
    const int seen = g_ended;
    if (done()) return 0;
    note_read(&g_ended, static_cast<std::uint64_t>(seen));
    if (wait_for_an_end(seen, deadline, pc, frame) == 0 || errno == EAGAIN) continue;
    testcancel_here();
    return errno == ETIMEDOUT ? EAGAIN : errno;
  }
}

int suspend(const aiocb* const* blocks, int count, const timespec* time, void* pc, void* frame) {
  if (count < 0 || (time != nullptr && !is_duration(*time))) return fail(EINVAL);
  timespec deadline{};
  if (time != nullptr) {
    constexpr long k_second = 1000000000;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += time->tv_sec;
    deadline.tv_nsec += time->tv_nsec;
    if (deadline.tv_nsec >= k_second) deadline = {deadline.tv_sec + 1, deadline.tv_nsec - k_second};
  }
  const auto done = [&] {
    bool waits = false;
    for (int i = 0; i < count; ++i) {
      if (blocks[i] == nullptr) continue;
      if (!is_under_way(*blocks[i])) return true;
      waits = true;
    }
    return !waits;
  };
  const int error = wait_until_done(done, time == nullptr ? nullptr : &deadline, pc, frame);
  return error == 0 ? 0 : fail(error);
}

List* new_list() {
  for (List& list : g_lists)
    if (list.left == 0) return &list;
  return nullptr;
}

int submit_list(int mode, aiocb* const* blocks, int count, const sigevent* event, void* pc, void* frame) {
  if ((mode != LIO_WAIT && mode != LIO_NOWAIT) || count < 0) return fail(EINVAL);
  begin_control();
  List* const list = new_list();
  if (list == nullptr) return fail(EAGAIN);
  list->left = 1; // this call
  list->event = {};
  list->event.sigev_notify = SIGEV_NONE;
  if (mode == LIO_NOWAIT && event != nullptr) list->event = *event;
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    aiocb* const block = blocks[i];
    if (block == nullptr || block->aio_lio_opcode == LIO_NOP) continue;
    ++list->left;
    const bool known = block->aio_lio_opcode == LIO_READ || block->aio_lio_opcode == LIO_WRITE;
    if (!known) {
      block->__error_code = EINVAL;
      block->__return_value = -1;
    }
    if (known && submit(*block, block->aio_lio_opcode, false, list, pc, frame) == 0) continue;
    --list->left;
    failed = true;
  }
  if (mode == LIO_NOWAIT) {
    reach_requests(pc, frame);
    const bool was_last = --list->left == 0;
    const sigevent told = list->event;
    requests_have_changed();
    if (was_last) notify(told, pc, frame);
    return failed ? fail(EIO) : 0;
  }
  const int error = wait_until_done([&] { return list->left == 1; }, nullptr, pc, frame);
  --list->left;
  if (error != 0) return fail(error);
  for (int i = 0; i < count; ++i)
    if (blocks[i] != nullptr && blocks[i]->aio_lio_opcode != LIO_NOP && blocks[i]->__error_code != 0)
      failed = true;
  return failed ? fail(EIO) : 0;
}

constinit Real<int(aiocb*)> g_read{"aio_read"}, g_write{"aio_write"};
constinit Real<int(int, aiocb*)> g_fsync{"aio_fsync"}, g_cancel{"aio_cancel"};
constinit Real<int(const aiocb*)> g_error{"aio_error"};
constinit Real<ssize_t(aiocb*)> g_return{"aio_return"};
constinit Real<int(const aiocb* const*, int, const timespec*)> g_suspend{"aio_suspend"};
constinit Real<int(int, aiocb* const*, int, sigevent*)> g_list{"lio_listio"};

} // namespace
} // namespace reex

using namespace reex;

// Also under the name for large files, whose control block is the same.
#define REEX_ASYNCHRONOUS(result, name, parameters, real, controlled)                                        \
  REEX_LIBRARY_FUNCTION(result, reex_##name, #name, REEX_UNPACK parameters) {                                \
    if (g.forked_off) return real;                                                                           \
    return controlled;                                                                                       \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(result, reex_##name##64, #name "64", REEX_UNPACK parameters) {                       \
    if (g.forked_off) return real;                                                                           \
    return controlled;                                                                                       \
  }
#define REEX_UNPACK(...) __VA_ARGS__

REEX_ASYNCHRONOUS(int, aio_read, (aiocb * block), g_read(block),
                  submit_one(block, LIO_READ, false, REEX_CALLER, REEX_FRAME))
REEX_ASYNCHRONOUS(int, aio_write, (aiocb * block), g_write(block),
                  submit_one(block, LIO_WRITE, false, REEX_CALLER, REEX_FRAME))
REEX_ASYNCHRONOUS(int, aio_fsync, (int operation, aiocb* block), g_fsync(operation, block),
                  sync_later(operation, block, REEX_CALLER, REEX_FRAME))
REEX_ASYNCHRONOUS(int, aio_cancel, (int descriptor, aiocb* block), g_cancel(descriptor, block),
                  cancel_all(descriptor, block, REEX_CALLER, REEX_FRAME))
REEX_ASYNCHRONOUS(int, aio_error, (const aiocb* block), g_error(block), error_of(*block, REEX_READ_CALLER))
REEX_ASYNCHRONOUS(ssize_t, aio_return, (aiocb * block), g_return(block), block->__return_value)
REEX_ASYNCHRONOUS(int, aio_suspend, (const aiocb* const* blocks, int count, const timespec* time),
                  g_suspend(blocks, count, time), suspend(blocks, count, time, REEX_READ_CALLER))
REEX_ASYNCHRONOUS(int, lio_listio, (int mode, aiocb* const* blocks, int count, sigevent* event),
                  g_list(mode, blocks, count, event),
                  submit_list(mode, blocks, count, event, REEX_CALLER, REEX_FRAME))
