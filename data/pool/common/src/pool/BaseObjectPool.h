#pragma once

#include <atomic>

#include "pool/Object.h"
#include "pool/PoolException.h"

namespace pool {

// Objects that are borrowed, used and returned. Every method may be called by any thread.
class BaseObjectPool {
public:
  virtual ~BaseObjectPool() = default;

  // Each object that was borrowed is either returned or, if it is of no use any more, invalidated.
  virtual Object* borrowObject() = 0;
  virtual void returnObject(Object* object) = 0;
  virtual void invalidateObject(Object* object) = 0;

  // Makes an object that is idle.
  virtual void addObject() = 0;

  virtual int getNumIdle() = 0;
  virtual int getNumActive() = 0;

  // Destroys the idle objects.
  virtual void clear() = 0;

  // From now on nothing can be borrowed. What is returned is destroyed.
  virtual void close() { closed = true; }

protected:
  bool isClosed() const { return closed; }
  void assertOpen() const {
    if (closed) throw IllegalStateException("the pool is closed");
  }

private:
  std::atomic<bool> closed{false};
};

} // namespace pool
