// Threads that use files as they are told to: each argument is a thread, each letter of it a use. What they
// saw is printed at the end, and what is left. The working directory may hold a file "mine".
//
//   c  creates "new" if there is none      u U  removes "new", "mine"
//   r R  renames "new" to "mine", back     e E  whether "new", "mine" is there
//   m k  makes and removes the folder "f"  a t  adds to the log, cuts it
//   p  reads the log                       w    opens "mine" for writing; any other letter aborts
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

int g_log = -1; // opened before the first thread

std::string done(int result) { return result == 0 ? "+" : "-"; }

std::string log_text() {
  char text[64] = {};
  return std::string(text, static_cast<std::size_t>(pread(g_log, text, sizeof text, 0)));
}

std::string use(char letter, char name) {
  switch (letter) {
  case 'c': {
    const int made = open("new", O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (made >= 0) close(made);
    return done(made < 0);
  }
  case 'u':
    return done(unlink("new"));
  case 'U':
    return done(unlink("mine"));
  case 'r':
    return done(rename("new", "mine"));
  case 'R':
    return done(rename("mine", "new"));
  case 'e':
    return done(access("new", F_OK));
  case 'E':
    return done(access("mine", F_OK));
  case 'm':
    return done(mkdir("f", 0700));
  case 'k':
    return done(rmdir("f"));
  case 'a':
    return done(write(g_log, &name, 1) != 1);
  case 't':
    return done(ftruncate(g_log, 0));
  case 'p':
    return "(" + log_text() + ")";
  case 'w': {
    const int file = open("mine", O_WRONLY);
    if (file >= 0) close(file);
    return done(file < 0);
  }
  default:
    abort();
  }
}

std::string content(const char* name) {
  std::string text = "-";
  std::getline(std::ifstream(name), text);
  return text.substr(0, 20);
}

} // namespace

int main(int count, char** scripts) {
  g_log = open("log", O_CREAT | O_EXCL | O_RDWR | O_APPEND, 0600);
  if (g_log < 0 || write(g_log, "l", 1) != 1) return 2;
  std::vector<std::string> seen(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i)
    threads.emplace_back([&, i] {
      for (const char* at = scripts[i]; *at != 0; ++at)
        seen[static_cast<std::size_t>(i)] += use(*at, static_cast<char>('0' + i));
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 1; i < count; ++i) std::cout << seen[static_cast<std::size_t>(i)] << ' ';
  std::cout << log_text() << ' ' << content("new") << ' ' << content("mine") << ' ' << done(access("f", F_OK))
            << '\n';
  close(g_log);
  unlink("log");
}
