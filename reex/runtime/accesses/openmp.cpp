// Parallel regions and tasks of OpenMP, as g++ compiles them (semantics: "OpenMP"; openmp.def has the rest).
// Their bodies are functions of the test that libgomp calls. Here others take their places, which say what
// orders a body: it follows what its creator has done, and its end comes before whatever waits for it.
//
// The variables store addresses of functions, and the dependences of one execution, which the next one does
// not look at: neither a restore nor a worker's death matters to them.
#include <array>
#include <cstdint>
#include <utility>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/annotated.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/shared/hidden_objects.h"

using namespace reex;

namespace {

using Body = void(void*);
using Copy = void(void*, void*); // of a task's data, into the second

void* const g_tasks = reinterpret_cast<void*>(hidden_object(Hidden::openmp_tasks));
void* const g_team = reinterpret_cast<void*>(hidden_object(Hidden::openmp_team));

// A parallel region, on the stack of the thread that meets it and waits for all members. Two places in it,
// for its begin and its end: members do not follow each other.
class Region {
public:
  Region(Body* body, void* data) : m_body(body), m_data(data) { release_stated(&m_body); }
  ~Region() {
    acquire_stated(&m_data);
    acquire_stated(g_team); // tasks that members have executed when they were through
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  static void run_member(void* of) {
    const auto* region = static_cast<const Region*>(of);
    acquire_stated(&region->m_body);
    region->m_body(region->m_data);
    release_stated(&region->m_data);
  }

private:
  Body* m_body;
  void* m_data;
};

// What a task depends on, or others on it, by the clause `depend`.
struct Dependence {
  const void* object;
  bool changes; // out, inout, mutexinoutset: it follows all that name the object, and else those that change
                // it
};

const void* changed_at(const void* object) { return published_at(object); }
const void* used_at(const void* object) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(object) | std::uintptr_t{3} << 62);
}

// Nobody tells the body of a task more than its data, so each function has a task body of its own here. It
// has the dependences of all tasks with this function: so much order that no race is said falsely.
struct TaskBody {
  static constexpr unsigned k_dependences = 16;

  Body* body;
  Copy* copy; // may be null
  Dependence dependences[k_dependences];
  unsigned count;
  bool follows_all;        // dependences of other kinds, or too many
  std::uint32_t execution; // in which these dependences were met

  void add(const void* object, bool changes) {
    for (unsigned i = 0; i < count; ++i)
      if (dependences[i].object == object && dependences[i].changes == changes) return;
    if (count == k_dependences)
      follows_all = true;
    else
      dependences[count++] = {object, changes};
  }

  // As the compiler passes it: the numbers, and behind them first the objects that are changed. The first
  // number is 0 where there are kinds that came with OpenMP 5.
  void add_all(void* const* depend) {
    if (execution != g_execution) {
      count = 0;
      follows_all = false;
      execution = g_execution;
    }
    const auto number = [&](unsigned at) { return reinterpret_cast<std::uintptr_t>(depend[at]); };
    const bool is_new = number(0) == 0;
    const std::uintptr_t all = number(is_new ? 1 : 0);
    const std::uintptr_t changed = is_new ? number(2) + number(3) : number(1);
    const std::uintptr_t known = is_new ? changed + number(4) : all;
    void* const* const objects = depend + (is_new ? 5 : 2);
    for (std::uintptr_t i = 0; i < known; ++i) add(objects[i], i < changed);
    if (known != all) follows_all = true;
  }
};
constexpr std::size_t k_task_bodies = 256;
TaskBody g_bodies[k_task_bodies];

// As a return address, in the first line of the function.
void* at_begin(Body* body) { return reinterpret_cast<char*>(body) + 1; }

void tell_task_end() {
  release_stated(g_tasks);
  release_stated(g_team);
}

// A thread that takes one task after the other from libgomp meets no other visible operation between them.
void run_task(const TaskBody& task, void* data) {
  if (g.active) visible(Operation::library_write, g_tasks, at_begin(task.body), REEX_FRAME);
  acquire_stated(&task);
  const bool depends = task.execution == g_execution;
  if (depends && task.follows_all) acquire_stated(g_tasks);
  const unsigned count = depends ? task.count : 0;
  for (unsigned i = 0; i < count; ++i) {
    acquire_from(changed_at(task.dependences[i].object));
    if (task.dependences[i].changes) acquire_from(used_at(task.dependences[i].object));
  }
  task.body(data);
  for (unsigned i = 0; i < count; ++i) {
    const Dependence& one = task.dependences[i];
    release_to(one.changes ? changed_at(one.object) : used_at(one.object));
  }
  tell_task_end();
}

// libgomp has the data copied by the creator.
void copy_data(const TaskBody& task, void* to, void* from) {
  task.copy(to, from);
  release_stated(&task);
}

template <std::size_t... index>
constexpr std::array<Body*, sizeof...(index)> task_bodies(std::index_sequence<index...>) {
  return {[](void* data) { run_task(g_bodies[index], data); }...};
}
template <std::size_t... index>
constexpr std::array<Copy*, sizeof...(index)> task_copies(std::index_sequence<index...>) {
  return {[](void* to, void* from) { copy_data(g_bodies[index], to, from); }...};
}
constexpr auto k_run_task = task_bodies(std::make_index_sequence<k_task_bodies>());
constexpr auto k_copy_data = task_copies(std::make_index_sequence<k_task_bodies>());

constexpr unsigned k_depends = 1u << 3; // flags of a task, as in GCC's gomp-constants.h
constexpr unsigned k_no_group = 1u << 11;

// The running thread is about to create tasks. Puts in place what libgomp is to call.
void create_tasks(Body*& body, Copy*& copy, void* const* depend, void* pc, void* frame) {
  std::size_t i = 0;
  while (i < k_task_bodies && g_bodies[i].body != nullptr && g_bodies[i].body != body) ++i;
  if (i == k_task_bodies) refuse("more than 256 different tasks of OpenMP");
  TaskBody& task = g_bodies[i];
  task.body = body;
  task.copy = copy;
  if (depend != nullptr) task.add_all(depend);
  if (!g.active) return;
  visible(Operation::library_write, g_tasks, pc, frame);
  release_stated(&task);
  body = k_run_task[i];
  if (copy != nullptr) copy = k_copy_data[i];
}

} // namespace

// The functions that run a parallel region: their parameters, and those behind the body and its data.
#define REGION(result, name, parameters, ...)                                                                \
  namespace {                                                                                                \
  constinit Real<result parameters> g_##name(#name);                                                         \
  }                                                                                                          \
  REEX_EXPORT result name parameters {                                                                       \
    Region region(body, data);                                                                               \
    return g_##name(Region::run_member, &region, __VA_ARGS__);                                               \
  }

#define TEAM Body *body, void *data, unsigned threads
#define LOOP(name)                                                                                           \
  REGION(void, name, (TEAM, long start, long end, long step, long chunk, unsigned flags), threads, start,    \
         end, step, chunk, flags)
#define LOOP_AT_RUNTIME(name)                                                                                \
  REGION(void, name, (TEAM, long start, long end, long step, unsigned flags), threads, start, end, step,     \
         flags)

REGION(void, GOMP_parallel, (TEAM, unsigned flags), threads, flags)
REGION(unsigned, GOMP_parallel_reductions, (TEAM, unsigned flags), threads, flags)
REGION(void, GOMP_parallel_sections, (TEAM, unsigned sections, unsigned flags), threads, sections, flags)
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
LOOP_AT_RUNTIME(GOMP_parallel_loop_runtime)
LOOP_AT_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP_AT_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

namespace {

constinit Real<void(Body*, void*, Copy*, long, long, bool, unsigned, void**, int, void*)> g_task("GOMP_task");

template <typename Number>
using Taskloop =
    Real<void(Body*, void*, Copy*, long, long, unsigned, unsigned long, int, Number, Number, Number)>;
constinit Taskloop<long> g_taskloop("GOMP_taskloop");
constinit Taskloop<unsigned long long> g_taskloop_ull("GOMP_taskloop_ull");

constinit Real<void(int, Body*, std::size_t, void**, std::size_t*, unsigned short*, unsigned, void**, void**)>
    g_target("GOMP_target_ext");
constinit Real<int()> g_devices("omp_get_num_devices");

constinit Real<void(std::uintptr_t)> g_fulfill("omp_fulfill_event");

} // namespace

// Callers of older compilers do not pass `detach`.
REEX_EXPORT void GOMP_task(Body* body, void* data, Copy* copy, long size, long alignment, bool condition,
                           unsigned flags, void** depend, int priority, void* detach) {
  void* const* const dependences = (flags & k_depends) != 0 ? depend : nullptr;
  create_tasks(body, copy, dependences, REEX_CALLER, REEX_FRAME);
  g_task(body, data, copy, size, alignment, condition, flags, depend, priority, detach);
}

#define TASKLOOP(name, real, Number)                                                                         \
  REEX_EXPORT void name(Body* body, void* data, Copy* copy, long size, long alignment, unsigned flags,       \
                        unsigned long tasks, int priority, Number start, Number end, Number step) {          \
    create_tasks(body, copy, nullptr, REEX_CALLER, REEX_FRAME);                                              \
    real(body, data, copy, size, alignment, flags, tasks, priority, start, end, step);                       \
    if ((flags & k_no_group) == 0) acquire_stated(g_tasks);                                                  \
  }

TASKLOOP(GOMP_taskloop, g_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, g_taskloop_ull, unsigned long long)

// Without devices, the region is a task of the host. Otherwise libgomp finds what a device runs by the body.
REEX_EXPORT void GOMP_target_ext(int device, Body* body, std::size_t count, void** hosts, std::size_t* sizes,
                                 unsigned short* kinds, unsigned flags, void** depend, void** arguments) {
  Copy* copy = nullptr;
  if (g_devices() == 0) create_tasks(body, copy, depend, REEX_CALLER, REEX_FRAME);
  g_target(device, body, count, hosts, sizes, kinds, flags, depend, arguments);
}

// Ends a task that was created with the clause `detach`.
REEX_EXPORT void omp_fulfill_event(std::uintptr_t event) {
  if (g.active) visible(Operation::library_write, g_tasks, REEX_CALLER, REEX_FRAME);
  tell_task_end();
  g_fulfill(event);
}
