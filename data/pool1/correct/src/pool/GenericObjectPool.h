#pragma once

#include <condition_variable>
#include <list>
#include <mutex>

#include "pool/BaseObjectPool.h"
#include "pool/Config.h"
#include "pool/ObjectTimestampPair.h"
#include "pool/PoolableObjectFactory.h"

namespace pool {

// A pool with limits, for objects that its factory makes.
class GenericObjectPool : public BaseObjectPool {
public:
  GenericObjectPool(PoolableObjectFactory& factory, const Config& config);
  ~GenericObjectPool() override;

  Object* borrowObject() override;
  void returnObject(Object* object) override;
  void invalidateObject(Object* object) override;
  void addObject() override;

  int getNumIdle() override;
  int getNumActive() override;
  void clear() override;
  void close() override;

  void setMaxActive(int maxActive);
  void setMinIdle(int minIdle);

  // For a timer: makes idle objects until there are as many as there should be.
  void ensureMinIdle();

  // For a timer: destroys what was idle for too long.
  void evict();

private:
  void waitForObject(std::unique_lock<std::mutex>& lock, ObjectTimestampPair::Clock::time_point start);
  void addObjectToPool(Object* object, bool wasActive);
  void destroy(Object* object, bool wasActive);

  // How many idle objects are missing. With reserve, one of them is counted as being made.
  int calculateDeficit(bool reserve);
  void releaseReservation();

  PoolableObjectFactory& _factory;
  std::mutex monitor; // of all that follows
  std::condition_variable changed;
  std::list<ObjectTimestampPair> _pool; // the idle objects, the one that was returned last at the front
  int _numActive = 0;
  int _numCreatingIdle = 0; // idle objects that are being made
  int _maxActive;
  int _maxIdle;
  int _minIdle;
  const WhenExhausted _whenExhaustedAction;
  const std::chrono::milliseconds _maxWait;
  const bool _testOnBorrow;
  const bool _testOnReturn;
  const bool _lifo;
  const std::chrono::milliseconds _minEvictableIdleTime;
};

} // namespace pool
