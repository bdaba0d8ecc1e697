// Threads that use hidden state as they are told to: each argument is a thread, each letter of it a use. What
// they saw is printed at the end.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <ios>
#include <mutex>
#include <pthread.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Player {
  std::string script;
  std::string seen;
  std::mutex own;
  std::exception_ptr problem;
};

pthread_t g_main = pthread_self();
std::mutex g_shared;
thread_local char g_name = '-';
char g_destroyer = '-';

struct Problem {
  Problem() = default;
  Problem(const Problem&) = default;
  ~Problem() { g_destroyer = g_name; }
};

template <char name>
void handle() {
  std::_Exit(name);
}
constexpr std::terminate_handler k_handlers[] = {handle<'a'>, handle<'b'>, handle<'c'>};

std::string name_of(std::terminate_handler handler) {
  for (const char name : {'a', 'b', 'c'})
    if (handler == k_handlers[name - 'a']) return {name};
  return "none";
}

void use(Player& player, char letter, std::string& kept) {
  const auto see = [&](const std::string& text) { player.seen += text + ","; };
  switch (letter) {
  case 'l': {
    const std::lock_guard lock(player.own);
    break;
  }
  case 'L': {
    const std::lock_guard lock(g_shared);
    break;
  }
  case 'r':
    return see(std::to_string(rand() % 100));
  case 's':
    return srand(5);
  case 'd':
    return see(std::to_string(lrand48() % 100));
  case 'k': {
    kept = std::string("a b ") + g_name;
    strtok(kept.data(), " ");
    break;
  }
  case 'K': {
    const char* next = strtok(nullptr, " ");
    return see(next == nullptr ? "none" : next);
  }
  case 'y': {
    const std::time_t time = g_name * std::time_t{100'000'000};
    return see(std::to_string(std::gmtime(&time)->tm_year));
  }
  case 'g': {
    const char* value = getenv("REEX_USE");
    return see(value == nullptr ? "unset" : value);
  }
  case 'e':
    setenv("REEX_USE", std::string(1, g_name).c_str(), 1);
    break;
  case 'u':
    unsetenv("REEX_USE");
    break;
  case 'n':
    pthread_setname_np(g_main, std::string(1, g_name).c_str());
    break;
  case 'N': {
    char name[16] = "";
    pthread_getname_np(g_main, name, sizeof name);
    return see(name);
  }
  case 'h': // the order of these is seen at the end, and none of them is an operation
    on_exit([](int, void* name) { std::putchar(static_cast<char>(reinterpret_cast<std::intptr_t>(name))); },
            reinterpret_cast<void*>(static_cast<std::intptr_t>(g_name)));
    break;
  case 'T':
    return see(name_of(std::set_terminate(k_handlers[g_name - 'a'])));
  case 't':
    return see(name_of(std::get_terminate()));
  case 'w':
    return see(std::to_string(std::ios_base::xalloc() % 100));
  case 'p': {
    pthread_key_t key = 0;
    pthread_key_create(&key, nullptr);
    return see(std::to_string(key % 100));
  }
  case 'v':
    return see(std::to_string(std::random_device()() % 100));
  case 'x':
    player.problem = nullptr;
    break;
  default:
    break;
  }
}

} // namespace

int main(int count, char** arguments) {
  const std::time_t begin = 0;
  std::gmtime(&begin); // reads the time zone
  pthread_setname_np(g_main, "m");
  setenv("REEX_OTHER", "1", 1); // the environment is copied
  std::vector<Player> players(static_cast<std::size_t>(count - 1));
  const std::exception_ptr made = std::make_exception_ptr(Problem());
  std::string first = "z z";
  strtok(first.data(), " ");
  for (std::size_t i = 0; i < players.size(); ++i) {
    players[i].script = arguments[i + 1];
    players[i].problem = made;
  }
  const_cast<std::exception_ptr&>(made) = nullptr;
  std::vector<std::thread> threads;
  std::vector<std::string> kept(players.size());
  for (std::size_t i = 0; i < players.size(); ++i)
    threads.emplace_back([&, i] {
      g_name = static_cast<char>('a' + i);
      for (const char letter : players[i].script) use(players[i], letter, kept[i]);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Player& player : players) std::printf("%s ", player.seen.c_str());
  std::printf("%c\n", g_destroyer);
}
