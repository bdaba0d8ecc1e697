// An object that is disposed of is handed to a thread, which sets a weak reference to it, gives it back and asks for it again while main drops the last reference.
#include <glib-object.h>
#include <cassert>
#include <thread>

static GWeakRef weak;
static std::thread helper;
static int finalized;

static void dispose(GObject* object) {
  if (helper.joinable() || finalized) return;
  g_object_ref(object);
  helper = std::thread([object] {
    g_weak_ref_set(&weak, object);
    g_object_unref(object);
    if (gpointer again = g_weak_ref_get(&weak)) g_object_unref(again);
  });
}

static void finalize(GObject* object) {
  finalized++;
  G_OBJECT_CLASS(g_type_class_peek(G_TYPE_OBJECT))->finalize(object);
}

static void class_init(gpointer type, gpointer) {
  G_OBJECT_CLASS(type)->dispose = dispose;
  G_OBJECT_CLASS(type)->finalize = finalize;
}

int main() {
  g_log_set_always_fatal(GLogLevelFlags(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING));
  const GType type = g_type_register_static_simple(G_TYPE_OBJECT, "Handed", sizeof(GObjectClass), class_init, sizeof(GObject), nullptr, GTypeFlags(0));
  g_weak_ref_init(&weak, nullptr);
  g_object_unref(g_object_new(type, nullptr));
  helper.join();
  assert(finalized == 1);
  assert(g_weak_ref_get(&weak) == nullptr);
  g_weak_ref_clear(&weak);
}
