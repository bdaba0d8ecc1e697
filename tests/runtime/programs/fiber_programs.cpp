// Executes small programs about fibers that a test draws, with a scheduler of the program's own that switches
// between stacks in assembly (fiber_switch.S). An argument of digits is a thread, which runs fibers so many
// times; each other one is what a fiber does, a letter for each operation. What the fibers have seen is
// printed.
#include <atomic>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" void switch_stacks(void** save, void* load);

namespace {

struct Fiber {
  std::string script;
  unsigned seen = 1;
  bool hands_over = false; // it goes on through the slot, not through the queue
  bool done = false;
  void* stack_pointer = nullptr;
  std::vector<std::uint64_t> stack = std::vector<std::uint64_t>(8192);
};

std::mutex queue_lock;
std::deque<Fiber*> queue;
std::atomic<Fiber*> slot = nullptr;

std::atomic<unsigned> x = 0, y = 0;
std::mutex sum_lock;
unsigned sum = 0;

// A fiber goes on in another thread: by the empty statement, the compiler does not keep where a thread's
// variables are.
thread_local Fiber* t_running = nullptr;
thread_local void* t_scheduler = nullptr;
[[gnu::noinline]] Fiber*& running() {
  asm volatile("");
  return t_running;
}
[[gnu::noinline]] void*& scheduler() {
  asm volatile("");
  return t_scheduler;
}

void leave() { switch_stacks(&running()->stack_pointer, scheduler()); }

void execute(Fiber& self, char operation) {
  const auto see = [&self](unsigned value) { self.seen = self.seen * 31 + value; };
  switch (operation) {
  case 'a':
    return see(x.fetch_add(1));
  case 'r':
    return see(x);
  case 'w':
    y = self.seen;
    return;
  case 'R':
    return see(y);
  case 'm': {
    const std::lock_guard lock(sum_lock);
    sum = sum * 3 + static_cast<unsigned>(self.script.size());
    return see(sum);
  }
  case 'h':
    self.hands_over = true;
    [[fallthrough]];
  default:
    leave();
  }
}

void begin() {
  Fiber& self = *running();
  for (const char operation : self.script) execute(self, operation);
  self.done = true;
  leave();
}

void prepare(Fiber& fiber) {
  constexpr int k_registers = 6;
  std::uint64_t* top = fiber.stack.data() + fiber.stack.size();
  while (reinterpret_cast<std::uintptr_t>(top) % 16 != 0) --top;
  *--top = 0; // where begin() would return to
  *--top = reinterpret_cast<std::uint64_t>(&begin);
  for (int i = 0; i < k_registers; ++i) *--top = 0;
  fiber.stack_pointer = top;
}

Fiber* take() {
  if (Fiber* const handed = slot.exchange(nullptr); handed != nullptr) return handed;
  const std::lock_guard lock(queue_lock);
  if (queue.empty()) return nullptr;
  Fiber* const first = queue.front();
  queue.pop_front();
  return first;
}

void put(Fiber* fiber) {
  const std::lock_guard lock(queue_lock);
  queue.push_back(fiber);
}

void run(Fiber* fiber) {
  running() = fiber;
  switch_stacks(&scheduler(), fiber->stack_pointer);
  if (fiber->done) return;
  if (!fiber->hands_over) return put(fiber);
  fiber->hands_over = false;
  if (Fiber* const other = slot.exchange(fiber); other != nullptr) put(other);
}

void run_up_to(unsigned times) {
  for (Fiber* fiber = nullptr; times != 0 && (fiber = take()) != nullptr; --times) run(fiber);
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<unsigned> turns;
  for (int i = 1; i < argc; ++i) {
    if (std::isdigit(static_cast<unsigned char>(argv[i][0])) != 0) {
      turns.push_back(static_cast<unsigned>(std::stoul(argv[i])));
    } else {
      fibers.push_back(std::make_unique<Fiber>());
      fibers.back()->script = argv[i];
      prepare(*fibers.back());
      queue.push_back(fibers.back().get());
    }
  }
  std::vector<std::thread> threads;
  for (const unsigned times : turns) threads.emplace_back(run_up_to, times);
  for (std::thread& thread : threads) thread.join();
  run_up_to(~0U);
  std::string seen;
  for (const auto& fiber : fibers) seen += std::to_string(fiber->seen) + (fiber->done ? " " : "! ");
  std::printf("%s%u %u %u\n", seen.c_str(), x.load(), y.load(), sum);
}
