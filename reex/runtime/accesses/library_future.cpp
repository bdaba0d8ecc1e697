// A promise that is kept at the end of its thread (set_value_at_thread_exit). The code that does so then is
// in libstdc++, where atomics are not instrumented: it makes the shared state ready, and drops a reference to
// it.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"

using namespace reex;

namespace {

struct SharedCount;

struct SharedCountTable { // of std::_Sp_counted_base
  void (*destructors[2])(SharedCount*);
  void (*dispose)(SharedCount*); // destroys what is shared
  void (*destroy)(SharedCount*); // and the count itself
};

struct SharedCount {
  const SharedCountTable* table;
  int users;
  int observers; // and one for all users together
};

struct SharedState { // std::__future_base::_State_baseV2
  const void* table;
  void* result;
  unsigned status; // 1: ready; the highest bit: somebody waits for it
};

struct MakeReady { // std::__future_base::_State_baseV2::_Make_ready, as it waits for the end of the thread
  MakeReady* next;
  void (*run)(void*);
  SharedState* state; // a weak pointer
  SharedCount* count;
};

constinit Real<void(MakeReady*)> g_set("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
void (*g_run)(void*) = nullptr;

// The effect of an atomic read-modify-write operation on the word. Nothing may come between this and the
// operation itself.
void ordered_change(void* word, void* pc, void* frame) {
  visible(Operation::atomic_rmw, word, pc, frame);
  acquire_from(word);
  release_to(word);
}

bool drop_one(int& count, void* pc, void* frame) {
  ordered_change(&count, pc, frame);
  const auto before = static_cast<unsigned>(count--);
  note_change(&count, before, before - 1);
  return before == 1;
}

void release(SharedCount* count, void* pc, void* frame) {
  if (!drop_one(count->users, pc, frame)) return;
  count->table->dispose(count);
  if (drop_one(count->observers, pc, frame)) count->table->destroy(count);
}

// libstdc++ takes a reference, makes the state ready, and drops the reference. It is never the last owner,
// because the reference that is taken here outlives it.
void make_ready(void* waiting) {
  SharedCount* const count = static_cast<MakeReady*>(waiting)->count;
  SharedState* const state = static_cast<MakeReady*>(waiting)->state;
  if (!g.active || count == nullptr || count->users == 0) return g_run(waiting);
  ordered_change(&count->users, REEX_CALLER, REEX_FRAME);
  if (count->users == 0) return g_run(waiting); // others came first
  ++count->users;
  ordered_change(&state->status, REEX_CALLER, REEX_FRAME);
  note_change(&state->status, state->status, 1);
  g_run(waiting);
  release(count, REEX_CALLER, REEX_FRAME);
}

} // namespace

REEX_LIBRARY_FUNCTION(void, set_at_thread_exit, "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv",
                      MakeReady* waiting) {
  g_set(waiting);
  if (!g.active) return;
  g_run = waiting->run;
  waiting->run = make_ready;
}
