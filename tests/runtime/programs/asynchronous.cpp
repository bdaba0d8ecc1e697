// Asynchronous input and output.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scenario.h"

namespace {

aiocb block_of(int descriptor, char* data, std::size_t size, off_t offset = 0) {
  aiocb block{};
  block.aio_fildes = descriptor;
  block.aio_buf = data;
  block.aio_nbytes = size;
  block.aio_offset = offset;
  block.aio_sigevent.sigev_notify = SIGEV_NONE;
  return block;
}

int file() { return memfd_create("file", 0); }

void wait_for(const aiocb& block) {
  const aiocb* const list[] = {&block};
  while (aio_error(&block) == EINPROGRESS) aio_suspend(list, 1, nullptr);
}

// Natively, too, a request may have ended before the call that submits it returns.
void may_be_in_progress() {
  char text[] = "hello", got[6] = "";
  const int descriptor = file();
  aiocb writes = block_of(descriptor, text, 5);
  std::printf("%d ", aio_write(&writes));
  std::printf("%s ", aio_error(&writes) == EINPROGRESS ? "runs" : "done");
  wait_for(writes);
  aiocb reads = block_of(descriptor, got, 5);
  aio_read(&reads);
  wait_for(reads);
  std::printf("%d %zd %s", aio_error(&reads), aio_return(&reads), got);
}

// Requests of one descriptor are served in their order.
void in_order() {
  char a[] = "a", b[] = "b", got[3] = "";
  const int descriptor = file();
  fcntl(descriptor, F_SETFL, O_APPEND);
  aiocb first = block_of(descriptor, a, 1), second = block_of(descriptor, b, 1);
  aio_write(&first);
  aio_write(&second);
  wait_for(second);
  std::printf("%d ", aio_error(&first));
  pread(descriptor, got, 2, 0);
  std::printf("%s", got);
}

void list_waits() {
  char a[] = "a", b[] = "b", got[3] = "";
  const int descriptor = file();
  aiocb first = block_of(descriptor, a, 1), second = block_of(descriptor, b, 1, 1);
  first.aio_lio_opcode = second.aio_lio_opcode = LIO_WRITE;
  aiocb* const list[] = {&first, nullptr, &second};
  const int waited = lio_listio(LIO_WAIT, list, 3, nullptr);
  pread(descriptor, got, 2, 0);
  std::printf("%d %d %d %s", waited, aio_error(&first), aio_error(&second), got);
}

void list_with_an_error() {
  char a[] = "a";
  aiocb bad = block_of(-1, a, 1);
  bad.aio_lio_opcode = LIO_WRITE;
  aiocb* const list[] = {&bad};
  const int waited = lio_listio(LIO_WAIT, list, 1, nullptr);
  std::printf("%d %d %d", waited, errno == EIO, aio_error(&bad) == EBADF);
}

void tells_by_signal() {
  char a[] = "a";
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  aiocb block = block_of(file(), a, 1);
  block.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
  block.aio_sigevent.sigev_signo = SIGRTMIN;
  block.aio_sigevent.sigev_value.sival_int = 7;
  aio_write(&block);
  siginfo_t details;
  const int number = sigwaitinfo(&set, &details);
  std::printf("%d %d %d %d", number == SIGRTMIN, details.si_value.sival_int, details.si_code == SI_ASYNCIO,
              aio_error(&block));
}

sem_t g_told;
int g_value;

void told(sigval value) {
  g_value = value.sival_int;
  sem_post(&g_told);
}

// A list tells of its end by a thread.
void list_tells_by_thread() {
  char a[] = "a";
  sem_init(&g_told, 0, 0);
  aiocb block = block_of(file(), a, 1);
  block.aio_lio_opcode = LIO_WRITE;
  aiocb* const list[] = {&block};
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = told;
  event.sigev_value.sival_int = 3;
  const int submitted = lio_listio(LIO_NOWAIT, list, 1, &event);
  while (sem_wait(&g_told) != 0) {
  }
  std::printf("%d %d %d", submitted, g_value, aio_error(&block));
}

// With LIO_WAIT, too, each request tells of its own end.
void each_tells_by_thread() {
  char a[] = "a";
  sem_init(&g_told, 0, 0);
  aiocb block = block_of(file(), a, 1);
  block.aio_lio_opcode = LIO_WRITE;
  block.aio_sigevent.sigev_notify = SIGEV_THREAD;
  block.aio_sigevent.sigev_notify_function = told;
  block.aio_sigevent.sigev_value.sival_int = 3;
  aiocb* const list[] = {&block};
  const int waited = lio_listio(LIO_WAIT, list, 1, nullptr);
  while (sem_wait(&g_told) != 0) {
  }
  std::printf("%d %d %d", waited, g_value, aio_error(&block));
}

void cancelled() {
  char a[] = "a";
  const int descriptor = file();
  aiocb block = block_of(descriptor, a, 1);
  aio_write(&block);
  const int answer = aio_cancel(descriptor, &block);
  wait_for(block);
  std::printf("%s %s",
              answer == AIO_CANCELED  ? "cancelled"
              : answer == AIO_ALLDONE ? "done"
                                      : "runs",
              aio_error(&block) == ECANCELED ? "ECANCELED" : "written");
}

void suspended_too_long() {
  char got[1];
  int ends[2];
  if (pipe(ends) != 0) return;
  aiocb block = block_of(ends[0], got, 1);
  aio_read(&block);
  const aiocb* const list[] = {&block};
  const timespec time{0, 1000};
  const int waited = aio_suspend(list, 1, &time);
  const bool late = waited != 0 && errno == EAGAIN;
  if (write(ends[1], "x", 1) != 1) return;
  wait_for(block);
  std::printf("%s %zd", late ? "late" : "?", aio_return(&block));
}

void much_takes_time() {
  static char text[2 << 20];
  aiocb block = block_of(file(), text, sizeof text);
  aio_write(&block);
  const aiocb* const list[] = {&block};
  const timespec time{0, 1000};
  const bool late = aio_suspend(list, 1, &time) != 0 && errno == EAGAIN;
  wait_for(block);
  std::printf("%s %zd", late ? "late" : "?", aio_return(&block));
}

void wrong_use() {
  char a[] = "a";
  aiocb block = block_of(file(), a, 1);
  block.aio_reqprio = -1;
  aiocb* const list[] = {&block};
  const auto say = [](int result, int error) { std::printf("%d %d ", result, errno == error); };
  say(aio_write(&block), EINVAL);
  say(aio_fsync(-1, &block), EINVAL);
  say(lio_listio(77, list, 1, nullptr), EINVAL);
  say(aio_cancel(-1, nullptr), EBADF);
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  pthread_join(thread, nullptr);
}

// The buffer is read by the request, and nothing orders that and the change.
void changed_too_early() {
  static char text[] = "a";
  aiocb block = block_of(file(), text, 1);
  aio_write(&block);
  text[0] = 'b';
  wait_for(block);
}

constexpr Scenario k_scenarios[] = {
    {"may_be_in_progress", may_be_in_progress},
    {"in_order", in_order},
    {"list_waits", list_waits},
    {"list_with_an_error", list_with_an_error},
    {"tells_by_signal", tells_by_signal},
    {"list_tells_by_thread", list_tells_by_thread},
    {"each_tells_by_thread", each_tells_by_thread},
    {"cancelled", cancelled},
    {"suspended_too_long", suspended_too_long},
    {"much_takes_time", much_takes_time},
    {"wrong_use", wrong_use},
    {"changed_too_early", changed_too_early},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
