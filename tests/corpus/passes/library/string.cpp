// One thread appends to a string while another thread asks for its length.
#include <string>
#include <thread>

std::string text = "a text";
const char* more = " that grows";

void change() { text.append(more); }

int look() { return static_cast<int>(text.size()); }

int main() {
  int seen = 0;
  std::thread one(change), two([&] { seen = look(); });
  one.join();
  two.join();
  return seen < 0;
}
