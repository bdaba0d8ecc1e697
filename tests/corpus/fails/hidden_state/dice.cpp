// Two threads draw from one sequence of rand. The game takes for granted that the first player throws first.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex first_cup, second_cup;
int first_throw, second_throw;

void play(std::mutex& cup, int& result) {
  { std::lock_guard shaken(cup); }
  result = rand();
}

int main() {
  srand(7);
  const int expected = rand();
  srand(7);
  std::thread first(play, std::ref(first_cup), std::ref(first_throw));
  std::thread second(play, std::ref(second_cup), std::ref(second_throw));
  first.join();
  second.join();
  assert(first_throw == expected);
  return 0;
}
