// See system_v.h. g_kept does not change in workers.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/shared_ranges.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/system_v.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"

namespace reex {
namespace {

constexpr unsigned k_semaphores = 250; // of a set; Linux's own default limit was that for long
constexpr unsigned k_room = 1u << 18;  // of all messages, with their heads

struct Made {
  bool used;
  bool removed; // by the execution
  SystemV kind;
  int id;
};

struct Objects {  // shared by all processes
  unsigned kept;  // so many were made before the first thread
  unsigned count; // the others are the execution's
  Made made[k_system_v_objects];
};

struct Kept {
  unsigned semaphores; // of a set
  unsigned short values[k_semaphores];
  unsigned first, end; // its messages in g_messages
};

struct Head { // before each message in g_messages
  long size;
  long type; // from here as msgsnd takes it
};

Objects* g_objects = nullptr;
Kept g_kept[k_system_v_objects];
alignas(Head) char g_messages[k_room];
unsigned g_messages_end = 0;

Objects* objects() {
  if (g_objects == nullptr && !g.controlled && !g.forked_off) {
    const long memory =
        raw_syscall(SYS_mmap, 0, sizeof(Objects), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory > 0) g_objects = reinterpret_cast<Objects*>(memory);
  }
  return g_objects;
}

Made* find(SystemV kind, int id) {
  if (g_objects == nullptr) return nullptr;
  for (unsigned i = 0; i < g_objects->count; ++i) {
    Made& made = g_objects->made[i];
    if (made.used && made.kind == kind && made.id == id) return &made;
  }
  return nullptr;
}

bool is_kept(const Made& made) { return &made < g_objects->made + g_objects->kept; }

// The test has made the object. One that it finds is somebody else's: nothing is put back there.
void note(SystemV kind, int id) {
  Objects* const all = objects();
  if (all == nullptr || find(kind, id) != nullptr) return;
  if (all->count == k_system_v_objects) {
    if (g.active) refuse("more than 256 objects of System V at once");
    return;
  }
  all->made[all->count++] = {true, false, kind, id};
}

long remove(SystemV kind, int id) {
  switch (kind) {
  case SystemV::queue:
    return raw_syscall(SYS_msgctl, id, IPC_RMID, 0);
  case SystemV::semaphores:
    return raw_syscall(SYS_semctl, id, 0, IPC_RMID, 0);
  case SystemV::memory:
    return raw_syscall(SYS_shmctl, id, IPC_RMID, 0);
  }
  return -EINVAL;
}

long copy_of_message(int id, long index, Head& head, long room) {
  return raw_syscall(SYS_msgrcv, id, as_long(&head.type), room, index, MSG_COPY | IPC_NOWAIT);
}

bool keep_messages(int id, Kept& kept) {
  kept.first = kept.end = g_messages_end;
  msqid_ds queue{};
  if (raw_syscall(SYS_msgctl, id, IPC_STAT, as_long(&queue)) != 0) return true; // it is gone
  for (long i = 0; i < static_cast<long>(queue.msg_qnum); ++i) {
    const long room = static_cast<long>(k_room - g_messages_end) - static_cast<long>(2 * sizeof(Head));
    if (room <= 0) return false;
    Head& head = *reinterpret_cast<Head*>(g_messages + g_messages_end);
    head.size = copy_of_message(id, i, head, room);
    if (head.size < 0) return false;
    const std::size_t length = sizeof(Head) + static_cast<std::size_t>(head.size);
    g_messages_end += static_cast<unsigned>((length + sizeof(Head) - 1) / sizeof(Head) * sizeof(Head));
  }
  kept.end = g_messages_end;
  return true;
}

bool keep_semaphores(int id, Kept& kept) {
  semid_ds set{};
  if (raw_syscall(SYS_semctl, id, 0, IPC_STAT, as_long(&set)) != 0) return true;
  if (set.sem_nsems > k_semaphores) return false;
  kept.semaphores = static_cast<unsigned>(set.sem_nsems);
  return raw_syscall(SYS_semctl, id, 0, GETALL, as_long(kept.values)) == 0;
}

void put_messages_back(int id, const Kept& kept) {
  static char drained[k_room];
  while (raw_syscall(SYS_msgrcv, id, as_long(drained), sizeof drained - sizeof(long), 0,
                     IPC_NOWAIT | MSG_NOERROR) >= 0) {
  }
  for (unsigned at = kept.first; at < kept.end;) {
    const Head& head = *reinterpret_cast<const Head*>(g_messages + at);
    raw_syscall(SYS_msgsnd, id, as_long(&head.type), head.size, IPC_NOWAIT);
    const std::size_t length = sizeof(Head) + static_cast<std::size_t>(head.size);
    at += static_cast<unsigned>((length + sizeof(Head) - 1) / sizeof(Head) * sizeof(Head));
  }
}

// Several threads may not remove it before all others; natively it is gone for all of them.
int removed(SystemV kind, int id, void* pc, void* frame) {
  if (g.active) {
    leave_restoring(kind == SystemV::queue        ? SYS_msgctl
                    : kind == SystemV::semaphores ? SYS_semctl
                                                  : SYS_shmctl);
    system_v_point(pc, frame);
  }
  Made* const made = find(kind, id);
  if (made != nullptr && made->removed) return static_cast<int>(as_result(-EINVAL));
  long answer = 0;
  if (made != nullptr && is_kept(*made) && g.controlled)
    made->removed = true;
  else if (answer = remove(kind, id); answer == 0 && made != nullptr)
    made->used = false;
  system_v_changed();
  return static_cast<int>(as_result(answer));
}

// `get`: makes the object, or finds it, with these flags.
template <typename Get>
int made_by(SystemV kind, key_t key, int flags, Get get) {
  const bool is_new =
      key == IPC_PRIVATE || ((flags & IPC_CREAT) != 0 && get(flags & ~(IPC_CREAT | IPC_EXCL)) < 0);
  const long id = get(flags);
  if (id >= 0 && is_removed(kind, static_cast<int>(id))) // its key is free again
    refuse("an object of System V that is removed and made again under its key");
  if (id >= 0 && is_new) note(kind, static_cast<int>(id));
  return static_cast<int>(as_result(id));
}

} // namespace

void remember_system_v() {
  if (objects() == nullptr) return;
  Objects& all = *g_objects;
  all.kept = all.count;
  for (unsigned i = 0; i < all.kept; ++i) {
    const Made& made = all.made[i];
    if (!made.used) continue;
    if (made.kind == SystemV::queue && !keep_messages(made.id, g_kept[i]))
      refuse("a queue of System V whose messages cannot be kept (msgrcv with MSG_COPY, 256 KiB)");
    if (made.kind == SystemV::semaphores && !keep_semaphores(made.id, g_kept[i]))
      refuse("a set of more than 250 semaphores of System V");
  }
}

void put_system_v_back() {
  if (g_objects == nullptr) return;
  Objects& all = *g_objects;
  for (; all.count > all.kept; --all.count)
    if (const Made& made = all.made[all.count - 1]; made.used) remove(made.kind, made.id);
  for (unsigned i = 0; i < all.kept; ++i) {
    Made& made = all.made[i];
    made.removed = false;
    if (!made.used) continue;
    if (made.kind == SystemV::queue) put_messages_back(made.id, g_kept[i]);
    if (made.kind == SystemV::semaphores)
      raw_syscall(SYS_semctl, made.id, 0, SETALL, as_long(g_kept[i].values));
  }
}

void remove_system_v() {
  put_system_v_back();
  if (g_objects == nullptr) return;
  for (unsigned i = 0; i < g_objects->kept; ++i)
    if (const Made& made = g_objects->made[i]; made.used) remove(made.kind, made.id);
}

bool is_removed(SystemV kind, int id) {
  const Made* const made = find(kind, id);
  return made != nullptr && made->removed;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int msgget(key_t key, int flags) noexcept {
  return made_by(SystemV::queue, key, flags, [&](int how) { return raw_syscall(SYS_msgget, key, how); });
}

REEX_EXPORT int semget(key_t key, int count, int flags) noexcept {
  return made_by(SystemV::semaphores, key, flags,
                 [&](int how) { return raw_syscall(SYS_semget, key, count, how); });
}

REEX_EXPORT int shmget(key_t key, std::size_t size, int flags) noexcept {
  return made_by(SystemV::memory, key, flags,
                 [&](int how) { return raw_syscall(SYS_shmget, key, static_cast<long>(size), how); });
}

REEX_EXPORT int msgctl(int queue, int command, msqid_ds* told) noexcept {
  if (command == IPC_RMID) return removed(SystemV::queue, queue, REEX_CALLER, REEX_FRAME);
  if (is_removed(SystemV::queue, queue)) return static_cast<int>(as_result(-EINVAL));
  const bool tells = command == IPC_STAT;
  if (tells) will_write_buffer(told, REEX_CALLER);
  if (command == IPC_SET) reads_object(told, REEX_CALLER);
  const long answer = raw_syscall(SYS_msgctl, queue, command, as_long(told));
  if (tells && answer >= 0) writes_object(told, REEX_CALLER);
  if (command == IPC_SET) system_v_changed();
  return static_cast<int>(as_result(answer));
}

REEX_EXPORT int semctl(int set, int number, int command, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long); // a union of a number and pointers
  va_end(arguments);
  if (command == IPC_RMID) return removed(SystemV::semaphores, set, REEX_CALLER, REEX_FRAME);
  if (is_removed(SystemV::semaphores, set)) return static_cast<int>(as_result(-EINVAL));
  if (g.active && (command == SETVAL || command == SETALL)) leave_restoring(SYS_semctl);
  if (g.active) system_v_point(REEX_CALLER, REEX_FRAME);
  const long answer = raw_syscall(SYS_semctl, set, number, command, argument);
  if (command == SETVAL || command == SETALL) system_v_changed();
  return static_cast<int>(as_result(answer));
}

REEX_EXPORT int shmctl(int memory, int command, shmid_ds* told) noexcept {
  if (command == IPC_RMID) return removed(SystemV::memory, memory, REEX_CALLER, REEX_FRAME);
  return static_cast<int>(as_result(raw_syscall(SYS_shmctl, memory, command, as_long(told))));
}

REEX_EXPORT int shmdt(const void* address) noexcept {
  if (g.active) leave_restoring(SYS_shmdt);
  const long answer = raw_syscall(SYS_shmdt, as_long(address));
  if (answer == 0) forget_shared_mapping(static_cast<const char*>(address));
  return static_cast<int>(as_result(answer));
}

REEX_EXPORT void* shmat(int memory, const void* address, int flags) noexcept {
  if (g.active) leave_restoring(SYS_shmat);
  const long made = raw_syscall(SYS_shmat, memory, as_long(address), flags);
  if (made < 0 && made > -4096) {
    errno = static_cast<int>(-made);
    return reinterpret_cast<void*>(-1);
  }
  shmid_ds known{};
  if (raw_syscall(SYS_shmctl, memory, IPC_STAT, as_long(&known)) == 0)
    note_shared_mapping(reinterpret_cast<char*>(made), known.shm_segsz);
  return reinterpret_cast<void*>(made);
}
