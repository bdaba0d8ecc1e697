// libreex_hooks.so: the -fsanitize=thread ABI without ThreadSanitizer. An instrumented program that is linked
// with it behaves as if it were not instrumented: an access costs a call and a return, and atomics are atomic
// and sequentially consistent.
//
// Under reex, the preloaded libreex_rt.so defines the same symbols and is found first. So every symbol here
// must stay preemptible (default visibility, no -Bsymbolic). The library needs only libc, so it can replace
// libtsan in programs that are not C++.
#include <malloc.h>
#include <string.h>

#define REEX_EXPORT extern "C" __attribute__((visibility("default")))

// Accesses and calls

REEX_EXPORT void __tsan_init() {}
REEX_EXPORT void __tsan_func_entry(void*) {}
REEX_EXPORT void __tsan_func_exit() {}
REEX_EXPORT void __tsan_vptr_update(void**, void*) {}
REEX_EXPORT void __tsan_vptr_read(void**) {}

#define REEX_ACCESS(name, bytes, writes)                                                                     \
  REEX_EXPORT void __tsan_##name(void*) {}
#define REEX_ACCESS_PC(name, bytes, writes)                                                                  \
  REEX_EXPORT void __tsan_##name(void*, void*) {}
#define REEX_RANGE(name, writes)                                                                             \
  REEX_EXPORT void __tsan_##name(void*, unsigned long) {}                                                    \
  REEX_EXPORT void __tsan_##name##_pc(void*, unsigned long, void*) {}
#define REEX_ANNOTATION(name)                                                                                \
  REEX_EXPORT void name(...) {}
#define REEX_QUESTION(name)                                                                                  \
  REEX_EXPORT long name(...) { return 0; }
#include "reex/hooks/abi.def"

REEX_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t bytes) { return memcpy(to, from, bytes); }
REEX_EXPORT void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  return memmove(to, from, bytes);
}
REEX_EXPORT void* __tsan_memset(void* to, int value, size_t bytes) { return memset(to, value, bytes); }

// Inline assembly (assembler/users_assembly.h): before an atomic operation, and behind one that may write.
// `what`: its kind, and from bit 8 its bytes; `expected`: rax; `flags`: those that it has left.

REEX_EXPORT void reex_assembly_before(void* /*object*/, unsigned /*what*/, void* /*pc*/, void* /*frame*/,
                                      unsigned long /*expected*/) {}
REEX_EXPORT void reex_assembly_behind(unsigned long /*flags*/, void* /*pc*/) {}

// Annotations that return something

REEX_EXPORT int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
REEX_EXPORT void* __tsan_get_current_fiber() { return nullptr; }
REEX_EXPORT void* __tsan_create_fiber(unsigned) { return nullptr; }
REEX_EXPORT void* __tsan_external_register_tag(const char*) { return nullptr; }
REEX_EXPORT int __sanitizer_acquire_crash_state() { return 1; }
REEX_EXPORT const char* __sanitizer_get_report_path() { return "stderr"; }
REEX_EXPORT size_t __sanitizer_get_estimated_allocated_size(size_t bytes) { return bytes; }
REEX_EXPORT size_t __sanitizer_get_allocated_size(const void* memory) {
  return malloc_usable_size(const_cast<void*>(memory));
}
REEX_EXPORT int __sanitizer_get_ownership(const void* memory) { return memory != nullptr; }
REEX_EXPORT int RunningOnValgrind() { return 0; }
REEX_EXPORT double ValgrindSlowdown() { return 1; }

#define REEX_UNALIGNED(bits, type)                                                                           \
  REEX_EXPORT type __sanitizer_unaligned_load##bits(const void* from) {                                      \
    type value;                                                                                              \
    memcpy(&value, from, sizeof value);                                                                      \
    return value;                                                                                            \
  }                                                                                                          \
  REEX_EXPORT void __sanitizer_unaligned_store##bits(void* to, type value) {                                 \
    memcpy(to, &value, sizeof value);                                                                        \
  }
REEX_UNALIGNED(16, unsigned short)
REEX_UNALIGNED(32, unsigned int)
REEX_UNALIGNED(64, unsigned long)

// An address has no name here.
REEX_EXPORT void __sanitizer_symbolize_pc(void*, const char*, char* text, size_t bytes) {
  if (bytes != 0) *text = '\0';
}
REEX_EXPORT void __sanitizer_symbolize_global(void*, const char*, char* text, size_t bytes) {
  if (bytes != 0) *text = '\0';
}

// Atomics

namespace {

// Up to eight bytes: the compiler's builtins. Sixteen bytes: everything is made from one
// compare-and-exchange. It is the __sync builtin, because both compilers inline only that one (-mcx16); the
// __atomic one calls libatomic.
template <class T>
T compare_exchange(volatile T* object, T expected, T desired) {
  return __sync_val_compare_and_swap(object, expected, desired);
}

template <class T>
T load(const volatile T* object) {
  if constexpr (sizeof(T) == 16)
    return compare_exchange<T>(const_cast<volatile T*>(object), 0, 0);
  else
    return __atomic_load_n(object, __ATOMIC_SEQ_CST);
}

// Returns the old value; `make` computes the new one.
template <class T, class Make>
T modify(volatile T* object, Make make) {
  T old = load(object);
  for (;;) {
    T seen = compare_exchange<T>(object, old, make(old));
    if (seen == old) return old;
    old = seen;
  }
}

template <class T>
void store(volatile T* object, T value) {
  if constexpr (sizeof(T) == 16)
    modify(object, [value](T) { return value; });
  else
    __atomic_store_n(object, value, __ATOMIC_SEQ_CST);
}

// A failed exchange gives the caller the value that it saw.
template <class T>
int compare_exchange_in_place(volatile T* object, T* expected, T desired) {
  T seen = compare_exchange(object, *expected, desired);
  if (seen == *expected) return 1;
  *expected = seen;
  return 0;
}

} // namespace

#define REEX_ATOMIC_TYPE(bits, type)                                                                         \
  using atomic##bits = type;                                                                                 \
  REEX_EXPORT type __tsan_atomic##bits##_load(const volatile type* object, int) { return load(object); }     \
  REEX_EXPORT void __tsan_atomic##bits##_store(volatile type* object, type value, int) {                     \
    store(object, value);                                                                                    \
  }                                                                                                          \
  REEX_EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type* object, type expected,          \
                                                              type desired, int, int) {                      \
    return compare_exchange(object, expected, desired);                                                      \
  }                                                                                                          \
  REEX_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type* object, type* expected,       \
                                                                type desired, int, int) {                    \
    return compare_exchange_in_place(object, expected, desired);                                             \
  }                                                                                                          \
  REEX_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type* object, type* expected,         \
                                                              type desired, int, int) {                      \
    return compare_exchange_in_place(object, expected, desired);                                             \
  }
#include "reex/hooks/abi.def"

#define REEX_RMW_SMALL(bits, name, builtin)                                                                  \
  REEX_EXPORT atomic##bits __tsan_atomic##bits##_##name(volatile atomic##bits* object, atomic##bits operand, \
                                                        int) {                                               \
    return builtin(object, operand, __ATOMIC_SEQ_CST);                                                       \
  }
#define REEX_ATOMIC_RMW(name, builtin, expression)                                                           \
  REEX_RMW_SMALL(8, name, builtin)                                                                           \
  REEX_RMW_SMALL(16, name, builtin)                                                                          \
  REEX_RMW_SMALL(32, name, builtin)                                                                          \
  REEX_RMW_SMALL(64, name, builtin)                                                                          \
  REEX_EXPORT atomic128 __tsan_atomic128_##name(volatile atomic128* object, atomic128 operand, int) {        \
    return modify(object, [operand]([[maybe_unused]] atomic128 old) { return expression; });                 \
  }
#include "reex/hooks/abi.def"

REEX_EXPORT void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
REEX_EXPORT void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
