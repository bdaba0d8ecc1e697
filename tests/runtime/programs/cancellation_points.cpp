// Every function of cancellation_points.def, called by a thread that has been cancelled.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>

#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "channels.h"
#include "scenario.h"

// What _FORTIFY_SOURCE makes of the calls.
extern "C" {
int __open_2(const char*, int);
int __open64_2(const char*, int);
int __openat_2(int, const char*, int);
int __openat64_2(int, const char*, int);
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void*, size_t, off64_t, size_t);
}

namespace {

constexpr const char* k_path = "/dev/null";
constexpr timespec k_short{0, 1000};
constexpr timespec k_past{1, 0};
constexpr timespec k_late{4000000000, 0};

int g_file, g_listener, g_socket, g_epoll, g_counter;
mqd_t g_queue;
sem_t g_semaphore;
pthread_t g_ended;
pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t g_condition = PTHREAD_COND_INITIALIZER;
char g_room[16];
iovec g_part{g_room, 1};
msghdr g_message{};
mmsghdr g_messages{};
epoll_event g_event{};
eventfd_t g_count = 0;
char* g_line = nullptr;
std::size_t g_length = 0;
sigset_t g_usr2;
FILE* g_stream = nullptr;
bool g_enabled = true; // the calls are made with cancellation enabled
bool g_returned = false;

sigset_t set_of(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

// What a call needs before it, which is no point itself.
template <class Function>
auto disabled(Function prepare) {
  int before = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  auto result = prepare();
  pthread_setcancelstate(before, nullptr);
  return result;
}

FILE* stream() {
  return disabled([] { return fopen(k_path, "r"); });
}

// A stream with an empty buffer.
FILE* fresh() {
  return disabled([] {
    if (g_stream != nullptr) fclose(g_stream);
    return g_stream = fopen(k_path, "r");
  });
}

void lock_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_len = 1;
  fcntl(g_file, F_SETLKW, &lock);
}

void select_shortly() {
  timeval time{0, 1};
  select(0, nullptr, nullptr, nullptr, &time);
}

// Both return only after a handler has run.
void suspend_shortly() {
  raise(SIGUSR1);
  sigset_t none;
  sigemptyset(&none);
  sigsuspend(&none);
}
void pause_shortly() {
  const sigset_t alarms = set_of(SIGALRM);
  alarm(1);
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  pause();
}

void wait_for_signal() {
  raise(SIGUSR2);
  int number = 0;
  sigwait(&g_usr2, &number);
}
void wait_for_signal_details() {
  raise(SIGUSR2);
  sigwaitinfo(&g_usr2, nullptr);
}

void unlock(void*) { pthread_mutex_unlock(&g_mutex); }

template <class Function>
void wait_on_condition(Function wait) {
  pthread_mutex_lock(&g_mutex);
  pthread_cleanup_push(unlock, nullptr);
  wait();
  pthread_cleanup_pop(1);
}
void cond_wait() { // with cancellation disabled nobody would end it
  if (g_enabled) wait_on_condition([] { pthread_cond_wait(&g_condition, &g_mutex); });
}
void cond_timedwait() {
  wait_on_condition([] { pthread_cond_timedwait(&g_condition, &g_mutex, &k_past); });
}
void cond_clockwait() {
  wait_on_condition([] { pthread_cond_clockwait(&g_condition, &g_mutex, CLOCK_REALTIME, &k_past); });
}

void close_stream(FILE* open) {
  if (open != nullptr) disabled([&] { return fclose(open); });
}
void close_file(int file) {
  if (file >= 0) disabled([&] { return close(file); });
}
void flush_output() {
  std::fputc(' ', stdout);
  std::fflush(stdout);
}

#define CALL(function, ...)                                                                                  \
  void call_##function() { static_cast<void>(__VA_ARGS__); }
CALL(accept, accept(g_listener, nullptr, nullptr))
CALL(accept4, accept4(g_listener, nullptr, nullptr, 0))
CALL(close, close(dup(g_file)))
CALL(connect, connect(g_file, nullptr, 0))
CALL(fcntl, lock_file())
CALL(mq_receive, mq_receive(g_queue, g_room, sizeof g_room, nullptr))
CALL(mq_send, mq_send(g_queue, "x", 1, 0))
CALL(mq_timedreceive, mq_timedreceive(g_queue, g_room, sizeof g_room, nullptr, &k_late))
CALL(mq_timedsend, mq_timedsend(g_queue, "x", 1, 0, &k_late))
CALL(msgrcv, msgrcv(-1, g_room, 1, 0, 0))
CALL(msgsnd, msgsnd(-1, g_room, 1, 0))
CALL(poll, poll(nullptr, 0, 1))
CALL(ppoll, ppoll(nullptr, 0, &k_short, nullptr))
CALL(pselect, pselect(0, nullptr, nullptr, nullptr, &k_short, nullptr))
CALL(select, select_shortly())
CALL(read, read(g_file, g_room, 1))
CALL(readv, readv(g_file, &g_part, 1))
CALL(recv, recv(g_socket, g_room, 1, MSG_DONTWAIT))
CALL(recvfrom, recvfrom(g_socket, g_room, 1, MSG_DONTWAIT, nullptr, nullptr))
CALL(recvmsg, recvmsg(g_socket, &g_message, MSG_DONTWAIT))
CALL(recvmmsg, recvmmsg(g_socket, &g_messages, 1, MSG_DONTWAIT, nullptr))
CALL(send, send(g_socket, "x", 1, MSG_DONTWAIT))
CALL(sendto, sendto(g_socket, "x", 1, MSG_DONTWAIT, nullptr, 0))
CALL(sendmsg, sendmsg(g_socket, &g_message, MSG_DONTWAIT))
CALL(sendmmsg, sendmmsg(g_socket, &g_messages, 1, MSG_DONTWAIT))
CALL(wait, wait(nullptr))
CALL(waitid, waitid(P_ALL, 0, nullptr, WEXITED))
CALL(waitpid, waitpid(-1, nullptr, 0))
CALL(wait3, wait3(nullptr, 0, nullptr))
CALL(wait4, wait4(-1, nullptr, 0, nullptr))
CALL(write, write(g_file, "x", 1))
CALL(writev, writev(g_file, &g_part, 1))
CALL(pause, pause_shortly())
CALL(sigsuspend, suspend_shortly())
CALL(sigtimedwait, sigtimedwait(&g_usr2, nullptr, &k_short))
CALL(sigwait, wait_for_signal())
CALL(sigwaitinfo, wait_for_signal_details())
CALL(nanosleep, nanosleep(&k_short, nullptr))
CALL(clock_nanosleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &k_short, nullptr))
CALL(sleep, sleep(1))
CALL(usleep, usleep(1))
CALL(sem_wait, sem_wait(&g_semaphore))
CALL(sem_timedwait, sem_timedwait(&g_semaphore, &k_late))
CALL(sem_clockwait, sem_clockwait(&g_semaphore, CLOCK_REALTIME, &k_late))
CALL(pthread_cond_wait, cond_wait())
CALL(pthread_cond_timedwait, cond_timedwait())
CALL(pthread_cond_clockwait, cond_clockwait())
CALL(pthread_join, pthread_join(g_ended, nullptr))
CALL(pthread_timedjoin_np, pthread_timedjoin_np(g_ended, nullptr, &k_late))
CALL(pthread_clockjoin_np, pthread_clockjoin_np(g_ended, nullptr, CLOCK_REALTIME, &k_late))
CALL(creat, close_file(creat(k_path, 0600)))
CALL(creat64, close_file(creat64(k_path, 0600)))
CALL(open, close_file(open(k_path, O_RDWR)))
CALL(open64, close_file(open64(k_path, O_RDWR)))
CALL(openat, close_file(openat(AT_FDCWD, k_path, O_RDWR)))
CALL(openat64, close_file(openat64(AT_FDCWD, k_path, O_RDWR)))
CALL(__open_2, close_file(__open_2(k_path, O_RDWR)))
CALL(__open64_2, close_file(__open64_2(k_path, O_RDWR)))
CALL(__openat_2, close_file(__openat_2(AT_FDCWD, k_path, O_RDWR)))
CALL(__openat64_2, close_file(__openat64_2(AT_FDCWD, k_path, O_RDWR)))
CALL(open_by_handle_at, open_by_handle_at(-1, nullptr, 0))
CALL(fdatasync, fdatasync(g_file))
CALL(fsync, fsync(g_file))
CALL(lockf, lockf(g_file, F_LOCK, 1))
CALL(lockf64, lockf64(g_file, F_LOCK, 1))
CALL(msync, msync(nullptr, 0, MS_SYNC))
CALL(pread, pread(g_file, g_room, 1, 0))
CALL(pread64, pread64(g_file, g_room, 1, 0))
CALL(__pread_chk, __pread_chk(g_file, g_room, 1, 0, sizeof g_room))
CALL(__pread64_chk, __pread64_chk(g_file, g_room, 1, 0, sizeof g_room))
CALL(pwrite, pwrite(g_file, "x", 1, 0))
CALL(pwrite64, pwrite64(g_file, "x", 1, 0))
CALL(preadv, preadv(g_file, &g_part, 1, 0))
CALL(preadv64, preadv64(g_file, &g_part, 1, 0))
CALL(preadv2, preadv2(g_file, &g_part, 1, 0, 0))
CALL(preadv64v2, preadv64v2(g_file, &g_part, 1, 0, 0))
CALL(pwritev, pwritev(g_file, &g_part, 1, 0))
CALL(pwritev64, pwritev64(g_file, &g_part, 1, 0))
CALL(pwritev2, pwritev2(g_file, &g_part, 1, 0, 0))
CALL(pwritev64v2, pwritev64v2(g_file, &g_part, 1, 0, 0))
CALL(tcdrain, tcdrain(g_file))
CALL(sync_file_range, sync_file_range(g_file, 0, 1, 0))
CALL(fallocate, fallocate(g_file, 0, 0, 1))
CALL(fallocate64, fallocate64(g_file, 0, 0, 1))
CALL(copy_file_range, copy_file_range(-1, nullptr, -1, nullptr, 1, 0))
CALL(splice, splice(-1, nullptr, -1, nullptr, 1, 0))
CALL(tee, tee(-1, -1, 1, 0))
CALL(vmsplice, vmsplice(-1, nullptr, 0, 0))
CALL(system, system(":"))
CALL(fopen, close_stream(fopen(k_path, "r")))
CALL(fopen64, close_stream(fopen64(k_path, "r")))
CALL(freopen, close_stream(freopen(k_path, "r", stream())))
CALL(freopen64, close_stream(freopen64(k_path, "r", stream())))
CALL(epoll_wait, epoll_wait(g_epoll, &g_event, 1, 1))
CALL(epoll_pwait, epoll_pwait(g_epoll, &g_event, 1, 1, nullptr))
CALL(epoll_pwait2, epoll_pwait2(g_epoll, &g_event, 1, &k_short, nullptr))
CALL(eventfd_read, eventfd_read(g_counter, &g_count))
CALL(eventfd_write, eventfd_write(g_counter, 1))
CALL(fgetc, fgetc(fresh()))
CALL(getc, getc(fresh()))
CALL(fgets, fgets(g_room, 2, fresh()))
CALL(fread, fread(g_room, 1, 1, fresh()))
CALL(getdelim, getdelim(&g_line, &g_length, 0, fresh()))
CALL(getline, getline(&g_line, &g_length, fresh()))
CALL(fflush, flush_output())
#undef CALL

struct Call {
  const char* name;
  void (*function)();
};
constexpr Call k_calls[] = {
#define REEX_CANCELLATION_POINT(function, definition) {#function, call_##function},
#include "reex/runtime/descriptors/cancellation_points.def"
#undef REEX_CANCELLATION_POINT
};

void prepare() {
  g_file = memfd_create("file", 0);
  put(g_file, "0123456789");
  g_listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  listen(g_listener, 1);
  const Pair pair;
  g_socket = pair.ends[0];
  g_epoll = epoll_create1(0);
  g_counter = eventfd(1, 0);
  mq_attr attributes{};
  attributes.mq_maxmsg = 4;
  attributes.mq_msgsize = sizeof g_room;
  g_queue = mq_open("/cancellation", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &attributes);
  mq_unlink("/cancellation");
  sem_init(&g_semaphore, 0, 10);
  g_message.msg_iov = &g_part;
  g_message.msg_iovlen = 1;
  g_messages.msg_hdr = g_message;
  g_usr2 = set_of(SIGUSR2);
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
  sigset_t blocked = g_usr2;
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
}

pthread_t start(void* (*function)(void*), const void* argument = nullptr) {
  pthread_t thread;
  pthread_create(&thread, nullptr, function, const_cast<void*>(argument));
  return thread;
}

bool is_cancelled(pthread_t thread) {
  void* result = nullptr;
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

void* call_cancelled(void* of) {
  if (!g_enabled) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  pthread_cancel(pthread_self());
  static_cast<const Call*>(of)->function();
  g_returned = true;
  return nullptr;
}

void* end_at_once(void*) { return nullptr; }

// Prints the functions that are no points, or that are some although cancellation is disabled.
void call_those(std::size_t first, std::size_t last) {
  prepare();
  int wrong = 0;
  for (std::size_t i = first; i < last && i < std::size(k_calls); ++i) {
    g_ended = start(end_at_once);
    g_returned = false;
    const bool cancelled = is_cancelled(start(call_cancelled, &k_calls[i]));
    if (cancelled == g_enabled && g_returned != g_enabled) continue;
    std::printf("%s ", k_calls[i].name);
    ++wrong;
  }
  std::printf("%d\n", wrong);
}

constexpr std::size_t k_half = std::size(k_calls) / 2; // there may be 256 threads in an execution
void enabled() { call_those(0, k_half); }
void enabled_too() { call_those(k_half, std::size(k_calls)); }
void not_enabled() {
  g_enabled = false;
  call_those(0, k_half);
}
void not_enabled_too() {
  g_enabled = false;
  call_those(k_half, std::size(k_calls));
}

// Calls that wait, and the cancellation comes meanwhile or before.
constexpr Call k_waits[] = {
    {"read", [] { take(Pipe().out()); }},
    {"write",
     [] {
       const Pipe pipe;
       fcntl(pipe.in(), F_SETPIPE_SZ, 4096);
       char page[4096] = {};
       while (write(pipe.in(), page, sizeof page) > 0) {
       }
     }},
    {"recv", [] { recv(g_socket, g_room, 1, 0); }},
    {"poll", [] { poll(nullptr, 0, -1); }},
    {"poll a descriptor",
     [] {
       pollfd asked{Pipe().out(), POLLIN, 0};
       poll(&asked, 1, -1);
     }},
    {"select", [] { select(0, nullptr, nullptr, nullptr, nullptr); }},
    {"epoll_wait", [] { epoll_wait(g_epoll, &g_event, 1, -1); }},
    {"mq_receive",
     [] {
       mq_attr waits{};
       mq_setattr(g_queue, &waits, nullptr);
       mq_receive(g_queue, g_room, sizeof g_room, nullptr);
     }},
    {"pause", [] { pause(); }},
    {"sigwaitinfo", [] { sigwaitinfo(&g_usr2, nullptr); }},
    {"accept",
     [] {
       fcntl(g_listener, F_SETFL, 0);
       accept(g_listener, nullptr, nullptr);
     }},
};

void* call_waiting(void* of) {
  static_cast<const Call*>(of)->function();
  return nullptr;
}

template <std::size_t Index>
void while_waiting() {
  prepare();
  const pthread_t thread = start(call_waiting, &k_waits[Index]);
  pthread_cancel(thread);
  std::printf("%s\n", is_cancelled(thread) ? "cancelled" : "ended");
}

// A byte is either read or still there.
void keeps_its_effect() {
  static const Pipe pipe;
  static bool got = false;
  const pthread_t thread = start([](void*) -> void* {
    got = take(pipe.out()) == 'x';
    pthread_testcancel();
    return nullptr;
  });
  put(pipe.in(), "x");
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  fcntl(pipe.out(), F_SETFL, O_NONBLOCK);
  char byte = 0;
  const bool there = read(pipe.out(), &byte, 1) == 1;
  std::printf("%s\n", got != there ? "kept" : "lost");
}

constexpr Scenario k_scenarios[] = {
    {"enabled", enabled},
    {"enabled_too", enabled_too},
    {"not_enabled", not_enabled},
    {"not_enabled_too", not_enabled_too},
    {"in_read", while_waiting<0>},
    {"in_write", while_waiting<1>},
    {"in_recv", while_waiting<2>},
    {"in_poll", while_waiting<3>},
    {"in_poll_of_a_pipe", while_waiting<4>},
    {"in_select", while_waiting<5>},
    {"in_epoll_wait", while_waiting<6>},
    {"in_mq_receive", while_waiting<7>},
    {"in_pause", while_waiting<8>},
    {"in_sigwaitinfo", while_waiting<9>},
    {"in_accept", while_waiting<10>},
    {"keeps_its_effect", keeps_its_effect},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
