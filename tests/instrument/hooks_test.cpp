// The atomics of libreex_hooks.so, called by name as the compilers call them. Every width and operation gives
// the values that the language requires, and is atomic when four threads use one object at the same time. And
// what programs call by themselves of the interface of sanitizers.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define REEX_ATOMIC_TYPE(bits, type)                                                                         \
  using atomic##bits = type;                                                                                 \
  extern "C" type __tsan_atomic##bits##_load(const volatile type*, int);                                     \
  extern "C" void __tsan_atomic##bits##_store(volatile type*, type, int);                                    \
  extern "C" type __tsan_atomic##bits##_compare_exchange_val(volatile type*, type, type, int, int);          \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(volatile type*, type*, type, int, int);       \
  extern "C" int __tsan_atomic##bits##_compare_exchange_weak(volatile type*, type*, type, int, int);
#include "reex/hooks/abi.def"

#define REEX_DECLARE(bits, name)                                                                             \
  extern "C" atomic##bits __tsan_atomic##bits##_##name(volatile atomic##bits*, atomic##bits, int);
#define REEX_ATOMIC_RMW(name, builtin, expression)                                                           \
  REEX_DECLARE(8, name)                                                                                      \
  REEX_DECLARE(16, name)                                                                                     \
  REEX_DECLARE(32, name)                                                                                     \
  REEX_DECLARE(64, name)                                                                                     \
  REEX_DECLARE(128, name)
#include "reex/hooks/abi.def"

#define REEX_ANNOTATION(name) extern "C" void name(...);
#define REEX_QUESTION(name) extern "C" long name(...);
#include "reex/hooks/abi.def"
extern "C" int __sanitizer_acquire_crash_state();
extern "C" const char* __sanitizer_get_report_path();
extern "C" std::size_t __sanitizer_get_allocated_size(const void*);
extern "C" std::size_t __sanitizer_get_estimated_allocated_size(std::size_t);
extern "C" int __sanitizer_get_ownership(const void*);
extern "C" void __sanitizer_symbolize_pc(void*, const char*, char*, std::size_t);
extern "C" void __sanitizer_symbolize_global(void*, const char*, char*, std::size_t);

#define REEX_CHECK(condition)                                                                                \
  if (!(condition)) {                                                                                        \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                     \
    std::exit(1);                                                                                            \
  }

namespace {

constexpr int k_order = __ATOMIC_SEQ_CST;
constexpr int k_threads = 4;
constexpr int k_rounds = 50000;

// Half of a wide value is above 64 bits, so the test would notice a torn access.
template <class T>
T wide(unsigned low) {
  if constexpr (sizeof(T) == 16)
    return static_cast<T>(low) << 64 | low;
  else
    return static_cast<T>(low);
}

template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

} // namespace

#define REEX_ATOMIC_TYPE(bits, type)                                                                         \
  static void test_values_##bits() {                                                                         \
    alignas(16) type object = wide<type>(12);                                                                \
    REEX_CHECK(__tsan_atomic##bits##_load(&object, k_order) == wide<type>(12));                              \
    __tsan_atomic##bits##_store(&object, wide<type>(10), k_order);                                           \
    REEX_CHECK(object == wide<type>(10));                                                                    \
    type expected = wide<type>(9);                                                                           \
    REEX_CHECK(!__tsan_atomic##bits##_compare_exchange_strong(&object, &expected, 1, k_order, k_order));     \
    REEX_CHECK(expected == wide<type>(10) && object == wide<type>(10));                                      \
    REEX_CHECK(                                                                                              \
        __tsan_atomic##bits##_compare_exchange_weak(&object, &expected, wide<type>(6), k_order, k_order));   \
    REEX_CHECK(__tsan_atomic##bits##_compare_exchange_val(&object, wide<type>(6), wide<type>(12), k_order,   \
                                                          k_order) == wide<type>(6));                        \
    REEX_CHECK(object == wide<type>(12));                                                                    \
  }                                                                                                          \
  static void test_threads_##bits() {                                                                        \
    alignas(16) static type sum = 0;                                                                         \
    alignas(16) static type bumped = 0;                                                                      \
    in_threads([] {                                                                                          \
      for (int i = 0; i < k_rounds; ++i) {                                                                   \
        __tsan_atomic##bits##_fetch_add(&sum, wide<type>(1), k_order);                                       \
        type seen = __tsan_atomic##bits##_load(&bumped, k_order);                                            \
        while (!__tsan_atomic##bits##_compare_exchange_strong(                                               \
            &bumped, &seen, static_cast<type>(seen + wide<type>(1)), k_order, k_order)) {                    \
        }                                                                                                    \
      }                                                                                                      \
    });                                                                                                      \
    REEX_CHECK(sum == wide<type>(k_threads * k_rounds));                                                     \
    REEX_CHECK(bumped == sum);                                                                               \
  }
#include "reex/hooks/abi.def"

#define REEX_TEST_RMW(bits, name, expression)                                                                \
  {                                                                                                          \
    alignas(16) atomic##bits object = wide<atomic##bits>(12);                                                \
    const atomic##bits operand = wide<atomic##bits>(10);                                                     \
    [[maybe_unused]] const atomic##bits old = object;                                                        \
    const atomic##bits made = static_cast<atomic##bits>(expression);                                         \
    REEX_CHECK(__tsan_atomic##bits##_##name(&object, operand, k_order) == old);                              \
    REEX_CHECK(object == made);                                                                              \
  }

static void test_read_modify_write() {
#define REEX_ATOMIC_RMW(name, builtin, expression)                                                           \
  REEX_TEST_RMW(8, name, expression)                                                                         \
  REEX_TEST_RMW(16, name, expression)                                                                        \
  REEX_TEST_RMW(32, name, expression)                                                                        \
  REEX_TEST_RMW(64, name, expression)                                                                        \
  REEX_TEST_RMW(128, name, expression)
#include "reex/hooks/abi.def"
}

static void test_interface() {
  __sanitizer_print_stack_trace();
  __sanitizer_set_death_callback(&std::abort);
  REEX_CHECK(__sanitizer_acquire_crash_state() == 1);
  REEX_CHECK(__sanitizer_get_report_path() != nullptr);
  char text[8] = "text";
  __sanitizer_symbolize_pc(text, "%p", text, sizeof text);
  REEX_CHECK(text[0] == 0);
  __sanitizer_symbolize_global(text, "%p", text, 0);
  REEX_CHECK(__sanitizer_get_module_and_offset_for_pc(text, text, sizeof text, nullptr) == 0);
  REEX_CHECK(__tsan_get_current_report() == 0);
  void* memory = std::malloc(100);
  REEX_CHECK(__sanitizer_get_allocated_size(memory) >= 100);
  REEX_CHECK(__sanitizer_get_estimated_allocated_size(100) == 100);
  REEX_CHECK(__sanitizer_get_ownership(memory) == 1);
  std::free(memory);
}

int main() {
#define REEX_ATOMIC_TYPE(bits, type)                                                                         \
  test_values_##bits();                                                                                      \
  test_threads_##bits();
#include "reex/hooks/abi.def"
  test_read_modify_write();
  test_interface();
  return 0;
}
