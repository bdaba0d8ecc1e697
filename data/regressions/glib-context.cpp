// A thread destroys a source while main drops the last reference to its context.
#include <glib.h>
#include <thread>

int main() {
  GMainContext* const context = g_main_context_new();
  GSource* const source = g_timeout_source_new_seconds(100);
  g_source_attach(source, context);
  std::thread other([source] {
    g_source_destroy(source);
    g_source_unref(source);
  });
  g_main_context_unref(context);
  other.join();
}
