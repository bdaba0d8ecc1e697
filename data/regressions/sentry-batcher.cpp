// A log is sent, and the library is closed.
#include <sentry.h>

#include <cassert>

static int sent = 0;

static void send(sentry_envelope_t* envelope, void*) {
  ++sent;
  sentry_envelope_free(envelope);
}

int main() {
  sentry_options_t* options = sentry_options_new();
  sentry_options_set_dsn(options, "https://key@localhost/1");
  sentry_options_set_database_path(options, "/tmp/sentry-batcher");
  sentry_options_set_auto_session_tracking(options, 0);
  sentry_options_set_transport(options, sentry_transport_new(send));
  sentry_options_set_enable_logs(options, 1);
  assert(sentry_init(options) == 0);
  sentry_log_info("a log");
  sentry_close();
  assert(sent == 1);
}
