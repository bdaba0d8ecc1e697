#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "groovy/runtime/MetaClass.h"
#include "groovy/util/MemoryAwareConcurrentReadMap.h"

namespace groovy::runtime {

// The meta-classes of all classes. Every method may be called by any thread.
class MetaClassRegistry {
public:
  MetaClassRegistry();

  // The meta-class of a class, which is made if there is none yet.
  MetaClass& getMetaClass(const std::string& className);

  // Replaces the meta-class of a class, for good.
  void setMetaClass(const std::string& className, std::unique_ptr<MetaClass> metaClass);

  void removeMetaClass(const std::string& className);

private:
  MetaClass& own(std::unique_ptr<MetaClass> metaClass);

  util::MemoryAwareConcurrentReadMap metaClasses;
  std::mutex ownedLock;
  std::vector<std::unique_ptr<MetaClass>> owned; // those that were replaced, too: somebody may still use them
};

} // namespace groovy::runtime
