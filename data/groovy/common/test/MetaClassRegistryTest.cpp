// A thread calls a method of a class while another one registers the meta-class of another class.
#undef NDEBUG
#include <cassert>
#include <thread>

#include "groovy/runtime/MetaClassRegistry.h"

using namespace groovy::runtime;

namespace {

void testRegistryIsReadAndWritten() {
  MetaClassRegistry registry;
  const MetaMethod* picked = nullptr;

  std::thread reader([&] { picked = registry.getMetaClass("java.lang.String").pickMethod("toString", 0); });
  std::thread writer([&] {
    auto metaClass = std::make_unique<MetaClass>("Script1");
    metaClass->addMetaMethod({"run", 0});
    registry.setMetaClass("Script1", std::move(metaClass));
  });
  reader.join();
  writer.join();
  assert(picked != nullptr);
  assert(registry.getMetaClass("Script1").pickMethod("run", 0) != nullptr);
}

} // namespace

int main() { testRegistryIsReadAndWritten(); }
