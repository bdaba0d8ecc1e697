// Two threads print; every interleaving of their lines is right.
#include <cstdio>
#include <thread>

void say(const char* name) {
  std::printf("%s begins\n", name);
  std::printf("%s ends\n", name);
}

int main() {
  std::thread one(say, "one"), two(say, "two");
  one.join();
  two.join();
  return 0;
}
