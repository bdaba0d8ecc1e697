#pragma once

#include <string>
#include <vector>

#include "groovy/runtime/MetaMethod.h"

namespace groovy::runtime {

// What can be called on the instances of a class. Does not change after initialize().
class MetaClass {
public:
  explicit MetaClass(std::string className);

  void addMetaMethod(MetaMethod method);
  void initialize();

  const std::string& getClassName() const { return className; }

  // Null if there is no such method.
  const MetaMethod* pickMethod(const std::string& name, std::size_t arguments) const;

private:
  std::string className;
  std::vector<MetaMethod> methods;
  bool initialized = false;
};

} // namespace groovy::runtime
