// Right and wrong uses of schedules, without GoogleTest: the first argument says which. A wrong one ends with
// status 1 and says why.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <reex/imunit.h>

namespace {

void a_then_b(bool a = true, bool b = true) {
  std::thread other([&] {
    REEX_THREAD("other");
    if (b) REEX_EVENT(b);
  });
  if (a) REEX_EVENT(a);
  other.join();
}

void right() {
  REEX_SCHEDULE("a->b");
  a_then_b();
}
void asked() { // as in Catch2 and doctest
  reex::imunit::Schedule schedule("a->b");
  a_then_b();
  std::puts(schedule.ok() ? "ok" : schedule.report().c_str());
}
void asked_in_vain() {
  reex::imunit::Schedule schedule("a->b, c->d");
  a_then_b();
  std::puts(schedule.ok() ? "ok" : schedule.report().c_str());
}
void missing() {
  REEX_SCHEDULE("a->bb");
  a_then_b();
}
void missing_allowed() {
  REEX_SCHEDULE("a->bb").vacuous_ok();
  a_then_b();
}
void twice() {
  REEX_SCHEDULE("a->b");
  REEX_EVENT(a);
  a_then_b();
}
void numbered() {
  REEX_SCHEDULE("a#2->b");
  REEX_EVENT(a);
  a_then_b();
}
void nested() {
  REEX_SCHEDULE("a->b");
  REEX_SCHEDULE("b->a");
  a_then_b();
}
void one_after_the_other() {
  {
    REEX_SCHEDULE("a->b");
    a_then_b();
  }
  REEX_SCHEDULE("b->a");
  a_then_b();
}
void exits_inside() {
  REEX_SCHEDULE("a->b, c->d");
  a_then_b();
  std::exit(0);
}
void impossible() {
  REEX_INFEASIBLE("b->a");
  std::thread other([] {
    REEX_EVENT(a);
    REEX_EVENT(b);
  });
  other.join();
}
void impossible_for_its_spelling() {
  REEX_INFEASIBLE("bb->a");
  std::thread other([] {
    REEX_EVENT(a);
    REEX_EVENT(b);
  });
  other.join();
}
// The events of templates, inline functions and quoted names are known.
template <typename Value>
void in_template() {
  REEX_EVENT("Template.event");
}
inline void in_inline() { REEX_EVENT(Inline::event); }
void names_of_all_kinds() {
  REEX_INFEASIBLE("last->Template::event, Inline.event->zz");
  std::thread other([] {
    in_template<int>();
    in_template<char>();
    in_inline();
    REEX_EVENT(last);
  });
  other.join();
}
void deadlock_while_nobody_is_held() {
  REEX_SCHEDULE("a->b");
  std::mutex mutex;
  mutex.lock();
  std::thread other([&] {
    REEX_EVENT(a);
    mutex.lock();
  });
  REEX_EVENT(b);
  other.join();
}
void two_names() {
  REEX_SCHEDULE("a->b");
  std::thread other([] {
    REEX_THREAD("other");
    REEX_THREAD("another");
    REEX_EVENT(b);
  });
  REEX_EVENT(a);
  other.join();
}
void same_name() {
  REEX_SCHEDULE("a->b");
  std::atomic<int> named{0};
  const auto body = [&](bool issues) {
    REEX_THREAD("other");
    ++named;
    while (named != 2) std::this_thread::yield();
    if (issues) REEX_EVENT(b);
  };
  std::thread first(body, true);
  std::thread second(body, false);
  REEX_EVENT(a);
  first.join();
  second.join();
}
void long_name() {
  REEX_SCHEDULE("a->b@a_name_of_a_thread_that_is_longer_than_fifteen");
  std::thread other([] {
    REEX_THREAD("a_name_of_a_thread_that_is_longer_than_fifteen");
    REEX_EVENT(b);
  });
  REEX_EVENT(a);
  other.join();
}
void wrong_text() {
  const std::string text = std::string("a->b") + "->c";
  const reex::imunit::Schedule schedule(text.c_str());
  a_then_b();
}
void under_lock() { // a cannot come, because b is held with the lock that it needs
  REEX_SCHEDULE("a->b");
  std::mutex mutex;
  std::atomic<bool> locked{false};
  std::thread other([&] {
    REEX_THREAD("other");
    const std::lock_guard lock(mutex);
    locked = true;
    REEX_EVENT(b);
  });
  while (!locked) std::this_thread::yield();
  const std::lock_guard lock(mutex);
  REEX_EVENT(a);
  other.detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}
void deadlock() { // opening the gates does not help
  REEX_SCHEDULE("a->b");
  std::mutex one, two;
  std::atomic<int> locked{0};
  std::thread other([&] {
    const std::lock_guard first(one);
    ++locked;
    while (locked != 2) std::this_thread::yield();
    const std::lock_guard second(two);
  });
  std::thread held([] {
    REEX_THREAD("held");
    REEX_EVENT(b);
  });
  {
    const std::lock_guard first(two);
    ++locked;
    while (locked != 2) std::this_thread::yield();
    const std::lock_guard second(one);
  }
  REEX_EVENT(a);
  other.join();
  held.join();
}
void cancelled() {
  REEX_SCHEDULE("b->a, a->c").vacuous_ok();
  std::atomic<bool> runs{false};
  std::thread other([&] {
    runs = true;
    REEX_EVENT(c);
  });
  while (!runs) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pthread_cancel(other.native_handle());
  other.join();
  REEX_EVENT(b);
  REEX_EVENT(a);
}
void forks() { // the child has no schedule
  REEX_SCHEDULE("a->b");
  if (const pid_t child = fork(); child == 0) {
    REEX_EVENT(b);
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  a_then_b();
}
void left_alone() { // a thread is still held when the scope ends
  static std::atomic<bool> there{false};
  {
    REEX_SCHEDULE("never->b").vacuous_ok();
    std::thread([] {
      there = true;
      REEX_EVENT(b);
    }).detach();
    while (!there) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}
void thread_ends() {
  REEX_SCHEDULE("end@other->a, start@other->b, [start@main]->c").vacuous_ok();
  a_then_b();
}
// A thread that sleeps waits for nobody. Behind its sleep it waits for the lock.
void sleeper_is_not_blocked() {
  REEX_SCHEDULE("[sleeping]->b");
  std::mutex mutex;
  std::atomic<bool> awake{false};
  std::atomic<bool> locked{false};
  std::thread other([&] {
    while (!locked) std::this_thread::yield();
    REEX_EVENT(sleeping);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    awake = true;
    const std::lock_guard lock(mutex);
  });
  {
    const std::lock_guard lock(mutex);
    locked = true;
    REEX_EVENT(b);
    std::puts(awake ? "after the sleep" : "during the sleep");
  }
  other.join();
}

struct Use {
  const char* name;
  void (*run)();
};
constexpr Use k_uses[] = {{"right", right},
                          {"asked", asked},
                          {"asked_in_vain", asked_in_vain},
                          {"missing", missing},
                          {"missing_allowed", missing_allowed},
                          {"twice", twice},
                          {"numbered", numbered},
                          {"nested", nested},
                          {"one_after_the_other", one_after_the_other},
                          {"exits_inside", exits_inside},
                          {"impossible", impossible},
                          {"impossible_for_its_spelling", impossible_for_its_spelling},
                          {"names_of_all_kinds", names_of_all_kinds},
                          {"deadlock_while_nobody_is_held", deadlock_while_nobody_is_held},
                          {"two_names", two_names},
                          {"same_name", same_name},
                          {"long_name", long_name},
                          {"wrong_text", wrong_text},
                          {"under_lock", under_lock},
                          {"deadlock", deadlock},
                          {"cancelled", cancelled},
                          {"forks", forks},
                          {"left_alone", left_alone},
                          {"thread_ends", thread_ends},
                          {"sleeper_is_not_blocked", sleeper_is_not_blocked}};

} // namespace

int main(int count, char** arguments) {
  for (const Use& use : k_uses)
    if (count > 1 && std::strcmp(use.name, arguments[1]) == 0) {
      use.run();
      return 0;
    }
  return 2;
}
