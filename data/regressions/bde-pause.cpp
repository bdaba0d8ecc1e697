// A job of the only thread of a pool pauses another queue, which has a job that has not begun yet. Main resumes it.
#include <bdlmt_multiqueuethreadpool.h>
#include <bslmt_threadattributes.h>
#include <cassert>

using namespace BloombergLP;

int main() {
  bdlmt::MultiQueueThreadPool pool(bslmt::ThreadAttributes(), 1, 1, 30);
  pool.start();
  int ran = 0;
  const int first = pool.createQueue(), second = pool.createQueue();
  pool.enqueueJob(first, [&] {
    pool.enqueueJob(second, [&] { ++ran; });
    pool.pauseQueue(second);
  });
  pool.drain();
  pool.resumeQueue(second);
  pool.stop();
  assert(ran == 1);
}
