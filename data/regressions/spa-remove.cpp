// A source that has an event is removed from a loop, with its lock, and freed.
#include <spa/support/loop.h>
#include <spa/support/plugin.h>
#include <spa/support/system.h>
#include <spa/utils/names.h>
#include <spa/utils/type.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <thread>

extern "C" const struct spa_handle_factory spa_support_system_factory, spa_support_loop_factory;

static spa_handle* handle_of(const spa_handle_factory& factory, const spa_support* support, unsigned count) {
  auto* const handle = static_cast<spa_handle*>(calloc(1, spa_handle_factory_get_size(&factory, nullptr)));
  assert(spa_handle_factory_init(&factory, handle, nullptr, support, count) == 0);
  return handle;
}

int main() {
  spa_handle* const system = handle_of(spa_support_system_factory, nullptr, 0);
  spa_support support[1] = {{SPA_TYPE_INTERFACE_System, nullptr}};
  spa_handle_get_interface(system, SPA_TYPE_INTERFACE_System, &support[0].data);
  spa_handle* const handle = handle_of(spa_support_loop_factory, support, 1);
  void *loop, *control;
  spa_handle_get_interface(handle, SPA_TYPE_INTERFACE_Loop, &loop);
  spa_handle_get_interface(handle, SPA_TYPE_INTERFACE_LoopControl, &control);
  const int event = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  auto* const source = new spa_source{};
  source->fd = event;
  source->mask = SPA_IO_IN;
  source->func = [](spa_source*) {};
  spa_loop_add_source(static_cast<spa_loop*>(loop), source);
  auto* const controlled = static_cast<spa_loop_control*>(control);
  std::thread runner([=] {
    spa_loop_control_enter(controlled);
    spa_loop_control_iterate(controlled, 0);
    spa_loop_control_leave(controlled);
  });
  spa_loop_control_lock(controlled);
  spa_loop_remove_source(static_cast<spa_loop*>(loop), source);
  delete source;
  spa_loop_control_unlock(controlled);
  runner.join();
  close(event);
  spa_handle_clear(handle);
  free(handle);
  spa_handle_clear(system);
  free(system);
}
