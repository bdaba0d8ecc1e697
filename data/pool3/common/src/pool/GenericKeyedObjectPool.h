#pragma once

#include <list>
#include <map>
#include <mutex>
#include <string>

#include "pool/BaseKeyedObjectPool.h"
#include "pool/Config.h"
#include "pool/KeyedPoolableObjectFactory.h"
#include "pool/Latch.h"
#include "pool/ObjectTimestampPair.h"

namespace pool {

// A pool of pools, one for each key, with limits for each. Borrowers queue up.
class GenericKeyedObjectPool : public BaseKeyedObjectPool {
public:
  GenericKeyedObjectPool(KeyedPoolableObjectFactory& factory, const Config& config, int maxTotal = -1);
  ~GenericKeyedObjectPool() override;

  Object* borrowObject(const std::string& key) override;
  void returnObject(const std::string& key, Object* object) override;
  void invalidateObject(const std::string& key, Object* object) override;
  void addObject(const std::string& key) override;

  int getNumIdle(const std::string& key) override;
  int getNumActive(const std::string& key) override;
  void clear() override;
  void close() override;

private:
  // The objects of a key.
  struct ObjectQueue {
    std::list<ObjectTimestampPair> queue; // the idle ones, the one that was returned last at the front
    int activeCount = 0;
    int internalProcessingCount = 0; // those that are being made or activated for a borrower
  };

  // These need the lock.
  void allocate();
  void clearOldest();
  bool hasRoom(const ObjectQueue& pool) const;

  void waitForLatch(Latch& latch, ObjectTimestampPair::Clock::time_point start);
  void giveUp(Latch& latch, const std::string& reason);
  Object* makeFor(Latch& latch);
  void addObjectToPool(const std::string& key, Object* object, bool decrementNumActive);
  void destroy(const std::string& key, Object* object);

  KeyedPoolableObjectFactory& _factory;
  std::mutex monitor; // of all that follows
  std::map<std::string, ObjectQueue> _poolMap;
  std::list<Latch*> _allocationQueue; // of the borrowers that were not served yet, the first at the front
  int _totalActive = 0;
  int _totalInternalProcessing = 0;
  int _totalIdle = 0;
  const int _maxActive;
  const int _maxIdle;
  const int _maxTotal; // of all keys, active and idle; negative: no limit
  const WhenExhausted _whenExhaustedAction;
  const std::chrono::milliseconds _maxWait;
  const bool _testOnBorrow;
  const bool _testOnReturn;
  const bool _lifo;
};

} // namespace pool
