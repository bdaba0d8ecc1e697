// Threads that wait for descriptors: pipes, eventfds, timers, files. All executions share what was opened
// before the first thread, and each execution must find it in its original state.
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "channels.h"
#include "scenario.h"

namespace {

void produce_and_consume(const Pipe& channel) {
  std::thread producer([&] {
    put(channel.in(), "ab");
    put(channel.in(), "c");
    close(channel.in());
  });
  std::string got;
  std::thread consumer([&] { got = take_all(channel.out()); });
  producer.join();
  consumer.join();
  std::printf("%s\n", got.c_str());
}

void pipe_before() { produce_and_consume(Pipe()); }

void pipe_inside() {
  std::thread outer([] { produce_and_consume(Pipe()); });
  outer.join();
}

// Two readers: each of them may get the first byte.
void two_readers() {
  const Pipe channel;
  char got[2] = {};
  std::thread one([&] { got[0] = take(channel.out()); });
  std::thread two([&] { got[1] = take(channel.out()); });
  put(channel.in(), "ab");
  one.join();
  two.join();
  std::printf("%c%c\n", got[0], got[1]);
}

// A byte is left at the end of each execution, and the next execution must not find it.
void leftover() {
  const Pipe channel(O_NONBLOCK);
  const Pair pair;
  const int event = eventfd(0, EFD_NONBLOCK);
  put(channel.in(), "x");
  put(pair.ends[0], "yz");
  std::thread worker([&] {
    put(channel.in(), "1");
    put(pair.ends[0], "2");
    eventfd_write(event, 3);
  });
  worker.join();
  int bytes = 0;
  char all[16];
  bytes += static_cast<int>(read(channel.out(), all, sizeof all)) * 10;
  bytes += static_cast<int>(recv(pair.ends[1], all, sizeof all, MSG_PEEK));
  eventfd_t value = 0;
  eventfd_read(event, &value);
  put(channel.in(), "left");
  eventfd_write(event, 100);
  std::printf("%d %d\n", bytes, static_cast<int>(value));
}

// Both threads wait for the same edge. One gets it and wakes the other.
void one_edge() {
  const Pipe channel;
  const int poller = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  epoll_ctl(poller, EPOLL_CTL_ADD, channel.out(), &event);
  std::atomic<int> order{0};
  int got[2] = {};
  const auto wait = [&](int id) {
    epoll_event ready{};
    check(epoll_wait(poller, &ready, 1, -1) == 1, "epoll_wait");
    got[id] = ++order;
    if (got[id] == 1) put(channel.in(), "b");
  };
  std::thread one(wait, 0);
  std::thread two(wait, 1);
  put(channel.in(), "a");
  one.join();
  two.join();
  std::printf("%d%d\n", got[0], got[1]);
}

// Who is told of a descriptor sees what was written before it was put there.
void registered_meanwhile() {
  const Pipe channel;
  put(channel.in(), "x");
  const int poller = epoll_create1(0);
  std::thread registering([&] {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = new int(7);
    epoll_ctl(poller, EPOLL_CTL_ADD, channel.out(), &event);
  });
  epoll_event ready{};
  const int at_once = epoll_wait(poller, &ready, 1, 0);
  check(epoll_wait(poller, &ready, 1, -1) == 1, "epoll_wait");
  auto* const value = static_cast<int*>(ready.data.ptr);
  ++*value;
  registering.join();
  std::printf("%d %d\n", at_once, *value);
  delete value;
}

void event_as_semaphore() {
  const int event = eventfd(1, EFD_SEMAPHORE);
  std::string order;
  const auto work = [&](char id) {
    eventfd_t value = 0;
    check(eventfd_read(event, &value) == 0 && value == 1, "eventfd_read");
    order += id;
    check(eventfd_write(event, 1) == 0, "eventfd_write");
  };
  std::thread one(work, '1');
  std::thread two(work, '2');
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

// A self-pipe ends the loop. The timeout expires only if no other thread can run.
void self_pipe() {
  const Pipe stop;
  std::atomic<int> turns{0};
  std::thread loop([&] {
    pollfd waited{stop.out(), POLLIN, 0};
    while (poll(&waited, 1, 1000) == 0) ++turns;
  });
  std::thread stopper([&] { put(stop.in(), "s"); });
  loop.join();
  stopper.join();
  std::printf("%d\n", turns.load());
}

void poll_times_out() {
  const Pipe never;
  int results[3] = {};
  std::thread waiter([&] {
    pollfd waited{never.out(), POLLIN, 0};
    results[0] = poll(&waited, 1, 100000000);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(never.out(), &set);
    timeval limit{100000, 0};
    results[1] = select(never.out() + 1, &set, nullptr, nullptr, &limit);
    results[1] += FD_ISSET(never.out(), &set) ? 10 : 0;
    const int poller = epoll_create1(0);
    epoll_event event{};
    results[2] = epoll_wait(poller, &event, 1, 100000000);
  });
  waiter.join();
  std::printf("%d%d%d\n", results[0], results[1], results[2]);
}

void poll_of_nothing() { // this is a way to sleep
  std::string order;
  std::thread one([&] {
    poll(nullptr, 0, 200);
    order += '1';
  });
  std::thread two([&] {
    timeval time{0, 100000};
    select(0, nullptr, nullptr, nullptr, &time);
    order += '2';
  });
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

void select_two() {
  const Pipe first;
  const Pipe second;
  std::string order;
  std::thread reader([&] {
    for (int taken = 0; taken < 2;) {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(first.out(), &set);
      FD_SET(second.out(), &set);
      check(select(second.out() + 1, &set, nullptr, nullptr, nullptr) > 0, "select");
      for (const Pipe* channel : {&first, &second})
        if (FD_ISSET(channel->out(), &set)) {
          order += take(channel->out());
          ++taken;
        }
    }
  });
  std::thread one([&] { put(first.in(), "1"); });
  std::thread two([&] { put(second.in(), "2"); });
  reader.join();
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

// More than fits into a pipe: the writer waits for the reader in the middle of a write.
void full_pipe() {
  const Pipe channel;
  fcntl(channel.in(), F_SETPIPE_SZ, 4096);
  std::thread writer([&] {
    const std::vector<char> data(10000, 'd');
    check(write(channel.in(), data.data(), data.size()) == 10000, "write");
    close(channel.in());
  });
  std::size_t total = 0;
  char buffer[3000];
  for (ssize_t got; (got = read(channel.out(), buffer, sizeof buffer)) > 0;)
    total += static_cast<std::size_t>(got);
  writer.join();
  std::printf("%zu\n", total);
}

void unread_pipes() {
  const Pipe one;
  const Pipe two;
  const int from_one = dup2(one.out(), 101);
  const int from_two = dup2(two.out(), 102);
  std::thread first([&] { put(two.in(), std::string(1, take(from_one)).c_str()); });
  std::thread second([&] { put(one.in(), std::string(1, take(from_two)).c_str()); });
  first.join();
  second.join();
}

// The byte may be there or not.
void without_waiting() {
  const Pipe channel(O_NONBLOCK);
  std::thread writer([&] { put(channel.in(), "a"); });
  char byte = '-';
  if (read(channel.out(), &byte, 1) < 0) byte = '-';
  writer.join();
  std::printf("%c\n", byte);
}

void spin_on_read() {
  const Pipe channel(O_NONBLOCK);
  std::thread writer([&] { put(channel.in(), "a"); });
  char byte = 0;
  while (read(channel.out(), &byte, 1) != 1) {
  }
  writer.join();
  std::printf("%c\n", byte);
}

void by_number() {
  const Pipe channel;
  char byte = 0;
  std::thread reader([&] { syscall(SYS_read, channel.out(), &byte, 1); });
  std::thread writer([&] { syscall(SYS_write, channel.in(), "n", 1); });
  reader.join();
  writer.join();
  std::printf("%c\n", byte);
}

void timers() {
  const int early = timerfd_create(CLOCK_MONOTONIC, 0);
  const int late = timerfd_create(CLOCK_REALTIME, 0);
  itimerspec often{{10, 0}, {10, 0}};
  timerfd_settime(early, 0, &often, nullptr);
  itimerspec once{{0, 0}, {25, 0}};
  timerfd_settime(late, 0, &once, nullptr);
  std::string order;
  const auto wait = [&](char id, int timer, int turns) {
    for (std::uint64_t times = 0; turns-- > 0;) {
      check(read(timer, &times, sizeof times) == sizeof times && times == 1, "timer");
      order += id;
    }
  };
  std::thread one(wait, 'e', early, 3);
  std::thread two(wait, 'l', late, 1);
  one.join();
  two.join();
  itimerspec left{};
  timerfd_gettime(late, &left);
  std::printf("%s %d\n", order.c_str(), static_cast<int>(left.it_value.tv_sec));
}

// Each thread makes a timer of its own.
void timers_of_threads() {
  std::array<int, 2> rang{};
  const auto wait = [](int& got) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    const itimerspec once{{0, 0}, {1, 0}};
    check(timerfd_settime(timer, 0, &once, nullptr) == 0, "timerfd_settime");
    std::uint64_t times = 0;
    check(read(timer, &times, sizeof times) == sizeof times, "timer");
    got = static_cast<int>(times);
  };
  std::thread one(wait, std::ref(rang[0]));
  std::thread two(wait, std::ref(rang[1]));
  one.join();
  two.join();
  std::printf("%d%d\n", rang[0], rang[1]);
}

// Its time is set, or it was closed before.
void timer_closed_meanwhile() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  int set = 0;
  std::thread setting([&] {
    const itimerspec once{{0, 0}, {1, 0}};
    set = timerfd_settime(timer, 0, &once, nullptr) == 0 ? 0 : errno;
  });
  close(timer);
  setting.join();
  std::printf("%s\n", set == 0 ? "set" : set == EBADF ? "closed" : "other");
}

void many_timers() {
  std::thread([] {
    for (int i = 0; i < 65; ++i) check(timerfd_create(CLOCK_MONOTONIC, 0) >= 0, "timerfd_create");
  }).join();
}

// Its number belongs to another descriptor when its time has come.
void timer_closed_before_threads() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec once{{0, 0}, {1, 0}};
  timerfd_settime(timer, 0, &once, nullptr);
  close(timer);
  const int event = eventfd(7, 0);
  check(event == timer, "another number");
  std::thread([event] {
    sleep(2);
    std::uint64_t count = 0;
    check(read(event, &count, sizeof count) == sizeof count, "event");
    std::printf("%d\n", static_cast<int>(count));
  }).join();
}

void timer_in_epoll() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const int poller = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = 7;
  epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event);
  std::thread arming([&] {
    const itimerspec once{{0, 0}, {1000, 0}};
    timerfd_settime(timer, 0, &once, nullptr);
  });
  epoll_event ready{};
  const int count = epoll_wait(poller, &ready, 1, -1);
  std::uint64_t times = 0;
  const ssize_t got = read(timer, &times, sizeof times);
  arming.join();
  std::printf("%d %u %zd\n", count, ready.data.u32, got);
}

// A lock of the process, taken before the first thread: it holds against others, and only until it is given
// back.
void record_lock() {
  const char name[] = "record.txt";
  const auto can_lock = [&] { // as though it were another process
    const int file = open(name, O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    const bool can = fcntl(file, F_OFD_SETLK, &lock) == 0;
    close(file); // which gives back all locks of the process, too
    return can;
  };
  const int file = open(name, O_CREAT | O_RDWR, 0600);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_start = 10;
  lock.l_len = 5;
  check(fcntl(file, F_SETLK, &lock) == 0, "lock");
  int again = -1;
  bool held = false, free = false;
  std::thread user([&] {
    lock.l_type = F_UNLCK;
    check(fcntl(file, F_SETLK, &lock) == 0, "unlock");
    lock.l_type = F_WRLCK;
    again = fcntl(file, F_SETLK, &lock);
    held = !can_lock();
    free = can_lock();
  });
  user.join();
  std::printf("%d %d %d\n", again, held, free);
}

void file_locks() {
  const char name[] = "locked.txt";
  std::string order;
  const auto work = [&](char id) {
    const int file = open(name, O_CREAT | O_RDWR, 0600);
    check(file >= 0 && flock(file, LOCK_EX) == 0, "flock");
    order += id;
    std::this_thread::yield();
    order += id;
    check(flock(file, LOCK_UN) == 0, "flock");
    close(file);
  };
  std::thread one(work, '1');
  std::thread two(work, '2');
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

void streams() {
  const Pipe channel;
  std::string got;
  std::thread reader([&] {
    FILE* stream = fdopen(channel.out(), "r");
    char line[16];
    while (std::fgets(line, sizeof line, stream) != nullptr) got += line[0];
    std::fclose(stream);
  });
  std::thread writer([&] {
    FILE* stream = fdopen(channel.in(), "w");
    std::fprintf(stream, "1 line\n");
    std::fflush(stream);
    std::fprintf(stream, "2 lines\n");
    std::fclose(stream);
  });
  reader.join();
  writer.join();
  std::printf("%s\n", got.c_str());
}

// Nobody can read what stdio writes.
void broken_stream() {
  static volatile std::sig_atomic_t signals = 0;
  std::signal(SIGPIPE, [](int) { signals = signals + 1; });
  const Pipe channel;
  std::thread reader([&] { close(channel.out()); });
  std::thread writer([&] {
    FILE* stream = fdopen(channel.in(), "w");
    std::fputs("line\n", stream);
    sched_yield();
    const int flushed = std::fflush(stream);
    const int reason = errno;
    std::printf("%d%d%d\n", flushed == 0, flushed != 0 && reason == EPIPE, static_cast<int>(signals));
  });
  reader.join();
  writer.join();
}

// The test waits before its first thread. Then time is real, but the time of a timer is not.
void timer_before() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec once{{0, 0}, {100000, 0}};
  timerfd_settime(timer, 0, &once, nullptr);
  pollfd waited{timer, POLLIN, 0};
  std::string got = poll(&waited, 1, 0) == 0 ? "0" : "-";
  got += poll(&waited, 1, -1) == 1 ? "1" : "-";
  std::uint64_t times = 0;
  got += read(timer, &times, sizeof times) == 8 && times == 1 ? "r" : "-";
  std::thread([&] { got += 't'; }).join();
  std::printf("%s\n", got.c_str());
}

// Each execution closes what was opened before the first thread, uses the numbers for something else, and
// leaves flags, contents and ends as the next one must not find them.
void numbers_used_again() {
  const Pipe channel;
  const Pair pair;
  const int buffer = 4096;
  setsockopt(pair.ends[0], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  const int event = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  epoll_event watched{};
  watched.events = EPOLLIN;
  watched.data.u32 = 5;
  epoll_ctl(poller, EPOLL_CTL_ADD, channel.out(), &watched);
  put(channel.in(), "x");
  put(pair.ends[0], "y");

  std::mutex lock;
  std::string order, got;
  bool waits = false;
  std::thread closing([&] {
    {
      const std::lock_guard guard(lock);
      order += '1';
    }
    int room = 0;
    socklen_t size = sizeof room;
    getsockopt(pair.ends[0], SOL_SOCKET, SO_SNDBUF, &room, &size);
    got += std::to_string(room);
    epoll_event ready{};
    check(epoll_wait(poller, &ready, 1, -1) == 1 && ready.data.u32 == 5, "epoll_wait");
    const itimerspec soon{{0, 0}, {0, 1000}};
    timerfd_settime(timer, 0, &soon, nullptr);
    const Pipe other;
    for (const int number : {channel.in(), pair.ends[0], poller, event}) check(close(number) == 0, "close");
    check(dup2(other.in(), channel.in()) == channel.in(), "dup2");
    const Pipe another;
    put(channel.in(), "n");
    got += take(other.out());
    put(another.in(), "left");
  });
  std::thread reading([&] {
    {
      const std::lock_guard guard(lock);
      order += '2';
    }
    const int flags = fcntl(channel.out(), F_GETFL);
    fcntl(channel.out(), F_SETFL, flags | O_NONBLOCK);
    fcntl(channel.out(), F_SETFD, FD_CLOEXEC);
    waits = (flags & O_NONBLOCK) == 0;
  });
  closing.join();
  reading.join();
  const std::string rest = take_all(channel.out()) + take_all(pair.ends[1]);
  std::uint64_t times = 0;
  const ssize_t rang = read(timer, &times, sizeof times);
  std::printf("%s %s %s %d %d\n", order.c_str(), got.c_str(), rest.c_str(), waits, static_cast<int>(rang));
}

void poll_or_byte() {
  const Pipe channel;
  pollfd waited{channel.out(), POLLIN, 0};
  std::thread writer([&] { put(channel.in(), "a"); });
  std::printf("%s\n", poll(&waited, 1, 1000) == 0 ? "late" : "in time");
  writer.join();
}

// A file that was opened before the first thread: each execution finds the same position and the same length.
void file_before() {
  const int file = open("before.txt", O_CREAT | O_TRUNC | O_RDWR, 0600);
  put(file, "abc");
  lseek(file, 1, SEEK_SET);
  const int log = open("log.txt", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
  char got = 0;
  std::thread reader([&] {
    got = take(file);
    lseek(file, 0, SEEK_END);
    put(file, "more");
    put(log, "line");
  });
  reader.join();
  std::printf("%c %d %d\n", got, static_cast<int>(lseek(file, 0, SEEK_END)),
              static_cast<int>(lseek(log, 0, SEEK_END)));
}

// Each execution leaves a watch, and an event that nobody has read.
void watched_before() {
  const int watcher = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(watcher, ".", IN_CREATE);
  std::thread maker([] {
    close(open("made.txt", O_CREAT | O_WRONLY, 0600));
    close(open("left.txt", O_CREAT | O_WRONLY, 0600));
  });
  maker.join();
  mkdir("folder", 0700);
  close(open("folder/unseen.txt", O_CREAT | O_WRONLY, 0600));
  inotify_add_watch(watcher, "folder", IN_CREATE);
  alignas(inotify_event) char got[sizeof(inotify_event) + 16] = {};
  const ssize_t size = read(watcher, got, sizeof got);
  std::printf("%d %s\n", static_cast<int>(size), reinterpret_cast<inotify_event*>(got)->name);
}

// The next execution cannot have this watch.
void watch_is_ended() {
  const int watcher = inotify_init1(IN_NONBLOCK);
  const int watch = inotify_add_watch(watcher, ".", IN_CREATE);
  std::thread([&] { inotify_rm_watch(watcher, watch); }).join();
}

void make_and_fail() {
  std::thread maker([] {
    int ends[2];
    if (pipe(ends) == 0) std::abort();
  });
  maker.join();
}

constexpr Scenario k_scenarios[] = {
    {"make_and_fail", make_and_fail},
    {"pipe_before", pipe_before},
    {"pipe_inside", pipe_inside},
    {"two_readers", two_readers},
    {"leftover", leftover},
    {"one_edge", one_edge},
    {"registered_meanwhile", registered_meanwhile},
    {"event_as_semaphore", event_as_semaphore},
    {"self_pipe", self_pipe},
    {"poll_times_out", poll_times_out},
    {"poll_of_nothing", poll_of_nothing},
    {"select_two", select_two},
    {"full_pipe", full_pipe},
    {"unread_pipes", unread_pipes},
    {"without_waiting", without_waiting},
    {"spin_on_read", spin_on_read},
    {"by_number", by_number},
    {"timers", timers},
    {"timers_of_threads", timers_of_threads},
    {"timer_closed_meanwhile", timer_closed_meanwhile},
    {"many_timers", many_timers},
    {"timer_closed_before_threads", timer_closed_before_threads},
    {"timer_in_epoll", timer_in_epoll},
    {"file_locks", file_locks},
    {"record_lock", record_lock},
    {"streams", streams},
    {"broken_stream", broken_stream},
    {"timer_before", timer_before},
    {"numbers_used_again", numbers_used_again},
    {"poll_or_byte", poll_or_byte},
    {"file_before", file_before},
    {"watched_before", watched_before},
    {"watch_is_ended", watch_is_ended},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
