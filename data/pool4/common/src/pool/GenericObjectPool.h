#pragma once

#include <list>
#include <mutex>
#include <string>

#include "pool/BaseObjectPool.h"
#include "pool/Config.h"
#include "pool/Latch.h"
#include "pool/ObjectTimestampPair.h"
#include "pool/PoolableObjectFactory.h"

namespace pool {

// A pool with limits, for objects that its factory makes. Borrowers queue up.
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

private:
  // Needs the lock.
  void allocate();

  static bool isServed(Latch& latch);
  void waitForLatch(Latch& latch, ObjectTimestampPair::Clock::time_point start);
  void awaitLatch(Latch& latch, ObjectTimestampPair::Clock::time_point start);
  void giveUp(Latch& latch, const std::string& reason);
  Object* make();
  void addObjectToPool(Object* object, bool decrementNumActive);
  void destroy(Object* object);

  PoolableObjectFactory& _factory;
  std::mutex monitor;                   // of all that follows
  std::list<ObjectTimestampPair> _pool; // the idle objects, the one that was returned last at the front
  std::list<Latch*> _allocationQueue;   // of the borrowers that were not served yet, the first at the front
  int _numActive = 0;
  int _numInternalProcessing = 0; // objects that are being made or activated for a borrower
  int _maxActive;
  const int _maxIdle;
  const WhenExhausted _whenExhaustedAction;
  const std::chrono::milliseconds _maxWait;
  const bool _testOnBorrow;
  const bool _testOnReturn;
  const bool _lifo;
};

} // namespace pool
