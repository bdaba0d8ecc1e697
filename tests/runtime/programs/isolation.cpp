// What one execution could leave behind for the next one, and what differs between two runs of a program.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <asm/prctl.h>
#include <csignal>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

std::mutex g_mutex;
std::atomic<int> g_value;

template <class Inside>
void in_thread(Inside inside) {
  std::thread thread(inside);
  thread.join();
}

// Two threads in any order. Both call `inside` under a lock.
template <class Inside>
std::string in_turn(Inside inside) {
  std::string order;
  const auto work = [&](char id) {
    std::lock_guard lock(g_mutex);
    inside(id);
    order += id;
  };
  std::thread one([&] { work('1'); });
  std::thread two([&] { work('2'); });
  one.join();
  two.join();
  return order;
}

void lock_or_load(bool lock) {
  if (lock)
    g_mutex.lock();
  else
    g_value.load();
  if (lock) g_mutex.unlock();
}

// How often this was called in all executions: reex does not set back a semaphore of System V.
int count() {
  const int counter = std::atoi(std::getenv("COUNTER"));
  sembuf add{.sem_num = 0, .sem_op = 1, .sem_flg = 0};
  semop(counter, &add, 1);
  return semctl(counter, 0, GETVAL);
}

bool comes_again() { return count() > 1; }

// Every second execution does something different.
void counts_executions() {
  in_thread([] { lock_or_load(count() % 2 != 0); });
}

// Calls that leave nothing behind.
void asks_the_system() {
  in_turn([](char) {
    rlimit limit{};
    struct stat status {};
    struct statfs system {};
    cpu_set_t processors;
    rusage used{};
    utsname name{};
    stack_t stack{};
    struct sigaction action {};
    char text[64];
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != 0);
    assert(prlimit(0, RLIMIT_STACK, nullptr, &limit) == 0 && limit.rlim_cur != 0);
    assert(sched_getaffinity(0, sizeof processors, &processors) == 0);
    assert(getrusage(RUSAGE_SELF, &used) == 0 && uname(&name) == 0);
    assert(stat("/", &status) == 0 && statfs("/", &system) == 0 && access("/", R_OK) == 0);
    assert(readlink("/proc/self/exe", text, sizeof text) > 0);
    assert(getpgrp() > 0 && getsid(0) >= 0 && getpriority(PRIO_PROCESS, 0) >= -20 &&
           getgroups(0, nullptr) >= 0);
    assert(sysconf(_SC_PAGESIZE) > 0 && sysconf(_SC_OPEN_MAX) != 0);
    assert(sigaltstack(nullptr, &stack) == 0 && sigaction(SIGUSR1, nullptr, &action) == 0);
    const timespec moment{0, 1};
    syscall(SYS_nanosleep, &moment, nullptr);
  });
}

// The same call with a new value changes the process.
void changes_a_limit() {
  in_turn([](char) {
    rlimit limit{};
    assert(prlimit(0, RLIMIT_CORE, nullptr, &limit) == 0);
    assert(prlimit(0, RLIMIT_CORE, &limit, nullptr) == 0);
  });
}

// The kernel's own clock, which no function of libc tells.
void prints_real_time() {
  in_thread([] { g_value = 1; });
  timespec time{};
  long result = SYS_clock_gettime;
  asm volatile("syscall" : "+a"(result) : "D"(CLOCK_MONOTONIC), "S"(&time) : "rcx", "r11", "memory");
  std::printf("%ld.%ld\n", static_cast<long>(time.tv_sec), time.tv_nsec);
}

// A register that is not part of a snapshot of the memory.
void sets_register() {
  const std::string order = in_turn([](char) {
    unsigned long before = 0;
    syscall(SYS_arch_prctl, ARCH_GET_GS, &before);
    lock_or_load(false);
    if (before != 0) lock_or_load(false);
  });
  syscall(SYS_arch_prctl, ARCH_SET_GS, 0x1000);
  std::printf("%s\n", order.c_str());
}

// The first execution has a finding: a thread that is never joined.
void sets_register_and_leaves_a_thread() {
  pthread_t thread;
  assert(pthread_create(
             &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr) == 0);
  sets_register();
}

// Fails in the first execution of its kind, and in no other one.
void fails_once() {
  if (in_turn([](char) { lock_or_load(false); }) == "21") assert(comes_again());
}

// Fails only in an execution that comes after a restore.
void fails_after_a_restore() {
  const std::string order = in_turn([](char) { lock_or_load(false); });
  unsigned long before = 0;
  syscall(SYS_arch_prctl, ARCH_GET_GS, &before);
  syscall(SYS_arch_prctl, ARCH_SET_GS, 0x1000);
  assert(order == "12" || before == 0);
}

// Fails in each execution of its kind, first in one way and then in another.
void fails_in_two_ways() {
  if (in_turn([](char) { lock_or_load(false); }) == "12") return;
  assert(comes_again());
  assert(!"again");
}

// Draws numbers before the first thread and in a thread.
template <class Draw>
void prints_drawn(Draw draw) {
  std::string drawn = draw();
  in_thread([&] { drawn += draw(); });
  std::printf("%s", drawn.c_str());
}

std::string as_text(unsigned number) { return std::to_string(number) + "\n"; }

void random_numbers() {
  prints_drawn([] {
    unsigned drawn[2] = {};
    if (getentropy(&drawn[0], sizeof drawn[0]) != 0 || getrandom(&drawn[1], sizeof drawn[1], 0) != 4)
      return std::string("too few");
    return as_text(std::random_device{}()) + as_text(drawn[0]) + as_text(drawn[1]);
  });
}

void random_devices() {
  prints_drawn([] {
    unsigned drawn = 0;
    std::ifstream("/dev/urandom").read(reinterpret_cast<char*>(&drawn), sizeof drawn);
    return as_text(drawn) + as_text(std::random_device{"/dev/random"}());
  });
}

// A device from before the first thread gives more than is drawn for it at once.
void long_random_device() {
  const int device = open("/dev/urandom", O_RDONLY);
  std::vector<char> drawn((std::size_t{1} << 20) + 4096);
  std::size_t done = 0;
  in_thread([&] {
    for (ssize_t got = 1; got > 0 && done < drawn.size(); done += static_cast<std::size_t>(got))
      got = read(device, drawn.data() + done, drawn.size() - done);
  });
  std::printf("%zu\n", done);
}

// getpid and similar functions return the numbers of one process; a child knows its parent.
void process_numbers() {
  const pid_t before = getpid();
  const pid_t parent = getppid();
  bool same = false;
  in_thread([&] {
    same = getpid() == before && syscall(SYS_getpid) == before && getppid() == parent && gettid() != before;
  });
  std::printf("%s\n", same && gettid() == before ? "same" : "other");
}

void child_knows_parent() {
  const pid_t parent = getpid();
  in_thread([&] {
    const pid_t child = fork();
    if (child == 0) _exit(getppid() == parent && getpid() != parent ? 3 : 4);
    int status = 0;
    std::printf("%d\n", waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1);
  });
}

// ---- what an execution leaves behind

void appends() {
  const int file = open("appended.txt", O_WRONLY | O_CREAT | O_APPEND, 0600);
  const std::string order = in_turn([&](char id) {
    if (write(file, &id, 1) != 1) std::abort();
  });
  std::printf("%s\n", order.c_str());
}

void sets_alarm() {
  unsigned before = 0;
  const std::string order = in_turn([&](char) { before += alarm(100) == 0 ? 1 : 0; });
  std::printf("%s %u\n", order.c_str(), before);
}

void leaks() {
  const std::string order = in_turn([](char id) {
    char* volatile lost = static_cast<char*>(std::malloc(std::size_t{1} << 20));
    if (lost[1000] != 0) std::abort(); // memory that was never allocated before contains zeros
    lost[1000] = id;
  });
  std::printf("%s\n", order.c_str());
}

// Not instrumented: it reads every byte.
[[gnu::no_sanitize("thread"), gnu::noinline]] std::size_t changed_bytes(const char* memory,
                                                                        std::size_t size) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < size; ++i) changed += memory[i] != '.';
  return changed;
}

// A large block, of which a restore copies back only what the test, or the kernel for the test, has written.
void writes_long_memory() {
  constexpr std::size_t k_size = std::size_t{2} << 20;
  char* memory = static_cast<char*>(std::malloc(k_size)); // it is never freed
  std::memset(memory, '.', k_size);
  const int file = open("/proc/self/comm", O_RDONLY);
  int fresh = 0;
  const std::string order = in_turn([&](char id) {
    for (std::size_t at = static_cast<std::size_t>(id); at < k_size; at += k_size / 64) memory[at] += 1;
    fresh += memory[k_size / 2] == '.';
    if (pread(file, memory + k_size / 2 - 1, 3, 0) != 3) std::abort();
  });
  std::printf("%s %d %zu\n", order.c_str(), fresh, changed_bytes(memory, k_size));
}

template <class Inside>
void in_shared(int* counter, Inside inside) {
  const std::string order = in_turn([&](char) { ++*counter; });
  inside();
  std::printf("%s %d\n", order.c_str(), *counter);
}

void writes_shared() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  in_shared(static_cast<int*>(page), [] {});
}

// The mapping is longer than its file, and is moved and shortened before the first thread.
void writes_shared_file() {
  const int file = open("shared.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (ftruncate(file, 8192) != 0) std::abort();
  char* pages = static_cast<char*>(mmap(nullptr, 4 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  munmap(pages, 4096);
  pages = static_cast<char*>(mremap(pages + 4096, 3 * 4096, 6 * 4096, MREMAP_MAYMOVE));
  in_shared(reinterpret_cast<int*>(pages), [] {});
}

// Each thread finds its new memory empty, writes to it, and gives back some of it.
void maps_memory() {
  int clean = 0;
  const std::string order = in_turn([&](char id) {
    constexpr std::size_t k_size = 3 * 4096;
    char* const pages =
        static_cast<char*>(mmap(nullptr, k_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages == MAP_FAILED) std::abort();
    for (std::size_t i = 0; i < k_size; ++i) clean += pages[i] == 0;
    std::memset(pages, id, k_size);
    munmap(pages + 4096, 4096);
    mprotect(pages + 2 * 4096, 4096, PROT_READ);
    clean += pages[0] == id && pages[k_size - 1] == id;
    if (id == '1') munmap(pages, k_size);
  });
  std::printf("%s %d\n", order.c_str(), clean);
}

// From before the first thread. Each execution finds it, with its content, and may give it back piece by
// piece.
void unmaps_early_memory() {
  constexpr std::size_t k_page = 4096;
  char* const pages = static_cast<char*>(
      mmap(nullptr, 8 * k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (pages == MAP_FAILED) std::abort();
  std::memset(pages, 'e', 8 * k_page);
  mprotect(pages + 7 * k_page, k_page, PROT_READ); // a guard page
  int found = 0;
  const std::string order = in_turn([&](char id) {
    char* const own = pages + (id - '1') * 3 * k_page;
    found += own[0] == 'e' && own[k_page] == 'e' && own[2 * k_page] == 'e';
    own[k_page] = id;
    munmap(own, k_page);
    mprotect(own + k_page, k_page, PROT_READ);
    found += own[k_page] == id;
    mprotect(own + k_page, k_page, PROT_READ | PROT_WRITE);
    own[k_page] = 'l';
    own[2 * k_page] = 'l';
    if (id == '1') munmap(own, 3 * k_page);
  });
  found += pages[7 * k_page] == 'e' && pages[6 * k_page] == 'e';
  munmap(pages + 6 * k_page, 2 * k_page);
  std::printf("%s %d\n", order.c_str(), found);
}

// The first page of a block guards the rest, as in a stack of a fiber: of a block from before the first
// thread, and of blocks that the threads leave behind.
void guards_blocks() {
  constexpr std::size_t k_page = 4096;
  const auto make = [](char content) {
    void* made = nullptr;
    if (posix_memalign(&made, k_page, 4 * k_page) != 0) std::abort();
    char* const block = static_cast<char*>(made);
    std::memset(block, content, 4 * k_page);
    if (mprotect(block, k_page, PROT_NONE) != 0) std::abort();
    return block;
  };
  char* const early = make('e');
  int found = 0;
  const std::string order = in_turn([&](char id) {
    const char* const own = make(id);
    found += early[(id - '0') * k_page] == 'e';
    early[(id - '0') * k_page] = 'l';
    found += early[4 * k_page - 1] == 'e' && own[k_page] == id && own[4 * k_page - 1] == id;
  });
  found += early[k_page] == 'l' && early[2 * k_page] == 'l';
  std::printf("%s %d\n", order.c_str(), found);
}

// What has been given back cannot be used.
void uses_unmapped_early_memory() {
  char* const page =
      static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (page == MAP_FAILED) std::abort();
  std::atomic<bool> gone{false};
  std::thread giving([&] {
    munmap(page, 4096);
    gone = true;
  });
  std::thread using_it([&] {
    if (gone) page[0] = 1;
  });
  giving.join();
  using_it.join();
  std::printf("done\n");
}

// More than a thread has room for.
void maps_much_memory() {
  const std::string order = in_turn([&](char) {
    for (int i = 0; i < 3; ++i) {
      constexpr std::size_t k_size = 8 << 20;
      char* const pages = static_cast<char*>(
          mmap(nullptr, k_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      if (pages == MAP_FAILED || pages[k_size / 2] != 0) std::abort();
      pages[k_size / 2] = 1;
      munmap(pages, k_size);
    }
  });
  std::printf("%s\n", order.c_str());
}

void maps_file_privately() {
  constexpr std::size_t k_page = 4096;
  int found = 0;
  const std::string order = in_turn([&](char id) {
    const int file = open("/proc/self/exe", O_RDONLY);
    char* const pages =
        static_cast<char*>(mmap(nullptr, 2 * k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0));
    close(file);
    if (pages == MAP_FAILED) std::abort();
    found += pages[1] == 'E';
    pages[1] = id;
    munmap(pages + k_page, k_page);
  });
  std::printf("%s %d\n", order.c_str(), found);
}

// The kernel would change this memory whenever it moves the process to another processor.
void hides_processor() {
  const auto processor = [] {
    const auto* area = reinterpret_cast<const struct rseq*>(
        static_cast<const char*>(__builtin_thread_pointer()) + __rseq_offset);
    return static_cast<int>(area->cpu_id);
  };
  int in_other = 0;
  in_thread([&] { in_other = processor(); });
  std::printf("%d %d %d\n", processor(), in_other, sched_getcpu() >= 0);
}

// The number of the processor is one that the thread may use, and another one for each thread.
void knows_processor() {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  const auto asked = [] {
    unsigned by_call = 0, by_kernel = 0;
    getcpu(&by_call, nullptr);
    syscall(SYS_getcpu, &by_kernel, nullptr, nullptr);
    assert(by_call == by_kernel);
    return static_cast<unsigned>(sched_getcpu()) == by_call ? static_cast<int>(by_call) : -1;
  };
  int last = -1;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &all)) last = i;
  const int mine = asked();
  int others = -1, moved = -1;
  std::atomic<bool> is_moved = false;
  std::thread other([&] {
    others = asked();
    while (!is_moved) std::this_thread::yield();
    moved = asked();
  });
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(last, &only);
  pthread_setaffinity_np(other.native_handle(), sizeof only, &only);
  is_moved = true;
  other.join();
  const bool differs = others != mine || CPU_COUNT(&all) == 1 || others == last;
  std::printf("%d %d %d\n", mine >= 0 && CPU_ISSET(mine, &all), others >= 0 && differs, moved == last);
}

void fences_all_threads() {
  int failed = 0;
  const std::string order = in_turn([&](char) {
    for (const int command : {MEMBARRIER_CMD_QUERY, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
                              MEMBARRIER_CMD_PRIVATE_EXPEDITED, MEMBARRIER_CMD_GLOBAL})
      failed += syscall(SYS_membarrier, command, 0, 0) < 0 ? 1 : 0;
  });
  std::printf("%s %d\n", order.c_str(), failed);
}

void protects_memory() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool writable = true;
  const std::string order = in_turn([&](char id) {
    if (writable) *static_cast<char*>(page) = id;
    mprotect(page, 4096, PROT_READ);
    writable = false;
  });
  std::printf("%s\n", order.c_str());
}

void sets_locale() {
  std::string before;
  const std::string order = in_turn([&](char) {
    before += std::setlocale(LC_ALL, nullptr)[0];
    std::setlocale(LC_ALL, "C.UTF-8");
  });
  std::printf("%s %s\n", order.c_str(), before == "CC" ? "C" : before.c_str());
}

void sets_environment() {
  int found = 0;
  const std::string order = in_turn([&](char id) {
    found += std::getenv("REEX_ISOLATION") != nullptr;
    const char value[] = {id, 0};
    setenv("REEX_ISOLATION", value, 1);
  });
  std::printf("%s %d %s\n", order.c_str(), found, std::getenv("REEX_ISOLATION"));
}

// Programs ask for io_uring, and do without if there is none.
void asks_for_rings() {
  unsigned char parameters[256] = {};
  const long rings = syscall(SYS_io_uring_setup, 4, parameters);
  const bool none = rings == -1 && errno == ENOSYS;
  const std::string order = in_turn([](char) {});
  std::printf("%s %s\n", order.c_str(), none ? "none" : "some");
}

void uses_temporary_file() {
  std::string read;
  const std::string order = in_turn([&](char id) {
    FILE* file = std::tmpfile();
    std::fputc(id, file);
    std::rewind(file);
    read += static_cast<char>(std::fgetc(file));
    std::fclose(file);
  });
  std::printf("%s %s\n", order.c_str(), read.c_str());
}

std::string text_of(int file) {
  char text[64] = {};
  if (pread(file, text, sizeof text - 1, 0) < 0) std::abort();
  return text;
}

// As test frameworks do, which put the output back themselves.
void captures_output() {
  char name[] = "captured-XXXXXX";
  int file = -1;
  int saved = -1;
  const std::string order = in_turn([&](char id) {
    if (file < 0) {
      file = mkstemp(name);
      saved = dup(STDOUT_FILENO);
      if (file < 0 || saved < 0 || dup2(file, STDOUT_FILENO) != STDOUT_FILENO) std::abort();
    }
    std::printf("[%c]", id);
    std::fflush(stdout);
  });
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::printf("%s %s\n", order.c_str(), text_of(file).c_str());
  close(file);
  unlink(name);
}

// Both streams lead elsewhere when the execution ends.
void redirects_output() {
  const std::string order = in_turn([](char) {});
  std::printf("%s ", order.c_str());
  std::fflush(stdout);
  const int copy = dup(STDOUT_FILENO);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  if (write(STDERR_FILENO, "e", 1) != 1 || write(copy, "c", 1) != 1) std::abort();
  const int nowhere = memfd_create("nowhere", 0);
  dup2(nowhere, STDOUT_FILENO);
  std::printf("lost\n");
  std::fflush(stdout);
  const bool there = text_of(nowhere) == "lost\n";
  if (write(copy, there ? "+" : "-", 1) != 1 || std::freopen("/dev/null", "w", stderr) == nullptr)
    std::abort();
  std::fprintf(stderr, "lost");
}

// The next descriptor gets its number.
void closes_output() {
  const std::string order = in_turn([](char) {});
  std::printf("%s", order.c_str());
  std::fflush(stdout);
  close(STDOUT_FILENO);
  if (open("/dev/null", O_WRONLY) != STDOUT_FILENO) std::abort();
  std::printf("lost");
}

// Nothing waits for the disk; what is no file is told all the same.
void stores_files() {
  const int file = open("stored.txt", O_RDWR | O_CREAT, 0600);
  const int folder = open(".", O_RDONLY | O_DIRECTORY);
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  int failed = fsync(ends[0]) == -1 && errno == EINVAL;
  failed += fdatasync(-1) == -1 && errno == EBADF;
  failed += syncfs(-1) == -1 && errno == EBADF;
  failed += fsync(open(".", O_PATH)) == -1 && errno == EBADF;
  failed += msync(nullptr, 4096, MS_SYNC) == -1 && errno == ENOMEM;
  int stored = 0;
  const std::string order = in_turn([&](char id) {
    stored += write(file, &id, 1) == 1 && fsync(file) == 0 && fdatasync(folder) == 0 && syncfs(file) == 0;
    sync();
  });
  std::printf("%s %d %d\n", order.c_str(), stored, failed);
}

void loads_library() {
  int loaded = 0;
  const std::string order = in_turn([&](char) {
    loaded += dlopen("libresolv.so.2", RTLD_NOW | RTLD_NOLOAD) != nullptr;
    dlopen("libresolv.so.2", RTLD_NOW);
  });
  std::printf("%s %d\n", order.c_str(), loaded);
}

// A function that reex looks up at its first call comes in between.
void asks_why_a_load_failed() {
  bool told = true;
  const std::string order = in_turn([&](char) {
    char text[] = "text";
    void* const library = dlopen("libmissing.so", RTLD_NOW);
    explicit_bzero(text, sizeof text);
    told = told && library == nullptr && dlerror() != nullptr && dlerror() == nullptr;
  });
  std::printf("%s %d\n", order.c_str(), told);
}

// A library is there for other threads only when its initializer has ended.
void loads_library_with_threads() {
  std::atomic<int> made{0};
  std::string order;
  const auto work = [&](char id) {
    void* const library = dlopen("libloaded.so", RTLD_NOW);
    assert(library != nullptr);
    const std::lock_guard lock(g_mutex);
    made += reinterpret_cast<int (*)()>(dlsym(library, "made"))();
    order += id;
  };
  std::thread one([&] { work('1'); });
  std::thread two([&] { work('2'); });
  one.join();
  two.join();
  std::printf("%s %d\n", order.c_str(), made.load());
}

void prints_by_iostream() {
  in_turn([](char id) { std::cout << id << std::flush; });
  std::cout << std::endl;
}

// For long runs: allocation in two threads, leaks, exceptions, thread-local objects, output.
thread_local std::string t_text = "fresh";

void allocates_and_throws() {
  std::atomic<int> caught{0};
  const auto work = [&](int id) {
    t_text += std::string(200, static_cast<char>('a' + id));
    auto* lost = new std::string(static_cast<std::size_t>(1000 + id), 'l');
    try {
      std::lock_guard lock(g_mutex);
      if (t_text.size() == 205) throw std::runtime_error(*lost);
    } catch (const std::exception& error) {
      caught += static_cast<int>(std::strlen(error.what()));
    }
  };
  std::thread one(work, 0);
  std::thread two(work, 1);
  one.join();
  two.join();
  std::printf("%d %s\n", caught.load(), t_text.c_str());
}

// Files that are opened for reading only. The numbers of descriptors are part of the outcome.
void write_file(const char* name, const char* text) { std::ofstream(name) << text; }

void reads_file() {
  write_file("file.txt", "abcdef");
  std::string read;
  const std::string order = in_turn([&](char) {
    static int g_left_open = -1;
    char text[4] = {};
    struct stat status {};
    const int file = open("file.txt", O_RDONLY);
    assert(fstat(file, &status) == 0 && status.st_size == 6);
    assert(lseek(file, 2, SEEK_SET) == 2 && ::read(file, text, 2) == 2 && pread(file, text + 2, 1, 5) == 1);
    const int copy = dup(file);
    assert(fcntl(copy, F_GETFL) == fcntl(file, F_GETFL) && lseek(copy, 0, SEEK_CUR) == 4);
    assert(close(file) == 0 && close(file) == -1 && errno == EBADF);
    assert(open("no/such/file", O_RDONLY) == -1 && errno == ENOENT);
    if (g_left_open < 0)
      g_left_open = copy; // a restore closes it
    else
      close(copy);
    read += text + std::to_string(file - copy) + (g_left_open == copy ? 'l' : 'c');
  });
  std::printf("%s %s\n", order.c_str(), read.c_str());
}

// The position is that of before, in each execution.
void reads_open_file() {
  write_file("file.txt", "abcdef");
  const int file = open("file.txt", O_RDWR);
  assert(lseek(file, 1, SEEK_SET) == 1);
  std::string read;
  const std::string order = in_turn([&](char) {
    char letter = 0;
    assert(::read(file, &letter, 1) == 1);
    read += letter;
  });
  std::printf("%s %s\n", order.c_str(), read.c_str());
}

void reads_by_stdio() {
  write_file("file.txt", "first\nsecond\n");
  mkdir("folder", 0700);
  write_file("folder/entry", "");
  std::string read;
  const std::string order = in_turn([&](char id) {
    char line[16] = {};
    FILE* const stream = std::fopen("file.txt", "r");
    assert(std::fgets(line, sizeof line, stream) != nullptr);
    read += line[0];
    std::string word;
    std::ifstream file("file.txt");
    assert(file.seekg(6) && file >> word);
    read += word[0];
    DIR* const folder = opendir("folder");
    while (const dirent* entry = readdir(folder))
      if (entry->d_name[0] != '.') read += entry->d_name[0];
    closedir(folder);
    if (id == '1') std::fclose(stream);
    FILE* const nowhere = std::fopen("/dev/null", "w");
    std::fputs("text", nowhere);
    std::fclose(nowhere);
  });
  std::printf("%s %s\n", order.c_str(), read.c_str());
}

void reads_system_files() {
  int found = 0;
  const std::string order = in_turn([&](char) {
    std::string text;
    for (const char* name : {"/proc/self/status", "/sys/devices/system/cpu/online", "/etc/passwd"})
      found += std::getline(std::ifstream(name), text) && !text.empty();
  });
  std::printf("%s %d\n", order.c_str(), found);
}

void writes_memory_file() {
  std::string read;
  const std::string order = in_turn([&](char id) {
    char text[3] = {};
    const int file = memfd_create("memory", 0);
    assert(write(file, &id, 1) == 1 && pread(file, text, 2, 0) == 1);
    read += text;
  });
  std::printf("%s %s\n", order.c_str(), read.c_str());
}

// A reader of a pipe tells its writer.
void opens_named_pipe() {
  mkfifo("pipe", 0600);
  const std::string order = in_turn([](char) { close(open("pipe", O_RDONLY | O_NONBLOCK)); });
  std::printf("%s\n", order.c_str());
}

constexpr Scenario k_scenarios[] = {
    {"reads_file", reads_file},
    {"captures_output", captures_output},
    {"redirects_output", redirects_output},
    {"closes_output", closes_output},
    {"reads_open_file", reads_open_file},
    {"reads_by_stdio", reads_by_stdio},
    {"reads_system_files", reads_system_files},
    {"writes_memory_file", writes_memory_file},
    {"opens_named_pipe", opens_named_pipe},
    {"allocates_and_throws", allocates_and_throws},
    {"random_numbers", random_numbers},
    {"random_devices", random_devices},
    {"long_random_device", long_random_device},
    {"process_numbers", process_numbers},
    {"child_knows_parent", child_knows_parent},
    {"appends", appends},
    {"sets_alarm", sets_alarm},
    {"leaks", leaks},
    {"writes_long_memory", writes_long_memory},
    {"writes_shared", writes_shared},
    {"writes_shared_file", writes_shared_file},
    {"maps_memory", maps_memory},
    {"maps_much_memory", maps_much_memory},
    {"unmaps_early_memory", unmaps_early_memory},
    {"guards_blocks", guards_blocks},
    {"uses_unmapped_early_memory", uses_unmapped_early_memory},
    {"maps_file_privately", maps_file_privately},
    {"hides_processor", hides_processor},
    {"knows_processor", knows_processor},
    {"fences_all_threads", fences_all_threads},
    {"protects_memory", protects_memory},
    {"sets_locale", sets_locale},
    {"sets_environment", sets_environment},
    {"asks_for_rings", asks_for_rings},
    {"uses_temporary_file", uses_temporary_file},
    {"stores_files", stores_files},
    {"loads_library", loads_library},
    {"asks_why_a_load_failed", asks_why_a_load_failed},
    {"loads_library_with_threads", loads_library_with_threads},
    {"prints_by_iostream", prints_by_iostream},
    {"counts_executions", counts_executions},
    {"prints_real_time", prints_real_time},
    {"asks_the_system", asks_the_system},
    {"changes_a_limit", changes_a_limit},
    {"sets_register", sets_register},
    {"sets_register_and_leaves_a_thread", sets_register_and_leaves_a_thread},
    {"fails_once", fails_once},
    {"fails_after_a_restore", fails_after_a_restore},
    {"fails_in_two_ways", fails_in_two_ways},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
