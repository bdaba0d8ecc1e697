// A pool does jobs whose results are taken when all of them are there.
extern "C" {
#include "htslib/thread_pool.h"
#include "htslib/hts_log.h"
void hts_log(enum htsLogLevel, const char*, const char*, ...) {}
}
#include <cstdio>

static void* job(void* arg) { return arg; }
int main() {
  hts_tpool* pool = hts_tpool_init(2);
  hts_tpool_process* queue = hts_tpool_process_init(pool, 3, 0);
  static int data[3];
  for (int& d : data) hts_tpool_dispatch(pool, queue, job, &d);
  hts_tpool_process_flush(queue);
  int count = 0;
  while (hts_tpool_result* r = hts_tpool_next_result(queue)) {
    ++count;
    hts_tpool_delete_result(r, 0);
  }
  hts_tpool_process_destroy(queue);
  hts_tpool_destroy(pool);
  return count == 3 ? 0 : 1;
}
