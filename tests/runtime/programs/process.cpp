// What a restore cannot undo, and what it only just can.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

std::string g_log;

// A test with two outcomes that calls `inside` in each execution.
template <class Inside>
void in_turn(Inside inside) {
  std::mutex mutex;
  const auto work = [&](char id) {
    std::lock_guard lock(mutex);
    inside(id);
    g_log += id;
  };
  std::thread one([&] { work('1'); });
  std::thread two([&] { work('2'); });
  one.join();
  two.join();
  std::printf("%s\n", g_log.c_str());
}

void opens_file() {
  in_turn([](char id) { std::ofstream("opened.txt", std::ios::app) << id; });
  std::ifstream file("opened.txt");
  std::string text;
  file >> text;
  std::printf("%s\n", text.substr(text.size() - 2).c_str());
}

void changes_folder() {
  in_turn([](char id) {
    const char folder[] = {id, 0};
    mkdir(folder, 0700);
    g_log += chdir(folder) == 0 ? "" : "!";
    rmdir((std::string("../") + id).c_str());
    g_log += chdir("..") == 0 ? "" : "!";
  });
}

void handles_signals() {
  in_turn([](char) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, &before);
    if (before.sa_handler == SIG_IGN) g_log += '.';
  });
}

void forks() {
  in_turn([](char id) {
    const pid_t child = fork();
    if (child == 0) _exit(id);
    int status = 0;
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != id) g_log += '!';
  });
}

// The handlers of fork are called in the order in which they were registered.
void registers_handlers() {
  std::thread one([] {
    pthread_atfork(
        nullptr, [] { g_log += '1'; }, nullptr);
  });
  std::thread two([] {
    pthread_atfork(
        nullptr, [] { g_log += '2'; }, nullptr);
  });
  one.join();
  two.join();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  std::printf("%s\n", g_log.c_str());
}

void runs_command() {
  in_turn([](char) {
    if (std::system("exit 7") != 7 << 8) g_log += '!';
  });
}

void opens_pipe() {
  in_turn([](char id) {
    int ends[2];
    char got = 0;
    if (pipe(ends) != 0 || write(ends[1], &id, 1) != 1 || read(ends[0], &got, 1) != 1 || got != id)
      g_log += '!';
    close(ends[0]);
    close(ends[1]);
  });
}

void maps_memory() {
  in_turn([](char id) {
    void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<char*>(page) = id;
    munmap(page, 4096);
  });
}

// Memory in use before the first thread, so each execution must find it in its original state.
void big_heap() {
  std::vector<char> memory(std::size_t{16} << 20, '.');
  in_turn([&](char id) { memory[memory.size() - 1 - static_cast<std::size_t>(id)] += id; });
  std::printf("%d\n", memory[memory.size() - 1 - '1'] - '.');
}

// Memory that an execution allocates: a restore must release it.
void grows() {
  in_turn([](char id) {
    std::vector<char>& lost = *new std::vector<char>(std::size_t{3} << 20, id);
    if (lost[1000000] != id) g_log += '!';
  });
}

void closes_output() {
  in_turn([](char) {});
  std::fclose(stdout);
}

void many_blocks() {
  std::vector<std::string> words(1000, std::string(40, 'w'));
  in_turn([&](char id) {
    for (std::string& word : words) word += id;
  });
  std::printf("%zu\n", words[999].size());
}

volatile int g_value = 7; // in the data segment
int g_zero;
thread_local int t_of_main = 5;
void memory_is_restored() {
  static int local = 3;
  int on_stack = 11;
  t_of_main = 6;
  in_turn([&](char) { g_value = g_value + 1, ++g_zero, ++local, ++on_stack; });
  ++t_of_main;
  std::srand(1);
  std::printf("%d %d %d %d %d %s\n", g_value, g_zero, local, on_stack, t_of_main,
              std::strtok(g_log.data(), "!"));
}

constexpr Scenario k_scenarios[] = {
    {"opens_file", opens_file},
    {"changes_folder", changes_folder},
    {"handles_signals", handles_signals},
    {"forks", forks},
    {"registers_handlers", registers_handlers},
    {"runs_command", runs_command},
    {"opens_pipe", opens_pipe},
    {"maps_memory", maps_memory},
    {"closes_output", closes_output},
    {"big_heap", big_heap},
    {"grows", grows},
    {"many_blocks", many_blocks},
    {"memory_is_restored", memory_is_restored},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
