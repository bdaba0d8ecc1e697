#pragma once

#include <string>

#include "pool/Object.h"

namespace pool {

// As PoolableObjectFactory, for objects of several kinds. The key says which kind.
class KeyedPoolableObjectFactory {
public:
  virtual ~KeyedPoolableObjectFactory() = default;

  virtual Object* makeObject(const std::string& key) = 0;
  virtual void destroyObject(const std::string& key, Object* object) = 0;
  virtual bool validateObject(const std::string&, Object*) { return true; }
  virtual void activateObject(const std::string&, Object*) {}
  virtual void passivateObject(const std::string&, Object*) {}
};

} // namespace pool
