#pragma once

#include <atomic>
#include <string>

#include "pool/Object.h"
#include "pool/PoolException.h"

namespace pool {

// As BaseObjectPool, with objects of several kinds, each with a key.
class BaseKeyedObjectPool {
public:
  virtual ~BaseKeyedObjectPool() = default;

  virtual Object* borrowObject(const std::string& key) = 0;
  virtual void returnObject(const std::string& key, Object* object) = 0;
  virtual void invalidateObject(const std::string& key, Object* object) = 0;
  virtual void addObject(const std::string& key) = 0;

  virtual int getNumIdle(const std::string& key) = 0;
  virtual int getNumActive(const std::string& key) = 0;

  virtual void clear() = 0;
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
