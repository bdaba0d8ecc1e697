// The native monitor: holds the threads of an ordinary run until their events may occur, without reex. One
// lock and one condition variable; an event that must wait is looked at again when another one occurs, and
// every 1 to 10 ms where the condition asks whether a thread is blocked.
//
// Stuck: all threads of the process are held, or wait for each other for ever, in two looks 50 ms apart; or a
// thread was held for longer than the timeout (REEX_IMUNIT_TIMEOUT seconds; 10, and 2 for schedules that
// shall be infeasible). Then the monitor reports, and opens all gates: the schedule orders nothing any more
// and the test goes on. While nobody is held and all threads wait for each other for a second, be it then or
// before, the test has a deadlock, and the process is aborted.
//
// Callers: any thread of the test. Invariant: the current schedule and its monitor are only used under the
// lock; whoever takes the schedule away waits until no thread is held.
//
// Cost: about 1 us for an event that need not wait, and a thread for each schedule, which looks at all others
// ten times a second.
//
// Source: Jagannath 2012, 3.4.1.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "reex/imunit/report.h"
#include "reex/imunit/threads.h"

namespace reex {
namespace imunit REEX_IMUNIT_SHARED {

class NativeMonitor {
public:
  // One for the process. It is never destroyed: threads may be held while the process ends.
  static NativeMonitor& instance() {
    static NativeMonitor* const monitor = new NativeMonitor;
    return *monitor;
  }

  // Puts the schedule in force. False: another one is, at `*other`.
  bool begin(Monitor& monitor, Place* other) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_monitor != nullptr) {
      *other = m_monitor->place;
      return false;
    }
    m_monitor = &monitor;
    m_process = getpid();
    m_open = m_approximate = false;
    m_report.clear();
    m_misuse.clear();
    m_timeout = timeout(monitor.feasible);
    find_same_names();
    occur(monitor, issue_of(monitor.schedule, EventKind::start, nullptr, "main"), main_thread(),
          monitor.place);
    start_watch();
    return true;
  }

  // Takes the schedule away and lets everybody go. `stuck`: what was reported when no thread could go on;
  // `misuse`: what the test did wrong. Both may be empty.
  void end(std::string& stuck, std::string& misuse) {
    if (is_forked()) return;
    std::unique_lock<std::mutex> lock(m_mutex);
    for (const Held* held = m_held; held != nullptr; held = held->next) m_monitor->left |= held->issue;
    m_open = true;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_held == nullptr; });
    stuck = m_report;
    misuse = m_misuse;
    m_monitor = nullptr;
    m_over.notify_all();
    lock.unlock();
    m_watch.join();
  }

  // The calling thread comes to an event. Returns when it has occurred.
  void event(EventKind kind, const char* name, const char* thread, Place place) {
    if (is_forked()) return;
    std::unique_lock<std::mutex> lock(m_mutex);
    if (m_monitor == nullptr) return; // left meanwhile
    const std::uint64_t issue = issue_of(m_monitor->schedule, kind, name, thread);
    if (issue == 0) return;
    reach(*m_monitor, issue);
    if (m_monitor->mode == Mode::check) {
      judge_now(issue, place);
    } else if (!m_open) {
      hold(lock, {own_thread(), issue, place, thread, -1, nullptr});
    }
    occur(*m_monitor, issue, own_thread(), place);
    m_changed.notify_all();
  }

  // The calling thread is called so from now on.
  void name(const char* name, Place place) {
    if (is_forked()) return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_named.push_back({own_thread(), name, place, false});
    find_same_names();
  }
  void unname() {
    if (is_forked()) return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    for (std::size_t i = 0; i < m_named.size(); ++i)
      if (m_named[i].thread == own_thread())
        m_named.erase(m_named.begin() + static_cast<std::ptrdiff_t>(i--));
  }

  // The test has used the macros wrongly: the schedule in force fails.
  void misuse(const std::string& line) {
    if (is_forked()) return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_monitor != nullptr) add_line(m_misuse, line);
  }

  // For the end of the process: what to say of the schedule that is in force still; empty: none is.
  std::string unfinished() {
    if (is_forked()) return "";
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_monitor == nullptr) return "";
    std::string text = place_text(m_monitor->place) + ": the process ends while this schedule is in force";
    for (const Held* held = m_held; held != nullptr; held = held->next) add_line(text, describe(*held));
    return text;
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds k_first_look{1};
  static constexpr std::chrono::milliseconds k_last_look{10};
  static constexpr std::chrono::milliseconds k_stuck_looks{50}; // apart
  static constexpr std::chrono::milliseconds k_calm{1000};      // behind open gates

  // A thread before its event. It lies on the thread's stack.
  struct Held {
    std::uint32_t thread;
    std::uint64_t issue;
    Place place;
    const char* name;
    int ordering;
    Held* next;
  };
  struct Named {
    std::uint32_t thread;
    std::string name;
    Place place;
    bool told = false; // another thread has this name, which was reported
  };
  // Where all threads were, if all of them waited.
  struct Standstill {
    std::vector<std::uint32_t> threads;
    std::vector<Look> looks;
    bool complete = false;

    bool same_as(const Standstill& other) const {
      if (!complete || !other.complete || threads != other.threads) return false;
      for (std::size_t i = 0; i < looks.size(); ++i)
        if (!looks[i].same_as(other.looks[i])) return false;
      return true;
    }
  };

  static std::uint32_t main_thread() { return static_cast<std::uint32_t>(getpid()); }

  static Clock::duration timeout(bool feasible) {
    const char* const text = std::getenv("REEX_IMUNIT_TIMEOUT");
    const double seconds = text == nullptr ? 0 : std::strtod(text, nullptr);
    if (seconds > 0) return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
    return std::chrono::seconds(feasible ? 10 : 2);
  }

  // A forked process has neither the threads nor the schedule, and the lock may be taken for ever.
  bool is_forked() const { return m_process != 0 && getpid() != m_process; }

  bool is_held(std::uint32_t thread) const {
    for (const Held* held = m_held; held != nullptr; held = held->next)
      if (held->thread == thread) return true;
    return false;
  }

  // Whether the thread of an event that has occurred is blocked. One that is held is not.
  bool is_blocked(Looks& looks, unsigned event) {
    const std::uint32_t thread = m_monitor->thread[event];
    const bool blocked = !is_held(thread) && looks.is_blocked(thread);
    m_approximate = m_approximate || looks.is_approximate();
    return blocked;
  }

  int unmet_now(Looks& looks, std::uint64_t issue) {
    return unmet(*m_monitor, issue, [&](unsigned event) { return is_blocked(looks, event); });
  }

  void judge_now(std::uint64_t issue, Place place) {
    Looks looks(this, sizeof *this);
    if (unmet_now(looks, issue) >= 0) std::this_thread::sleep_for(2 * Looks::k_apart); // for a second look
    judge(*m_monitor, issue, place, [&](unsigned event) { return is_blocked(looks, event); });
  }

  void hold(std::unique_lock<std::mutex>& lock, Held self) {
    Looks looks(this, sizeof *this);
    self.ordering = unmet_now(looks, self.issue);
    if (self.ordering < 0) return;
    struct Membership { // also left when the thread is cancelled
      NativeMonitor& monitor;
      Held& self;
      Membership(NativeMonitor& in, Held& held) : monitor(in), self(held) {
        self.next = monitor.m_held;
        monitor.m_held = &self;
      }
      ~Membership() {
        for (Held** at = &monitor.m_held; *at != nullptr; at = &(*at)->next)
          if (*at == &self) {
            *at = self.next;
            break;
          }
        monitor.m_changed.notify_all();
      }
    } const membership(*this, self);
    const bool looks_again = has_block(m_monitor->schedule);
    const Clock::time_point start = Clock::now();
    Clock::time_point next_look_at_all = start + k_stuck_looks;
    Clock::duration pause = k_first_look;
    Standstill last;
    while (!m_open) {
      m_monitor->held |= event_bit(static_cast<unsigned>(self.ordering));
      m_changed.wait_for(lock, looks_again ? pause : Clock::duration(k_stuck_looks));
      if (m_open) return;
      pause = pause * 2 < k_last_look ? pause * 2 : Clock::duration(k_last_look);
      self.ordering = unmet_now(looks, self.issue);
      if (self.ordering < 0) return;
      const Clock::time_point now = Clock::now();
      if (now - start >= m_timeout) {
        report_stuck("a thread was held for longer than the timeout");
        return;
      }
      if (now < next_look_at_all) continue;
      Standstill standstill = look_at_all();
      if (standstill.same_as(last) && nobody_may_go_on(looks)) {
        report_stuck("no thread can go on");
        return;
      }
      last = standstill;
      next_look_at_all = Clock::now() + k_stuck_looks;
    }
  }

  // All threads, if each is held or waits for ever.
  Standstill look_at_all() const {
    Standstill standstill;
    standstill.threads = ThreadLook::all();
    for (const std::uint32_t thread : standstill.threads) {
      if (thread == m_watching) continue;
      const Look look = is_held(thread) ? Look{} : ThreadLook::at(thread, this, sizeof *this);
      if (look.kind == Look::Kind::nobodys) continue;
      if (!is_held(thread) && look.kind != Look::Kind::for_ever) return standstill;
      standstill.looks.push_back(look);
    }
    standstill.complete = !standstill.threads.empty();
    return standstill;
  }

  // Others that are held may not have come to look for themselves.
  bool nobody_may_go_on(Looks& looks) {
    for (const Held* held = m_held; held != nullptr; held = held->next)
      if (unmet_now(looks, held->issue) < 0) return false;
    return true;
  }

  std::string describe(const Held& held) {
    const ParsedSchedule& schedule = m_monitor->schedule;
    const auto ordering = static_cast<unsigned>(held.ordering);
    Looks looks(this, sizeof *this);
    return std::string(held.name == nullptr ? "a thread" : held.name) + " is held at " +
           issue_text(schedule, held.issue) + " (" + place_text(held.place) + ") for " +
           ordering_text(schedule, ordering) + ": " +
           reason_text(*m_monitor, schedule.ordering[ordering].condition,
                       [&](unsigned event) { return is_blocked(looks, event); });
  }

  std::string name_of(std::uint32_t thread) const {
    for (const Named& named : m_named)
      if (named.thread == thread) return named.name;
    return thread == main_thread() ? "main" : "thread " + std::to_string(thread);
  }

  void report_stuck(const char* why) {
    m_report = why;
    for (const Held* held = m_held; held != nullptr; held = held->next) add_line(m_report, describe(*held));
    for (const std::uint32_t thread : ThreadLook::all()) {
      if (is_held(thread) || thread == m_watching) continue;
      const Look look = ThreadLook::at(thread, this, sizeof *this);
      if (look.kind == Look::Kind::runs) continue;
      add_line(m_report, name_of(thread) + (look.kind == Look::Kind::sleeps     ? " sleeps"
                                            : look.kind == Look::Kind::for_ever ? " waits for another thread"
                                                                                : " waits"));
    }
    if (m_approximate) add_line(m_report, "(approximate: this kernel does not tell where a thread waits)");
    m_open = true;
    m_changed.notify_all();
  }

  // The signals of the test are not for this thread.
  void start_watch() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_watch = std::thread([this] { watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  // A thread of its own: aborts if nobody is held and nobody moves.
  void watch() {
    std::unique_lock<std::mutex> lock(m_mutex);
    m_watching = own_thread();
    Standstill last;
    Clock::time_point since = Clock::now();
    while (m_monitor != nullptr) {
      m_over.wait_for(lock, 2 * k_stuck_looks);
      if (m_monitor == nullptr) break;
      Standstill standstill;
      if (m_held == nullptr) standstill = look_at_all();
      if (!standstill.same_as(last)) since = Clock::now();
      last = standstill;
      if (Clock::now() - since >= k_calm) abort_deadlock();
    }
    m_watching = 0;
  }

  void abort_deadlock() const {
    std::string text = place_text(m_monitor->place) + ": ";
    if (m_report.empty())
      text += "deadlock: the schedule holds nobody, and all threads wait for each other";
    else
      text +=
          "the schedule is stuck:\n" + m_report + "\nand nobody moves although all are let go: a deadlock";
    for (const std::uint32_t thread : ThreadLook::all())
      if (thread != m_watching) add_line(text, name_of(thread) + " waits");
    std::fprintf(stderr, "%s\n", text.c_str());
    std::abort();
  }

  void find_same_names() {
    if (m_monitor == nullptr) return;
    for (std::size_t i = 0; i < m_named.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (m_named[i].name == m_named[j].name && m_named[i].thread != m_named[j].thread &&
            !m_named[i].told) {
          m_named[i].told = true;
          add_line(m_misuse, "two live threads are called " + m_named[i].name + ", at " +
                                 place_text(m_named[j].place) + " and " + place_text(m_named[i].place));
        }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed; // an event has occurred, or the gates are open, or the schedule is gone
  Monitor* m_monitor = nullptr;      // null: none in force
  std::atomic<pid_t> m_process{0};   // in which a schedule was put in force last; 0: none was
  Held* m_held = nullptr;
  bool m_open = false; // nobody is held any more
  bool m_approximate = false;
  Clock::duration m_timeout{};
  std::string m_report, m_misuse;
  std::vector<Named> m_named;
  std::thread m_watch;
  std::condition_variable m_over; // the schedule is gone: wakes the watching thread
  std::uint32_t m_watching = 0;   // its number; 0: there is none
};

} // namespace REEX_IMUNIT_SHARED
} // namespace reex
