// Two pieces of work are freed when they are done.
#include <uv.h>

static void work(uv_work_t*) {}
static void after(uv_work_t* request) { delete request; }

int main() {
  uv_loop_t* const loop = uv_loop_new();
  uv_queue_work(loop, new uv_work_t, work, after);
  uv_queue_work(loop, new uv_work_t, work, after);
  uv_run(loop);
  uv_loop_delete(loop);
}
