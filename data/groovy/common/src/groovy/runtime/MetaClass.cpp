#include "groovy/runtime/MetaClass.h"

#include <algorithm>
#include <stdexcept>

namespace groovy::runtime {

MetaClass::MetaClass(std::string className) : className(std::move(className)) {
  methods.emplace_back("toString", 0);
  methods.emplace_back("equals", 1);
}

void MetaClass::addMetaMethod(MetaMethod method) {
  if (initialized) throw std::logic_error("the meta-class of " + className + " is in use");
  methods.push_back(std::move(method));
}

void MetaClass::initialize() {
  std::stable_sort(methods.begin(), methods.end(),
                   [](const MetaMethod& a, const MetaMethod& b) { return a.getName() < b.getName(); });
  initialized = true;
}

const MetaMethod* MetaClass::pickMethod(const std::string& name, std::size_t arguments) const {
  for (const MetaMethod& method : methods) {
    if (method.isApplicable(name, arguments)) return &method;
  }
  return nullptr;
}

} // namespace groovy::runtime
