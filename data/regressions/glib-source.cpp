// A source takes itself out of a table when it is disposed of, while a thread looks there for it.
#include <glib.h>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static GSource* table;
static int finalized;

static void dispose(GSource*) {
  std::lock_guard<std::mutex> guard(lock);
  table = nullptr;
}

static void finalize(GSource*) { finalized++; }

int main() {
  GSourceFuncs functions = {};
  functions.finalize = finalize;
  GSource* const source = g_source_new(&functions, sizeof(GSource));
  g_source_set_dispose_function(source, dispose);
  table = source;
  std::thread finder([] {
    GSource* found = nullptr;
    {
      std::lock_guard<std::mutex> guard(lock);
      if (table != nullptr) found = g_source_ref(table);
    }
    if (found != nullptr) g_source_unref(found);
  });
  g_source_unref(source);
  finder.join();
  assert(finalized == 1);
}
