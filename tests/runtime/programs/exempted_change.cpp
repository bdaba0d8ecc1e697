// A function that is exempted from -fsanitize=thread, and reads and writes by one instruction: no thread is
// switched between the two.
#include <thread>

namespace {

int g_word = 0;

__attribute__((noinline, optimize("O1"), no_sanitize("thread"))) void add_one(int* word) { ++*word; }

} // namespace

int main() {
  std::thread one([] { add_one(&g_word); }), two([] { add_one(&g_word); });
  one.join();
  two.join();
}
