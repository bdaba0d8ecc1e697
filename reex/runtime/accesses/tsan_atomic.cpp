// The hooks of -fsanitize=thread for atomics, and the functions of libatomic, which compilers call for some
// sizes. One operating-system thread runs all fibers, so these operations need not be atomic on the machine.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/memory/heap.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/stale_values.h"
#include "reex/runtime/record/trace.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/signals/signals.h"
#include "reex/search/search.h"

using namespace reex;

namespace {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using U128 = unsigned __int128;

struct Caller {
  void* pc;
  void* frame;
};

struct Orders {
  int success;
  int failure;
};

// Used in the hook itself: pushes the caller's registers, by which a spin is recognized.
#define CALLER (__builtin_unwind_init(), Caller{REEX_CALLER, REEX_FRAME})

template <typename T>
U64 bits_of(T value) {
  if constexpr (sizeof(T) > 8)
    return static_cast<U64>(value) ^ static_cast<U64>(value >> 64) * 0x9e3779b97f4a7c15;
  else
    return static_cast<U64>(value);
}

// A write of the same value changes nothing for other threads, and may be a spin on a lock that is made of
// exchanges.
template <typename T>
void note_written(void* object, T before, T after) {
  note_change(object, bits_of(before), bits_of(after));
}

// With --spurious, a choice decides whether a weak compare-exchange fails although it could succeed.
bool fails_spuriously() {
  if (!g.active || !g.control->config.spurious) return false;
  const std::uint16_t failing[] = {k_max_created, g.current->id}; // nobody's, this thread's
  return choose_among(ChoiceKind::spurious, failing, 2) == 1;
}

// A new block could have the address that is expected, if malloc gave it what was freed. From the next round
// on, it may (--reuse); but malloc is no scheduling point, at which another thread could free it first.
template <typename T>
void note_if_address_kept(T expected, T seen, void* pc) {
  if constexpr (sizeof(T) == sizeof(void*)) {
    if (!g.active || !g_watching) return;
    const KeptAddress kept = address_kept(expected, seen);
    if (kept == KeptAddress::none) return;
    note_address_kept(pc, kept == KeptAddress::of_another);
    if (!g_addresses_come_again) report_address_kept(pc);
  }
}

// The effect of the operation on happens-before, and on races with plain accesses.
void ordered_read(void* object, std::size_t size, int order, Caller caller) {
  if (g_watching) watch_access(object, size, FindingAct::atomic_read, caller.pc);
  watch_atomic_load(object, order, caller.pc);
  acquire_at_load(object, order);
}

void ordered_write(void* object, std::size_t size, int order, Caller caller) {
  if (g_watching) watch_access(object, size, FindingAct::atomic_write, caller.pc);
  watch_atomic_store(object, order);
  release_at_store(object, order);
}

void ordered_exchange(void* object, std::size_t size, int order, Caller caller) {
  if (g_watching) watch_access(object, size, FindingAct::atomic_write, caller.pc);
  watch_atomic_store(object, order);
  acquire_at_load(object, order);
  if (g_watching) drop_followed(object, size, caller.pc);
  release_at_exchange(object, order);
}

template <typename T>
void* object_of(const volatile T* address) {
  return const_cast<T*>(address);
}

template <typename T>
void visible_atomic(Operation operation, const volatile T* address, Caller caller) {
  if constexpr (sizeof(T) > 4) fingerprint_extent(sizeof(T));
  visible(operation, object_of(address), caller.pc, caller.frame);
}

template <typename T>
T load(const volatile T* address, int order, Caller caller) {
  visible_atomic(Operation::atomic_load, address, caller);
  ordered_read(object_of(address), sizeof(T), order, caller);
  const T value = *address;
  note_read(object_of(address), bits_of(value));
  return value;
}

template <typename T>
void store(volatile T* address, T value, int order, Caller caller) {
  visible_atomic(Operation::atomic_store, address, caller);
  ordered_write(object_of(address), sizeof(T), order, caller);
  const T before = *address;
  *address = value;
  if (before == value) // a thread that only stores does not wait
    note_write(object_of(address));
  else
    note_written(object_of(address), before, value);
}

template <typename T, typename Change>
T modify(volatile T* address, Change change, int order, Caller caller) {
  visible_atomic(Operation::atomic_rmw, address, caller);
  ordered_exchange(object_of(address), sizeof(T), order, caller);
  const T before = *address;
  const T after = change(before);
  *address = after;
  note_written(object_of(address), before, after);
  return before;
}

// Returns whether the exchange was made; `seen` receives the old value.
template <typename T>
bool compare_exchange(volatile T* address, T expected, T desired, bool weak, T& seen, Orders orders,
                      Caller caller) {
  visible_atomic(Operation::atomic_cas, address, caller);
  seen = *address;
  const bool spurious = seen == expected && weak && fails_spuriously();
  const bool done = seen == expected && !spurious;
  if (done)
    ordered_exchange(object_of(address), sizeof(T), orders.success, caller);
  else
    ordered_read(object_of(address), sizeof(T), orders.failure, caller);
  if (!done) record_failed_exchange();
  if (!done && !spurious) note_if_address_kept(expected, seen, caller.pc);
  if (done) *address = desired;
  note_written(object_of(address), seen, static_cast<T>(*address));
  if (spurious) end_spin(*g.current); // the next turn finds the same and may do something else
  return done;
}

template <typename T>
int compare_exchange(volatile T* address, T* expected, T desired, bool weak, Orders orders, Caller caller) {
  T seen;
  const bool done = compare_exchange(address, *expected, desired, weak, seen, orders, caller);
  if (!done) *expected = seen;
  return done ? 1 : 0;
}

} // namespace

#define MODIFY(bits, T, name, result)                                                                        \
  REEX_EXPORT T __tsan_atomic##bits##_##name(volatile T* address, T operand, int order) {                    \
    return modify(                                                                                           \
        address, [operand](T before) { return static_cast<T>(result); }, order, CALLER);                     \
  }

#define ATOMIC(bits, T)                                                                                      \
  REEX_EXPORT T __tsan_atomic##bits##_load(const volatile T* address, int order) {                           \
    return load(address, order, CALLER);                                                                     \
  }                                                                                                          \
  REEX_EXPORT void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {                    \
    store(address, value, order, CALLER);                                                                    \
  }                                                                                                          \
  REEX_EXPORT T __tsan_atomic##bits##_exchange(volatile T* address, T value, int order) {                    \
    return modify(                                                                                           \
        address, [value](T) { return value; }, order, CALLER);                                               \
  }                                                                                                          \
  MODIFY(bits, T, fetch_add, before + operand)                                                               \
  MODIFY(bits, T, fetch_sub, before - operand)                                                               \
  MODIFY(bits, T, fetch_and, before& operand)                                                                \
  MODIFY(bits, T, fetch_or, before | operand)                                                                \
  MODIFY(bits, T, fetch_xor, before ^ operand)                                                               \
  MODIFY(bits, T, fetch_nand, ~(before & operand))                                                           \
  REEX_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected, T desired,       \
                                                           int success, int failure) {                       \
    T seen;                                                                                                  \
    compare_exchange(address, expected, desired, false, seen, Orders{success, failure}, CALLER);             \
    return seen;                                                                                             \
  }                                                                                                          \
  REEX_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T* address, T* expected, T desired, \
                                                                int success, int failure) {                  \
    return compare_exchange(address, expected, desired, false, Orders{success, failure}, CALLER);            \
  }                                                                                                          \
  REEX_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T* address, T* expected, T desired,   \
                                                              int success, int failure) {                    \
    return compare_exchange(address, expected, desired, true, Orders{success, failure}, CALLER);             \
  }

ATOMIC(8, U8)
ATOMIC(16, U16)
ATOMIC(32, U32)
ATOMIC(64, U64)
ATOMIC(128, U128)

REEX_EXPORT void __tsan_atomic_thread_fence(int order) {
  REEX_POINT(Operation::atomic_fence, nullptr);
  order_fence(order);
}
REEX_EXPORT void __tsan_atomic_signal_fence(int) {}

// Atomic operations of inline assembly, and accesses of functions that are exempted from -fsanitize=thread
// (hooks/assembler/users_assembly.h). The instruction stands between the two hooks, and no thread is switched
// there.

namespace {

enum class Assembly { load, store, exchange, compare };

struct UnderWay {
  Assembly kind;
  void* object;
  std::size_t size;
  U128 before;
  U64 expected;
  bool exempted;
};
UnderWay g_under_way;

U128 contents(const void* object, std::size_t size) {
  U128 value = 0;
  memcpy(&value, object, size);
  return value;
}

constexpr U64 k_zero_flag = 1u << 6;     // set by an exchange that was made
constexpr unsigned k_exempted = 1u << 7; // of what a hook says
bool passes_over(const void* object, void* pc) {
  if (is_constant(object)) return true;
  if (!g.active || ++g.current->exempted <= k_most_exempted) return false;
  if (g.live > 1) note_exempted(pc);
  return true;
}

// Whoever exempts a function expects its accesses to race.
class Expecting {
public:
  explicit Expecting(bool exempted) : m_exempted(exempted) {
    if (m_exempted) ignore_accesses();
  }
  ~Expecting() {
    if (m_exempted) heed_accesses();
  }
  Expecting(const Expecting&) = delete;
  Expecting& operator=(const Expecting&) = delete;

private:
  bool m_exempted;
};

} // namespace

REEX_EXPORT void reex_assembly_before(void* object, unsigned what, void* pc, void* frame, U64 expected) {
  constexpr Operation operations[] = {Operation::atomic_load, Operation::atomic_store, Operation::atomic_rmw,
                                      Operation::atomic_cas};
  const bool exempted = (what & k_exempted) != 0;
  g_under_way.object = nullptr;
  if (exempted && passes_over(object, pc)) return;
  const auto kind = static_cast<Assembly>(what & 0x7f);
  const std::size_t size = what >> 8;
  const Caller caller{pc, frame};
  if (size > 4) fingerprint_extent(size);
  visible(operations[what & 0x7f], object, pc, frame);
  const Expecting races(exempted);
  if (kind == Assembly::load) ordered_read(object, size, __ATOMIC_ACQUIRE, caller);
  if (kind == Assembly::store) ordered_write(object, size, __ATOMIC_RELEASE, caller);
  if (kind == Assembly::exchange) ordered_exchange(object, size, __ATOMIC_SEQ_CST, caller);
  const U128 before = contents(object, size);
  if (kind == Assembly::load) note_read(object, bits_of(before));
  g_under_way = {kind, object, size, before, expected, exempted};
}

REEX_EXPORT void reex_assembly_behind(U64 flags, void* pc) {
  const UnderWay done = g_under_way;
  if (done.object == nullptr) return;
  const Caller caller{pc, nullptr};
  const Expecting races(done.exempted);
  if (done.kind == Assembly::compare && (flags & k_zero_flag) != 0) {
    ordered_exchange(done.object, done.size, __ATOMIC_SEQ_CST, caller);
  } else if (done.kind == Assembly::compare) {
    ordered_read(done.object, done.size, __ATOMIC_SEQ_CST, caller);
    record_failed_exchange();
    if (done.size == sizeof(U64)) note_if_address_kept(done.expected, static_cast<U64>(done.before), pc);
  }
  const U128 now = contents(done.object, done.size);
  if (done.kind == Assembly::store && now == done.before) // a thread that only stores does not wait
    note_write(done.object);
  else
    note_written(done.object, done.before, now);
}

// libatomic: functions for 16 bytes, and for any size through memory. The names are builtins, so labels
// define them.

#define LIBATOMIC(name) asm(#name)
#define LIBATOMIC_EXPORT extern "C" __attribute__((visibility("default"), used))

LIBATOMIC_EXPORT U128 reex_atomic_load_16(const volatile void* address, int order)
    LIBATOMIC(__atomic_load_16);
U128 reex_atomic_load_16(const volatile void* address, int order) {
  return load(static_cast<const volatile U128*>(address), order, CALLER);
}

LIBATOMIC_EXPORT void reex_atomic_store_16(volatile void* address, U128 value, int)
    LIBATOMIC(__atomic_store_16);
void reex_atomic_store_16(volatile void* address, U128 value, int order) {
  store(static_cast<volatile U128*>(address), value, order, CALLER);
}

LIBATOMIC_EXPORT U128 reex_atomic_exchange_16(volatile void* address, U128 value, int)
    LIBATOMIC(__atomic_exchange_16);
U128 reex_atomic_exchange_16(volatile void* address, U128 value, int order) {
  return modify(
      static_cast<volatile U128*>(address), [value](U128) { return value; }, order, CALLER);
}

LIBATOMIC_EXPORT bool reex_atomic_compare_exchange_16(volatile void* address, void* expected, U128 desired,
                                                      int, int) LIBATOMIC(__atomic_compare_exchange_16);
bool reex_atomic_compare_exchange_16(volatile void* address, void* expected, U128 desired, int success,
                                     int failure) {
  return compare_exchange(static_cast<volatile U128*>(address), static_cast<U128*>(expected), desired, false,
                          Orders{success, failure}, CALLER) != 0;
}

LIBATOMIC_EXPORT void reex_atomic_load(std::size_t size, const volatile void* address, void* result, int)
    LIBATOMIC(__atomic_load);
void reex_atomic_load(std::size_t size, const volatile void* address, void* result, int order) {
  void* object = const_cast<void*>(address);
  fingerprint_extent(size);
  REEX_READ_POINT(Operation::atomic_load, object);
  ordered_read(object, size, order, {REEX_CALLER, REEX_FRAME});
  memcpy(result, object, size);
  U64 head = 0;
  memcpy(&head, object, size < sizeof head ? size : sizeof head);
  note_read(object, head);
}

LIBATOMIC_EXPORT void reex_atomic_store(std::size_t size, volatile void* address, void* value, int)
    LIBATOMIC(__atomic_store);
void reex_atomic_store(std::size_t size, volatile void* address, void* value, int order) {
  void* object = const_cast<void*>(address);
  fingerprint_extent(size);
  REEX_POINT(Operation::atomic_store, object);
  ordered_write(object, size, order, {REEX_CALLER, REEX_FRAME});
  memcpy(object, value, size);
  note_write(object);
}

LIBATOMIC_EXPORT void reex_atomic_exchange(std::size_t size, volatile void* address, void* value,
                                           void* result, int) LIBATOMIC(__atomic_exchange);
void reex_atomic_exchange(std::size_t size, volatile void* address, void* value, void* result, int order) {
  void* object = const_cast<void*>(address);
  fingerprint_extent(size);
  REEX_READ_POINT(Operation::atomic_rmw, object);
  ordered_exchange(object, size, order, {REEX_CALLER, REEX_FRAME});
  const bool changes = memcmp(object, value, size) != 0; // one that changes nothing is a read
  memcpy(result, object, size);
  memcpy(object, value, size);
  if (changes)
    note_write(object);
  else
    note_read(object, 0);
}

LIBATOMIC_EXPORT bool reex_atomic_compare_exchange(std::size_t size, volatile void* address, void* expected,
                                                   void* desired, int, int)
    LIBATOMIC(__atomic_compare_exchange);
bool reex_atomic_compare_exchange(std::size_t size, volatile void* address, void* expected, void* desired,
                                  int success, int failure) {
  void* object = const_cast<void*>(address);
  fingerprint_extent(size);
  REEX_READ_POINT(Operation::atomic_cas, object);
  if (memcmp(object, expected, size) == 0) {
    ordered_exchange(object, size, success, {REEX_CALLER, REEX_FRAME});
    memcpy(object, desired, size);
    note_write(object);
    return true;
  }
  ordered_read(object, size, failure, {REEX_CALLER, REEX_FRAME});
  record_failed_exchange();
  memcpy(expected, object, size);
  note_read(object, 0);
  return false;
}
