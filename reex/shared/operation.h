// The visible operations of a test: one table for the runtime, the traces and the reports.
// Freestanding: used inside the test process and by the parent.
#pragma once

#include <cstdint>

namespace reex {

// What an operation does to its object, as far as spins and their end are concerned.
// change: a write that a later one may take back, as an unlock takes back a lock.
enum class Effect : std::uint8_t { none, read, write, change };

// name, text in traces, kind of the object in traces, effect
#define REEX_OPERATIONS(X)                                                                                   \
  X(none, "nothing", "", none)                                                                               \
  X(thread_create, "thread create", "", write)                                                               \
  X(thread_start, "thread start", "", none)                                                                  \
  X(thread_end, "thread end", "", write)                                                                     \
  X(thread_join, "thread join", "thread", none)                                                              \
  X(mutex_lock, "mutex lock", "mutex", change)                                                               \
  X(mutex_trylock, "mutex trylock", "mutex", read)                                                           \
  X(mutex_timedlock, "mutex timed lock", "mutex", change)                                                    \
  X(mutex_unlock, "mutex unlock", "mutex", change)                                                           \
  X(cond_wait, "condition wait", "condition", write)                                                         \
  X(cond_reacquire, "condition wake-up", "mutex", write)                                                     \
  X(cond_signal, "condition notify one", "condition", write)                                                 \
  X(cond_broadcast, "condition notify all", "condition", write)                                              \
  X(rwlock_read, "rwlock read lock", "rwlock", change)                                                       \
  X(rwlock_write, "rwlock write lock", "rwlock", change)                                                     \
  X(rwlock_tryread, "rwlock try read lock", "rwlock", read)                                                  \
  X(rwlock_trywrite, "rwlock try write lock", "rwlock", read)                                                \
  X(rwlock_unlock, "rwlock unlock", "rwlock", change)                                                        \
  X(semaphore_wait, "semaphore wait", "semaphore", change)                                                   \
  X(semaphore_trywait, "semaphore try wait", "semaphore", read)                                              \
  X(semaphore_post, "semaphore post", "semaphore", change)                                                   \
  X(semaphore_value, "semaphore value", "semaphore", read)                                                   \
  X(barrier_arrive, "barrier arrive", "barrier", write)                                                      \
  X(barrier_leave, "barrier leave", "barrier", none)                                                         \
  X(barrier_destroy, "barrier destroy", "barrier", write)                                                    \
  X(once, "once", "once", write)                                                                             \
  X(once_done, "once done", "once", write)                                                                   \
  X(spin_lock, "spin lock", "spinlock", change)                                                              \
  X(spin_trylock, "spin trylock", "spinlock", read)                                                          \
  X(spin_unlock, "spin unlock", "spinlock", change)                                                          \
  X(futex_wait, "futex wait", "futex", read)                                                                 \
  X(futex_sleep, "futex sleep", "futex", none)                                                               \
  X(futex_wake, "futex wake", "futex", write)                                                                \
  X(futex_lock, "futex lock", "futex", change)                                                               \
  X(futex_trylock, "futex trylock", "futex", read)                                                           \
  X(futex_own, "futex hand-over", "futex", none)                                                             \
  X(futex_move, "futex sleep", "futex", none)                                                                \
  X(futex_unlock, "futex unlock", "futex", change)                                                           \
  X(atomic_load, "atomic load", "atomic", read)                                                              \
  X(atomic_store, "atomic store", "atomic", change)                                                          \
  X(atomic_rmw, "atomic read-modify-write", "atomic", read)                                                  \
  X(atomic_cas, "atomic compare-exchange", "atomic", read)                                                   \
  X(atomic_fence, "atomic fence", "", none)                                                                  \
  X(plain_read, "read", "memory", read)                                                                      \
  X(plain_write, "write", "memory", write)                                                                   \
  X(yield, "yield", "", none)                                                                                \
  X(sleep, "sleep", "", none)                                                                                \
  X(stream, "stream output", "stream", write)                                                                \
  X(descriptor_write, "descriptor write", "descriptor", write)                                               \
  X(channel_read, "descriptor read", "descriptor", read)                                                     \
  X(channel_write, "descriptor write", "descriptor", read)                                                   \
  X(channel_accept, "accept", "descriptor", read)                                                            \
  X(channel_connect, "connect", "descriptor", read)                                                          \
  X(channel_bind, "bind", "descriptor", read)                                                                \
  X(channel_listen, "listen", "descriptor", read)                                                            \
  X(channel_close, "descriptor close", "descriptor", read)                                                   \
  X(poll, "poll", "descriptor", read)                                                                        \
  X(epoll_control, "epoll control", "descriptor", read)                                                      \
  X(child_wait, "wait for a child process", "", read)                                                        \
  X(file_lock, "file lock", "descriptor", read)                                                              \
  X(message_send, "message send", "message queue", read)                                                     \
  X(message_receive, "message receive", "message queue", read)                                               \
  X(system_v, "operation of System V", "object of System V", read)                                           \
  X(library_read, "library read", "hidden state", read)                                                      \
  X(library_write, "library write", "hidden state", write)                                                   \
  X(thread_cancel, "thread cancel", "thread", write)                                                         \
  X(cancel_test, "cancellation test", "thread", read)                                                        \
  X(signal_send, "signal send", "signal", write)                                                             \
  X(signal_deliver, "signal handler", "signal", none)                                                        \
  X(signal_setup, "signal setup", "signal", write)                                                           \
  X(signal_wait, "signal wait", "signal", none)                                                              \
  X(signal_suspend, "signal suspend", "", none)                                                              \
  X(signal_sleep, "signal sleep", "", none)                                                                  \
  X(imunit_event, "event", "event", write)                                                                   \
  X(imunit_scope, "schedule", "event", write)                                                                \
  X(process_fork, "fork", "", write)                                                                         \
  X(process_exit, "end of the process", "", write)                                                           \
  X(descriptor_open, "descriptor open", "descriptor", read)

enum class Operation : std::uint8_t {
#define X(name, text, object, effect) name,
  REEX_OPERATIONS(X)
#undef X
};

struct OperationInfo {
  const char* text;
  const char* object;
  Effect effect;
};

inline constexpr OperationInfo k_operations[] = {
#define X(name, text, object, effect) {text, object, Effect::effect},
    REEX_OPERATIONS(X)
#undef X
};

inline constexpr Operation k_last_operation = Operation::descriptor_open;

// Objects below this number are numbers, of descriptors for example, and not addresses.
inline constexpr std::uint64_t k_plain_numbers = 0x10000;

constexpr const OperationInfo& info(Operation operation) {
  return k_operations[static_cast<unsigned>(operation)];
}

// Reads or writes memory, rather than acting on an object.
constexpr bool is_access(Operation operation) {
  return (operation >= Operation::atomic_load && operation <= Operation::atomic_cas) ||
         operation == Operation::plain_read || operation == Operation::plain_write;
}

// Acts on a synchronization object that functions initialize and destroy, and has to do so between the two.
// Leaving a barrier does not count: destroying it waits for all that leave.
constexpr bool has_life(Operation operation) {
  return operation >= Operation::mutex_lock && operation <= Operation::spin_unlock &&
         operation != Operation::barrier_leave && operation != Operation::barrier_destroy &&
         operation != Operation::once && operation != Operation::once_done;
}

// Why the processor went to another thread (see SwitchReason in reex/run/result.h; same order).
enum class Leave : std::uint8_t {
  none,
  preempted,
  blocked,
  finished,
  yielded,
  slept,
  spinning,
  slice_over,
  held
};

} // namespace reex
