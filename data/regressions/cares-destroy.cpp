// A channel with a thread for its events is made and destroyed.
#include <ares.h>

#include <cassert>

int main() {
  ares_library_init(ARES_LIB_INIT_ALL);
  ares_options options = {};
  options.evsys = ARES_EVSYS_DEFAULT;
  ares_channel_t* channel = nullptr;
  assert(ares_init_options(&channel, &options, ARES_OPT_EVENT_THREAD) == ARES_SUCCESS);
  ares_destroy(channel);
  ares_library_cleanup();
}
