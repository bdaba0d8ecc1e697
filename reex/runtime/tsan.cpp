// The hooks of -fsanitize=thread, as g++ and clang emit them: atomics are visible operations; plain accesses
// are, under
// --accesses all; function entries and exits keep the shadow call stack.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reex/runtime/execution.h"
#include "reex/runtime/runtime.h"

using namespace reex;

namespace {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using U128 = unsigned __int128;

// A plain access is visible under --accesses all, or when a loop has made so many of them without any visible
// operation that it may wait for another thread.
__attribute__((noinline)) void plain_access(const void* address, std::size_t size, bool write, void* pc,
                                            void* frame) {
  if (!g.active) {
    g_fuel = k_fuel;
    return;
  }
  const bool looping = g_fuel < 0;
  void* object = const_cast<void*>(address);
  visible(write ? Operation::plain_write : Operation::plain_read, object, pc, frame);
  if (!write) {
    U64 value = 0;
    memcpy(&value, address, size < sizeof value ? size : sizeof value);
    note_read(object, value);
  }
  if (looping) g_fuel = k_fuel_in_loop;
}

inline void access(const void* address, std::size_t size, bool write, void* pc, void* frame) {
  if (--g_fuel < g_visible_below) [[unlikely]]
    plain_access(address, size, write, pc, frame);
}

template <typename T>
U64 bits_of(T value) {
  return static_cast<U64>(value);
}

} // namespace

#define ACCESS(size, write) access(address, size, write, REEX_CALLER, REEX_FRAME)

#define ACCESS_HOOKS(size)                                                                                   \
  REEX_EXPORT void __tsan_read##size(void* address) { ACCESS(size, false); }                                 \
  REEX_EXPORT void __tsan_write##size(void* address) { ACCESS(size, true); }                                 \
  REEX_EXPORT void __tsan_read##size##_pc(void* address, void*) { ACCESS(size, false); }                     \
  REEX_EXPORT void __tsan_write##size##_pc(void* address, void*) { ACCESS(size, true); }                     \
  REEX_EXPORT void __tsan_read_write##size(void* address) {                                                  \
    ACCESS(size, false);                                                                                     \
    ACCESS(size, true);                                                                                      \
  }                                                                                                          \
  REEX_EXPORT void __tsan_unaligned_read##size(void* address) { ACCESS(size, false); }                       \
  REEX_EXPORT void __tsan_unaligned_write##size(void* address) { ACCESS(size, true); }                       \
  REEX_EXPORT void __tsan_unaligned_read_write##size(void* address) {                                        \
    ACCESS(size, false);                                                                                     \
    ACCESS(size, true);                                                                                      \
  }                                                                                                          \
  REEX_EXPORT void __tsan_volatile_read##size(void* address) { ACCESS(size, false); }                        \
  REEX_EXPORT void __tsan_volatile_write##size(void* address) { ACCESS(size, true); }                        \
  REEX_EXPORT void __tsan_unaligned_volatile_read##size(void* address) { ACCESS(size, false); }              \
  REEX_EXPORT void __tsan_unaligned_volatile_write##size(void* address) { ACCESS(size, true); }

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

REEX_EXPORT void __tsan_read_range(void* address, std::size_t size) { ACCESS(size, false); }
REEX_EXPORT void __tsan_write_range(void* address, std::size_t size) { ACCESS(size, true); }
REEX_EXPORT void __tsan_read_range_pc(void* address, std::size_t size, void*) { ACCESS(size, false); }
REEX_EXPORT void __tsan_write_range_pc(void* address, std::size_t size, void*) { ACCESS(size, true); }
REEX_EXPORT void __tsan_vptr_read(void** address) { ACCESS(sizeof(void*), false); }
REEX_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) ACCESS(sizeof(void*), true);
}

REEX_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  access(from, size, false, REEX_CALLER, REEX_FRAME);
  access(to, size, true, REEX_CALLER, REEX_FRAME);
  return memcpy(to, from, size);
}

REEX_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  access(from, size, false, REEX_CALLER, REEX_FRAME);
  access(to, size, true, REEX_CALLER, REEX_FRAME);
  return memmove(to, from, size);
}

REEX_EXPORT void* __tsan_memset(void* to, int value, std::size_t size) {
  access(to, size, true, REEX_CALLER, REEX_FRAME);
  return memset(to, value, size);
}

REEX_EXPORT void __tsan_init() {}
REEX_EXPORT void __tsan_func_entry(void* pc) { *g_shadow++ = pc; }
REEX_EXPORT void __tsan_func_exit() { --g_shadow; }
REEX_EXPORT void __tsan_ignore_thread_begin() {}
REEX_EXPORT void __tsan_ignore_thread_end() {}
REEX_EXPORT void __tsan_acquire(void*) {}
REEX_EXPORT void __tsan_release(void*) {}
REEX_EXPORT void AnnotateHappensBefore(const char*, int, void*) {}
REEX_EXPORT void AnnotateHappensAfter(const char*, int, void*) {}

// One operating-system thread runs all fibers: the operations need no atomicity of the machine.
#define ATOMIC(bits, T)                                                                                      \
  REEX_EXPORT T __tsan_atomic##bits##_load(const volatile T* address, int) {                                 \
    void* object = const_cast<T*>(address);                                                                  \
    REEX_POINT(Operation::atomic_load, object);                                                              \
    const T value = *address;                                                                                \
    note_read(object, bits_of(value));                                                                       \
    return value;                                                                                            \
  }                                                                                                          \
  REEX_EXPORT void __tsan_atomic##bits##_store(volatile T* address, T value, int) {                          \
    REEX_POINT(Operation::atomic_store, const_cast<T*>(address));                                            \
    *address = value;                                                                                        \
  }                                                                                                          \
  ATOMIC_RMW(bits, T, exchange, operand)                                                                     \
  ATOMIC_RMW(bits, T, fetch_add, static_cast<T>(before + operand))                                           \
  ATOMIC_RMW(bits, T, fetch_sub, static_cast<T>(before - operand))                                           \
  ATOMIC_RMW(bits, T, fetch_and, static_cast<T>(before & operand))                                           \
  ATOMIC_RMW(bits, T, fetch_or, static_cast<T>(before | operand))                                            \
  ATOMIC_RMW(bits, T, fetch_xor, static_cast<T>(before ^ operand))                                           \
  ATOMIC_RMW(bits, T, fetch_nand, static_cast<T>(~(before & operand)))                                       \
  REEX_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected, T desired, int,  \
                                                           int) {                                            \
    return compare_exchange(address, expected, desired, REEX_CALLER, REEX_FRAME);                            \
  }                                                                                                          \
  REEX_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T* address, T* expected, T desired, \
                                                                int, int) {                                  \
    const T before = compare_exchange(address, *expected, desired, REEX_CALLER, REEX_FRAME);                 \
    const bool done = before == *expected;                                                                   \
    if (!done) *expected = before;                                                                           \
    return done;                                                                                             \
  }                                                                                                          \
  REEX_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T* address, T* expected, T desired,   \
                                                              int, int) {                                    \
    bool done = false;                                                                                       \
    const T before = compare_exchange(address, *expected, desired, REEX_CALLER, REEX_FRAME, &done);          \
    if (!done) *expected = before;                                                                           \
    return done;                                                                                             \
  }

#define ATOMIC_RMW(bits, T, name, result)                                                                    \
  REEX_EXPORT T __tsan_atomic##bits##_##name(volatile T* address, T operand, int) {                          \
    REEX_POINT(Operation::atomic_rmw, const_cast<T*>(address));                                              \
    const T before = *address;                                                                               \
    *address = result;                                                                                       \
    return before;                                                                                           \
  }

namespace {

// A weak compare-exchange may fail although it could succeed: a choice under --spurious.
bool fails_spuriously() {
  if (!g.active || !g.control->config.spurious) return false;
  Inside inside;
  constexpr std::uint16_t k_outcomes[] = {0, 1}; // succeeds, fails
  return choose({.kind = ChoiceKind::option,
                 .count = 2,
                 .thread = k_outcomes,
                 .bits = nullptr,
                 .current_first = false,
                 .leaving_is_free = true,
                 .step = g.step,
                 .hash = g.hash}) == 1;
}

// `weak_done`: null for the strong form, else receives whether the exchange was made.
template <typename T>
T compare_exchange(volatile T* address, T expected, T desired, void* pc, void* frame,
                   bool* weak_done = nullptr) {
  void* object = const_cast<T*>(address);
  visible(Operation::atomic_cas, object, pc, frame);
  const T before = *address;
  const bool done = before == expected && !(weak_done != nullptr && fails_spuriously());
  if (done) {
    *address = desired;
    note_write(object);
  } else {
    note_read(object, bits_of(before));
  }
  if (weak_done != nullptr) *weak_done = done;
  return before;
}

} // namespace

ATOMIC(8, U8)
ATOMIC(16, U16)
ATOMIC(32, U32)
ATOMIC(64, U64)
ATOMIC(128, U128)

REEX_EXPORT void __tsan_atomic_thread_fence(int) { REEX_POINT(Operation::atomic_fence, nullptr); }
REEX_EXPORT void __tsan_atomic_signal_fence(int) {}
