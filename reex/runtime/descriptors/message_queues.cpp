// All variables belong to one execution: snapshot_message_queues saves them, restore_message_queues brings
// them back.
#include "reex/runtime/descriptors/message_queues.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <mqueue.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/threads/thread.h"

namespace reex {
namespace {

constexpr unsigned k_queues = 16;
constexpr unsigned k_descriptors = 64;
constexpr int k_first_descriptor = 1 << 20; // beyond all numbers of the kernel's
constexpr unsigned k_room = 1 << 20;        // bytes of all messages together
constexpr long k_default_messages = 10;
constexpr long k_default_size = 8192;
constexpr unsigned k_priorities = 32768;

struct Message {
  unsigned priority;
  unsigned size;
};

struct Queue {
  char name[NAME_MAX + 1];
  bool linked;         // the name still exists
  unsigned references; // open descriptors; without them and a name the entry is free
  long most;
  long size;
  long count;
  unsigned
      room; // where its messages lie in g_state.room, each a Message and `size` bytes, in order of receipt
  bool notifies; // mq_notify: event.sigev_notify says how
  sigevent event;
  pthread_attr_t attributes; // of the event: it may outlive the test's
};

struct Descriptor {
  Queue* queue; // null: free
  int flags;
};

struct State {
  Queue queues[k_queues];
  Descriptor descriptors[k_descriptors];
  unsigned
      used; // bytes of room that queues have, or had: rooms are not given back while a later one is in use
  alignas(16) char room[k_room];
};

State g_state;
State g_snapshot;
bool g_used = false;

std::size_t length(const State& state) { return offsetof(State, room) + state.used; }

int fail(int error) {
  errno = error;
  return -1;
}

std::size_t stride(const Queue& queue) {
  constexpr std::size_t k_grain = 16;
  return (sizeof(Message) + static_cast<std::size_t>(queue.size) + k_grain - 1) / k_grain * k_grain;
}

Message& message(const Queue& queue, long index) {
  return *reinterpret_cast<Message*>(g_state.room + queue.room +
                                     static_cast<std::size_t>(index) * stride(queue));
}

char* text_of(Message& message) { return reinterpret_cast<char*>(&message + 1); }

bool is_free(const Queue& queue) { return !queue.linked && queue.references == 0; }

Queue* find(const char* name) {
  for (Queue& queue : g_state.queues)
    if (queue.linked && strcmp(queue.name, name) == 0) return &queue;
  return nullptr;
}

Queue* make(const char* name, const mq_attr* wanted) {
  const long most = wanted == nullptr ? k_default_messages : wanted->mq_maxmsg;
  const long size = wanted == nullptr ? k_default_size : wanted->mq_msgsize;
  if (most <= 0 || size <= 0) {
    errno = EINVAL;
    return nullptr;
  }
  bool none = true;
  for (const Queue& queue : g_state.queues) none = none && is_free(queue);
  if (none) g_state.used = 0;
  for (Queue& queue : g_state.queues) {
    if (!is_free(queue)) continue;
    queue = {};
    queue.size = size;
    queue.most = most;
    if (size > k_room || most > k_room ||
        stride(queue) * static_cast<std::size_t>(most) > k_room - g_state.used)
      refuse("message queues with room for more than a mebibyte");
    strcpy(queue.name, name);
    queue.linked = true;
    queue.room = g_state.used;
    g_state.used += static_cast<unsigned>(stride(queue) * static_cast<std::size_t>(most));
    return &queue;
  }
  refuse("more than 16 message queues");
}

// The name without its slash; null and errno if it is none.
const char* checked(const char* name) {
  const int error = name[0] != '/'                     ? EINVAL
                    : name[1] == '\0'                  ? ENOENT
                    : strchr(name + 1, '/') != nullptr ? EACCES
                    : strlen(name + 1) > NAME_MAX      ? ENAMETOOLONG
                                                       : 0;
  if (error == 0) return name + 1;
  errno = error;
  return nullptr;
}

void stay_in_this_process() {
  if (g.forked_off) refuse("a message queue in a process that it forked");
  g_used = true;
}

Descriptor* open_at(mqd_t number) {
  if (number < k_first_descriptor || number >= k_first_descriptor + static_cast<int>(k_descriptors))
    return nullptr;
  Descriptor& descriptor = g_state.descriptors[number - k_first_descriptor];
  return descriptor.queue == nullptr ? nullptr : &descriptor;
}

void let_go(Descriptor& descriptor) {
  --descriptor.queue->references;
  descriptor = {};
}

// A call's own wait: the first time it comes to the queue, and then as long as there is nothing to do for it.
// Returns 0, or an errno.
int wait_for(const Descriptor& descriptor, Operation operation, const timespec* time, void* pc, void* frame) {
  Queue* const queue = descriptor.queue;
  if (time != nullptr && !is_duration(*time)) return EINVAL;
  const CancellationPoint point;
  visible(operation, queue, pc, frame);
  const auto ready = [&] {
    return operation == Operation::message_send ? queue->count < queue->most : queue->count > 0;
  };
  Pending& pending = g.current->pending;
  while (!ready()) {
    note_read(queue, static_cast<std::uint64_t>(queue->count));
    if ((descriptor.flags & O_NONBLOCK) != 0) return EAGAIN;
    pending.value = 1;
    wait_until(operation, queue, time == nullptr ? k_never : deadline_of(CLOCK_REALTIME, time));
    if (ready()) break;
    testcancel_here();
    if (pending.interrupted) return EINTR;
    if (pending.timed_out) return ETIMEDOUT;
  }
  acquire_from(queue);
  return 0;
}

bool somebody_receives(const Queue& queue) {
  for (const Fiber* fiber : alive())
    if (fiber->pending.operation == Operation::message_receive && fiber->pending.object == &queue &&
        fiber->pending.value != 0)
      return true;
  return false;
}

// A message has come to the empty queue, and nobody waited for it.
void notify(Queue& queue, void* pc, void* frame) {
  queue.notifies = false;
  if (queue.event.sigev_notify == SIGEV_THREAD)
    return notify_by_thread(queue.event, g.current->own.blocked, pc, frame);
  if (queue.event.sigev_notify != SIGEV_SIGNAL) return;
  siginfo_t details = details_from_test(queue.event.sigev_signo, SI_MESGQ);
  details.si_value = queue.event.sigev_value;
  release_to(&action_of(queue.event.sigev_signo));
  Inside inside;
  stop_noting(); // a signal that nobody sends
  send_signal(nullptr, queue.event.sigev_signo, details);
}

// True: somebody is to be told of it.
bool insert(Queue& queue, const char* text, std::size_t size, unsigned priority) {
  long place = queue.count;
  for (; place > 0 && message(queue, place - 1).priority < priority; --place)
    memcpy(&message(queue, place), &message(queue, place - 1), stride(queue));
  Message& made = message(queue, place);
  made = {priority, static_cast<unsigned>(size)};
  memcpy(text_of(made), text, size);
  const bool tells = queue.count++ == 0 && queue.notifies && !somebody_receives(queue);
  release_to(&queue);
  note_write(&queue);
  return tells;
}

int send(mqd_t number, const char* text, std::size_t size, unsigned priority, const timespec* time, void* pc,
         void* frame) {
  stay_in_this_process();
  will_read_buffer(text, pc);
  reads_object(time, pc);
  const Descriptor* descriptor = open_at(number);
  if (descriptor == nullptr || (descriptor->flags & O_ACCMODE) == O_RDONLY) return fail(EBADF);
  if (priority >= k_priorities) return fail(EINVAL);
  if (size > static_cast<std::size_t>(descriptor->queue->size)) return fail(EMSGSIZE);
  if (const int error = wait_for(*descriptor, Operation::message_send, time, pc, frame); error != 0)
    return fail(error);
  reads_buffer(text, static_cast<long>(size), pc);
  if (insert(*descriptor->queue, text, size, priority)) notify(*descriptor->queue, pc, frame);
  deliver_own_signals();
  return 0;
}

ssize_t receive(mqd_t number, char* text, std::size_t room, unsigned* priority, const timespec* time,
                void* pc, void* frame) {
  stay_in_this_process();
  will_write_buffer(text, pc);
  will_write_buffer(priority, pc);
  reads_object(time, pc);
  const Descriptor* descriptor = open_at(number);
  if (descriptor == nullptr || (descriptor->flags & O_ACCMODE) == O_WRONLY) return fail(EBADF);
  Queue& queue = *descriptor->queue;
  if (room < static_cast<std::size_t>(queue.size)) return fail(EMSGSIZE);
  if (const int error = wait_for(*descriptor, Operation::message_receive, time, pc, frame); error != 0)
    return fail(error);
  Message& first = message(queue, 0);
  const unsigned size = first.size;
  memcpy(text, text_of(first), size);
  if (priority != nullptr) *priority = first.priority;
  --queue.count;
  for (long i = 0; i < queue.count; ++i) memcpy(&message(queue, i), &message(queue, i + 1), stride(queue));
  release_to(&queue);
  note_write(&queue);
  receives_buffer(text, static_cast<long>(size), pc);
  writes_object(priority, pc);
  return static_cast<ssize_t>(size);
}

void tell(const Descriptor& descriptor, mq_attr& told) {
  memset(&told, 0, sizeof told);
  told.mq_flags = descriptor.flags & O_NONBLOCK;
  told.mq_maxmsg = descriptor.queue->most;
  told.mq_msgsize = descriptor.queue->size;
  told.mq_curmsgs = descriptor.queue->count;
}

} // namespace

bool message_queue_ready(const Pending& pending) {
  if (pending.value == 0) return true;
  const auto& queue = *static_cast<const Queue*>(pending.object);
  return pending.operation == Operation::message_send ? queue.count < queue.most : queue.count > 0;
}

bool is_message_queue(int descriptor) { return open_at(descriptor) != nullptr; }

void snapshot_message_queues() {
  if (g_used) memcpy(&g_snapshot, &g_state, length(g_state));
}

void restore_message_queues() {
  if (g_used) memcpy(&g_state, &g_snapshot, length(g_snapshot));
}

} // namespace reex

using namespace reex;

REEX_EXPORT mqd_t mq_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  [[maybe_unused]] const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  const mq_attr* const wanted = (flags & O_CREAT) != 0 ? va_arg(list, const mq_attr*) : nullptr;
  va_end(list);
  stay_in_this_process();
  const char* const own = checked(name);
  if (own == nullptr) return -1;
  REEX_POINT(Operation::message_send, g_state.queues);
  Queue* queue = find(own);
  if (queue != nullptr && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return fail(EEXIST);
  if (queue == nullptr && (flags & O_CREAT) == 0) return fail(ENOENT);
  if (queue == nullptr && (queue = make(own, wanted)) == nullptr) return -1;
  for (unsigned i = 0; i < k_descriptors; ++i) {
    Descriptor& descriptor = g_state.descriptors[i];
    if (descriptor.queue != nullptr) continue;
    descriptor = {queue, flags};
    ++queue->references;
    return k_first_descriptor + static_cast<int>(i);
  }
  return fail(EMFILE);
}

REEX_EXPORT int mq_close(mqd_t number) noexcept {
  stay_in_this_process();
  Descriptor* descriptor = open_at(number);
  if (descriptor == nullptr) return fail(EBADF);
  descriptor->queue->notifies = false;
  let_go(*descriptor);
  return 0;
}

REEX_EXPORT int mq_unlink(const char* name) noexcept {
  stay_in_this_process();
  const char* const own = checked(name);
  if (own == nullptr) return -1;
  REEX_POINT(Operation::message_send, g_state.queues);
  Queue* queue = find(own);
  if (queue == nullptr) return fail(ENOENT);
  queue->linked = false;
  return 0;
}

REEX_EXPORT int mq_getattr(mqd_t number, mq_attr* told) noexcept {
  const Descriptor* descriptor = open_at(number);
  if (descriptor == nullptr) return fail(EBADF);
  will_write_buffer(told, REEX_CALLER);
  REEX_READ_POINT(Operation::message_receive, descriptor->queue);
  tell(*descriptor, *told);
  writes_object(told, REEX_CALLER);
  note_read(descriptor->queue, static_cast<std::uint64_t>(told->mq_curmsgs));
  return 0;
}

REEX_EXPORT int mq_setattr(mqd_t number, const mq_attr* __restrict wanted,
                           mq_attr* __restrict before) noexcept {
  Descriptor* descriptor = open_at(number);
  if (descriptor == nullptr) return fail(EBADF);
  asm("" : "+r"(wanted)); // null is permitted, although the header says otherwise
  if (wanted != nullptr && (wanted->mq_flags & ~static_cast<long>(O_NONBLOCK)) != 0) return fail(EINVAL);
  if (before != nullptr) tell(*descriptor, *before);
  if (wanted != nullptr)
    descriptor->flags = (descriptor->flags & ~O_NONBLOCK) | static_cast<int>(wanted->mq_flags);
  return 0;
}

REEX_EXPORT int mq_notify(mqd_t number, const sigevent* event) noexcept {
  stay_in_this_process();
  const Descriptor* descriptor = open_at(number);
  if (event != nullptr) {
    if (event->sigev_notify != SIGEV_SIGNAL && event->sigev_notify != SIGEV_THREAD &&
        event->sigev_notify != SIGEV_NONE)
      return fail(EINVAL);
    if (event->sigev_notify == SIGEV_SIGNAL && !is_signal(event->sigev_signo)) return fail(EINVAL);
  }
  if (descriptor == nullptr) return fail(EBADF);
  Queue& queue = *descriptor->queue;
  REEX_POINT(Operation::message_receive, &queue);
  if (event != nullptr && queue.notifies) return fail(EBUSY);
  queue.notifies = event != nullptr;
  if (event == nullptr) return 0;
  queue.event = *event;
  if (event->sigev_notify != SIGEV_THREAD || event->sigev_notify_attributes == nullptr) return 0;
  queue.attributes = *event->sigev_notify_attributes;
  queue.event.sigev_notify_attributes = &queue.attributes;
  return 0;
}

REEX_EXPORT int mq_send(mqd_t number, const char* text, std::size_t size, unsigned priority) {
  return send(number, text, size, priority, nullptr, REEX_READ_CALLER);
}

REEX_EXPORT int mq_timedsend(mqd_t number, const char* text, std::size_t size, unsigned priority,
                             const timespec* time) {
  return send(number, text, size, priority, time, REEX_READ_CALLER);
}

REEX_EXPORT ssize_t mq_receive(mqd_t number, char* text, std::size_t room, unsigned* priority) {
  return receive(number, text, room, priority, nullptr, REEX_READ_CALLER);
}

REEX_EXPORT ssize_t mq_timedreceive(mqd_t number, char* __restrict text, std::size_t room,
                                    unsigned* __restrict priority, const timespec* __restrict time) {
  return receive(number, text, room, priority, time, REEX_READ_CALLER);
}
