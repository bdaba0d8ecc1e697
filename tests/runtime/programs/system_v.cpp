// Queues, semaphores and shared memory of System V, made before the first thread and removed at the end: each
// execution finds them as they were.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "scenario.h"

namespace {

struct Message {
  long type;
  char text[8];
};

void put(int queue, const char* text, int flags = 0) {
  Message message{1, {}};
  std::strncpy(message.text, text, sizeof message.text - 1);
  assert(msgsnd(queue, &message, std::strlen(text) + 1, flags) == 0);
}

std::string take(int queue) {
  Message message{};
  assert(msgrcv(queue, &message, sizeof message.text, 0, 0) >= 0);
  return message.text;
}

class Queue {
public:
  ~Queue() { msgctl(id, IPC_RMID, nullptr); }
  const int id = msgget(IPC_PRIVATE, 0600);
};

class Semaphore {
public:
  explicit Semaphore(int value) { assert(semctl(id, 0, SETVAL, value) == 0); }
  ~Semaphore() { semctl(id, 0, IPC_RMID); }
  int add(short by, const timespec* time = nullptr) const {
    sembuf change{0, by, 0};
    return time == nullptr ? semop(id, &change, 1) : semtimedop(id, &change, 1, time);
  }
  const int id = semget(IPC_PRIVATE, 1, 0600);
};

void message() {
  const Queue queue;
  std::thread other([&] { put(queue.id, "hi"); });
  std::printf("%s\n", take(queue.id).c_str());
  other.join();
}

void message_before() {
  const Queue queue;
  put(queue.id, "early");
  std::thread other([&] { put(queue.id, "late"); });
  const std::string first = take(queue.id);
  std::printf("%s %s\n", first.c_str(), take(queue.id).c_str());
  other.join();
}

// The queue holds one message.
void full_queue() {
  const Queue queue;
  msqid_ds limits{};
  assert(msgctl(queue.id, IPC_STAT, &limits) == 0);
  limits.msg_qbytes = 2;
  assert(msgctl(queue.id, IPC_SET, &limits) == 0);
  std::thread other([&] {
    put(queue.id, "a");
    put(queue.id, "b");
  });
  const std::string first = take(queue.id);
  std::printf("%s%s\n", first.c_str(), take(queue.id).c_str());
  other.join();
}

void semaphore() {
  const Semaphore free(1);
  int count = 0;
  const auto use = [&] {
    free.add(-1);
    ++count;
    free.add(1);
  };
  std::thread other(use);
  use();
  other.join();
  std::printf("%d %d\n", count, semctl(free.id, 0, GETVAL));
}

void semaphore_never() {
  const Semaphore none(0);
  std::thread other([&] { none.add(-1); });
  other.join();
}

void semaphore_times_out() {
  const Semaphore none(0);
  std::thread other([&] {
    const timespec time{0, 1000000};
    std::printf("%d\n", none.add(-1, &time) < 0 ? errno == EAGAIN : -1);
  });
  other.join();
}

void set_by_another() {
  const Semaphore none(0);
  std::thread other([&] { assert(semctl(none.id, 0, SETVAL, 2) == 0); });
  none.add(-1);
  std::printf("%d\n", semctl(none.id, 0, GETVAL));
  other.join();
}

void removed_while_waited() {
  const Semaphore none(0);
  std::thread other([&] {
    const int result = none.add(-1);
    std::printf("%s\n", result == 0 ? "0" : errno == EIDRM ? "EIDRM" : errno == EINVAL ? "EINVAL" : "?");
  });
  assert(semctl(none.id, 0, IPC_RMID) == 0);
  other.join();
}

void shared_memory() {
  const int id = shmget(IPC_PRIVATE, 4096, 0600);
  auto* const counter = static_cast<std::atomic<int>*>(shmat(id, nullptr, 0));
  std::thread other([&] { ++*counter; });
  ++*counter;
  other.join();
  std::printf("%d\n", counter->load());
  shmdt(counter);
  shmctl(id, IPC_RMID, nullptr);
}

// Nobody removes it. It goes with its execution.
void made_and_left() {
  const char* const key = std::getenv("SYSTEM_V_KEY");
  std::thread other([key] {
    const int id = semget(key == nullptr ? IPC_PRIVATE : std::atoi(key), 1, IPC_CREAT | IPC_EXCL | 0600);
    std::printf("%d\n", id >= 0 ? semctl(id, 0, GETVAL) : -1);
  });
  other.join();
}

constexpr Scenario k_scenarios[] = {
    {"message", message},
    {"message_before", message_before},
    {"full_queue", full_queue},
    {"semaphore", semaphore},
    {"semaphore_never", semaphore_never},
    {"semaphore_times_out", semaphore_times_out},
    {"set_by_another", set_by_another},
    {"removed_while_waited", removed_while_waited},
    {"shared_memory", shared_memory},
    {"made_and_left", made_and_left},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
