#pragma once

#include "pool/Object.h"

namespace pool {

// Makes the objects of a pool and accompanies them. What a pool got from makeObject() it gives to destroyObject() in
// the end. A pool may call its factory from any thread.
class PoolableObjectFactory {
public:
  virtual ~PoolableObjectFactory() = default;

  virtual Object* makeObject() = 0;
  virtual void destroyObject(Object* object) = 0;

  // Whether the object can still be used.
  virtual bool validateObject(Object*) { return true; }

  // Called before an object is borrowed and after it was returned.
  virtual void activateObject(Object*) {}
  virtual void passivateObject(Object*) {}
};

} // namespace pool
