// Two threads drop the two references to an object.
#include <glib-object.h>
#include <thread>

int main() {
  GObject* const object = G_OBJECT(g_object_new(G_TYPE_OBJECT, nullptr));
  g_object_ref(object);
  std::thread other([object] { g_object_unref(object); });
  g_object_unref(object);
  other.join();
}
