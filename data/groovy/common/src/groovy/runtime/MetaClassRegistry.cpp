#include "groovy/runtime/MetaClassRegistry.h"

namespace groovy::runtime {

MetaClassRegistry::MetaClassRegistry() {
  for (const char* className : {"java.lang.Object", "java.lang.String", "java.lang.Integer"}) {
    auto metaClass = std::make_unique<MetaClass>(className);
    metaClass->addMetaMethod({"getMetaClass", 0});
    metaClass->initialize();
    metaClasses.putStrong(className, &own(std::move(metaClass)));
  }
}

MetaClass& MetaClassRegistry::getMetaClass(const std::string& className) {
  if (MetaClass* metaClass = metaClasses.get(className)) return *metaClass;

  auto made = std::make_unique<MetaClass>(className);
  made->initialize();
  MetaClass& metaClass = own(std::move(made));
  metaClasses.put(className, &metaClass);
  return metaClass;
}

void MetaClassRegistry::setMetaClass(const std::string& className, std::unique_ptr<MetaClass> metaClass) {
  metaClass->initialize();
  metaClasses.putStrong(className, &own(std::move(metaClass)));
}

void MetaClassRegistry::removeMetaClass(const std::string& className) { metaClasses.remove(className); }

MetaClass& MetaClassRegistry::own(std::unique_ptr<MetaClass> metaClass) {
  std::lock_guard<std::mutex> lock(ownedLock);
  owned.push_back(std::move(metaClass));
  return *owned.back();
}

} // namespace groovy::runtime
