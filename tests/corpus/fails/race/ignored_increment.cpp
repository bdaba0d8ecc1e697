// Both threads read the counter before one of them has written it. The test has said that nobody is to report
// the race; what comes of it is explored all the same.
#include <cassert>
#include <thread>

extern "C" {
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
}

int counter = 0;

void increment() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  counter = counter + 1;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

int main() {
  std::thread one(increment), two(increment);
  one.join();
  two.join();
  assert(counter == 2);
  return 0;
}
