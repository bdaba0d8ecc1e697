// Accesses that are ordered, ignored or announced by annotations.
#include <atomic>
#include <cstddef>
#include <thread>

extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
void AnnotateHappensBefore(const char*, int, void*);
void AnnotateHappensAfter(const char*, int, void*);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void AnnotateBenignRaceSized(const char*, int, void*, std::size_t, const char*);
}

namespace {

std::atomic<bool> told{false};
int given = 0;
int noted = 0;
int ignored = 0;
int announced = 0;
int* const block = new int(0);

void give() {
  *block = 1; // it is deleted later, behind a flag that orders nothing
  given = 1;
  __tsan_release(&told);
  noted = 1;
  AnnotateHappensBefore(__FILE__, __LINE__, &noted);
  told.store(true, std::memory_order_relaxed);
  ignored = 1;
  announced = 1;
}

} // namespace

int main() {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &announced, sizeof announced, "either value will do");
  std::thread giver(give);
  if (told.load(std::memory_order_relaxed)) {
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    delete block;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    __tsan_acquire(&told);
    if (given != 1) return 1;
    AnnotateHappensAfter(__FILE__, __LINE__, &noted);
    if (noted != 1) return 1;
  }
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  const int seen = ignored;
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  const int other = announced;
  giver.join();
  return seen + other > 2;
}
