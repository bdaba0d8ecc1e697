// Two tasks are given to a pool of two threads.
#include <dispenso/thread_pool.h>

#include <semaphore>

int main() {
  std::counting_semaphore<2> done{0};
  dispenso::ThreadPool pool(2);
  for (int i = 0; i < 2; ++i) pool.schedule([&] { done.release(); }, dispenso::ForceQueuingTag());
  for (int i = 0; i < 2; ++i) done.acquire();
}
