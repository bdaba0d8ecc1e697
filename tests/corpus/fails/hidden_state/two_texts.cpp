// strtok has one position for all threads: a second text between two calls ends the first one.
#include <cassert>
#include <cstring>
#include <thread>

char names[] = "ada,grace";
char numbers[] = "1,2";
const char* last_name;

int main() {
  std::thread reader([] {
    strtok(names, ",");
    last_name = strtok(nullptr, ",");
  });
  std::thread other([] { strtok(numbers, ","); });
  reader.join();
  other.join();
  assert(last_name != nullptr && std::strcmp(last_name, "grace") == 0);
  return 0;
}
