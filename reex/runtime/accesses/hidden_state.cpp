// Calls of functions that use hidden state (semantics: "Hidden state"), and of locks of other libraries
// ("Locks of other libraries", "OpenMP"). The runtime exports each function of hidden_state.def and
// foreign_locks.def, and of openmp.def those that need no more than this.
// Their types differ, so each export is a few instructions that keep all registers of arguments, tell about
// the call, and go on with the real function. What it does to objects of the test is in library_objects.def.
#include <cstring>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/accesses/library_objects.h"
#include "reex/runtime/accesses/loader.h"
#include "reex/runtime/accesses/trampoline.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/thread_folder.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/new_code.h"
#include "reex/shared/hidden_objects.h"

namespace reex {
namespace {

enum class Use : std::uint8_t { read, look, write, change, buffer, lock, try_lock, unlock, meet, join };

namespace objects {
constexpr std::uint64_t first = 0; // the object is what the first argument points to
constexpr std::uint64_t second = 1;
constexpr std::uint64_t future = 2; // what the first argument, a QFutureInterfaceBase, refers to
#define X(name, text) constexpr std::uint64_t name = hidden_object(Hidden::name);
REEX_HIDDEN_OBJECTS(X)
#undef X
} // namespace objects

struct HiddenCall {
  const char* name;
  std::uint64_t object;
  Use use;
  std::uint8_t null_argument; // from 1; 0: none
};

constexpr HiddenCall k_calls[] = {
#define REEX_FOREIGN(function, object, use) {#function, objects::object, Use::use, 0},
#define REEX_HIDDEN(function, object, use, argument) {#function, objects::object, Use::use, argument},
#define REEX_OPENMP_CALL REEX_FOREIGN
#include "reex/runtime/accesses/foreign_locks.def"
#include "reex/runtime/accesses/hidden_state.def"
#include "reex/shared/openmp.def"
#undef REEX_FOREIGN
#undef REEX_HIDDEN
};

constexpr unsigned k_result = 6; // rax, among the registers of arguments

void* g_real[sizeof k_calls / sizeof *k_calls];
const ChangingCall* g_objects[sizeof k_calls / sizeof *k_calls]; // of g_real; null: none

// What is under way in the runtime itself, in a single thread, or without control interests nobody.
bool is_seen(const HiddenCall& call, const std::uint64_t* arguments, const void* pc) {
  if (!g.active || in_runtime(reinterpret_cast<std::uint64_t>(pc)) || is_alone()) return false;
  if (call.use == Use::look && !in_instrumented_module(reinterpret_cast<std::uint64_t>(pc))) return false;
  return call.null_argument == 0 || arguments[call.null_argument - 1] == 0;
}

dirent* read_folder(DIR* folder) {
  static auto* const real = reinterpret_cast<dirent* (*)(DIR*)>(find_library_function("readdir"));
  const int descriptor = dirfd(folder);
  return lists_threads(descriptor) ? next_thread(descriptor) : real(folder);
}

void* real_of(const HiddenCall& call) {
  const bool reads_folder = strcmp(call.name, "readdir") == 0 || strcmp(call.name, "readdir64") == 0;
  return reads_folder ? reinterpret_cast<void*>(read_folder) : find_library_function(call.name);
}

void* object_of(const HiddenCall& call, const std::uint64_t* arguments) {
  switch (call.object) {
  case objects::first:
    return reinterpret_cast<void*>(arguments[0]);
  case objects::second:
    return reinterpret_cast<void*>(arguments[1]);
  case objects::future: // behind the pointer to the virtual functions
    return *reinterpret_cast<void**>(arguments[0] + sizeof(void*));
  default:
    return reinterpret_cast<void*>(call.object);
  }
}

// The thread follows others when the function returns, also if all of them have ended.
bool follows(Use use) {
  return use == Use::lock || use == Use::try_lock || use == Use::meet || use == Use::join;
}

void follow(const HiddenCall& call, const std::uint64_t* arguments) {
  const bool is_true = (arguments[k_result] & 0xff) != 0;
  if (!is_true && (call.use == Use::try_lock || call.use == Use::join)) return;
  const void* object = object_of(call, arguments);
  if (call.use == Use::join)
    order_after_thread_of(object);
  else
    acquire_stated(object);
}

void reach_read(const HiddenCall& call, const std::uint64_t* arguments, void* frame, void* pc) {
  void* object = object_of(call, arguments);
  visible(Operation::library_read, object, pc, frame);
  note_read(object, 0); // its value is not known; whoever waits for it to change does so in a loop
}

} // namespace

// Called with the registers of the arguments in memory, in their order.
extern "C" __attribute__((used)) Continuation reex_at_hidden(unsigned index, std::uint64_t* arguments,
                                                             std::uint64_t* frame, void* pc) {
  const HiddenCall& call = k_calls[index];
  if (g_real[index] == nullptr) [[unlikely]] {
    g_objects[index] = changing_call(call.name);
    g_real[index] = real_of(call);
  }
  const ChangingCall* const changed =
      g_objects[index] != nullptr && is_watched(pc) ? g_objects[index] : nullptr;
  if (changed != nullptr) reach_objects(*changed, arguments, frame, pc);
  bool comes_back = false;
  if (!is_seen(call, arguments, pc)) {
    if (call.object == objects::loader) code_comes();
    comes_back = g.active && follows(call.use);
  } else if (call.use == Use::read || call.use == Use::look) {
    reach_read(call, arguments, frame, pc);
  } else {
    visible(Operation::library_write, object_of(call, arguments), pc, frame);
    if (call.object == objects::loader) {
      begin_loading(pc, frame);
      code_comes();
    }
    if (call.use == Use::change || call.use == Use::buffer) fingerprint_fence();
    if (call.use == Use::unlock || call.use == Use::meet) release_stated(object_of(call, arguments));
    comes_back = call.use == Use::buffer || follows(call.use);
  }
  if (changed != nullptr) comes_back |= read_objects(*changed, arguments, frame, pc);
  return {g_real[index], comes_back};
}

// The function has returned; its result is behind the registers of arguments. Of a buffer: the caller is
// about to use it.
extern "C" __attribute__((used)) void reex_behind_hidden(unsigned index, std::uint64_t* arguments,
                                                         std::uint64_t* frame, void* pc) {
  const HiddenCall& call = k_calls[index];
  if (g_objects[index] != nullptr && is_watched(pc)) write_objects(*g_objects[index], arguments, frame, pc);
  if (follows(call.use)) return follow(call, arguments);
  if (call.use == Use::buffer && is_seen(call, arguments, pc)) reach_read(call, arguments, frame, pc);
}

} // namespace reex

REEX_COMMON_PLACE("reex_call_hidden", "reex_at_hidden", "reex_behind_hidden")

// The exported functions, numbered as in the table.
#define REEX_HIDDEN(function, object, use, argument)                                                         \
  REEX_TRAMPOLINE(function, "reex_hidden_index", "reex_call_hidden")
#define REEX_FOREIGN(function, object, use) REEX_HIDDEN(function, object, use, 0)
#define REEX_OPENMP_CALL REEX_FOREIGN
asm(".text\n.set reex_hidden_index, 0\n"
#include "reex/runtime/accesses/foreign_locks.def"
#include "reex/runtime/accesses/hidden_state.def"
#include "reex/shared/openmp.def"
);
#undef REEX_FOREIGN
#undef REEX_HIDDEN
